package play

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
)

// beyondFrame has the members that are compared of a frame to a reader with a cursor beyond the latest event.
type beyondFrame struct {
	Type     string             `json:"type"`
	Sequence float64            `json:"sequence"`
	Status   streammodel.Status `json:"status"`
}

// rule returns the requirement on readers with such a cursor.
func (a *beyondCursor) rule() string {
	if a.large {
		return "helix.resume.large-cursor"
	}
	return "helix.resume.beyond-latest"
}

// passLatest judges the answer to a reader with a cursor beyond the latest event. A reader that is served waits until
// the stream is over.
func (p cursorOps) passLatest(s *stream, a *beyondCursor) error {
	rule := a.rule()
	p.occasionCounts[rule]++
	allowed := []int{http.StatusBadRequest, http.StatusConflict, http.StatusGone, http.StatusRequestedRangeNotSatisfiable}
	if s.Finished() {
		rule, allowed = "helix.resume.no-content", []int{http.StatusBadRequest}
	}
	if a.large || s.Finished() {
		allowed = append(allowed, http.StatusNoContent)
	}
	switch status := a.conn.Now().Status; {
	case status == http.StatusOK && !s.Finished():
		s.beyondCursor = append(s.beyondCursor, a)
		return nil
	case !slices.Contains(allowed, status):
		return campaign.Broken(a.conn.Exchange, rule, fmt.Sprint(allowed), fmt.Sprint(status), "a reader with the cursor %s, which is beyond every id, was answered otherwise", a.text)
	}
	p.session.Forget(a.conn)
	return nil
}

// passOthers checks the frames that such readers received of a finished stream.
func (p cursorOps) passOthers(s *stream) error {
	waiting := s.beyondCursor
	s.beyondCursor = nil
	for _, a := range waiting {
		if err := p.wasBeyondLatest(a); err != nil {
			return err
		}
		p.session.Forget(a.conn)
	}
	return nil
}

// receiveStatus waits until such readers receive a status frame, as all others do. A server may close a response then.
func (p cursorOps) receiveStatus(s *stream, to streammodel.Status) error {
	for _, a := range s.beyondCursor {
		err := p.receiveFrame(a, "helix.status.frames", "a status frame that says "+string(to), func(f beyondFrame) bool { return f.Status == to })
		if err != nil {
			return err
		}
	}
	return nil
}

// wasBeyondLatest receives the response up to the terminal frame.
func (p cursorOps) wasBeyondLatest(a *beyondCursor) error {
	return p.receiveFrame(a, "helix.lifecycle.end", "the terminal frame", func(f beyondFrame) bool { return f.Type == "end" || f.Type == "fail" })
}

// receiveFrame receives frames up to the one that the requirement expected asks for, or to the end of the response,
// which the server may close at a pause and after a truncation. No chunk may have an id up to the cursor.
func (p cursorOps) receiveFrame(a *beyondCursor, expected, awaited string, is func(beyondFrame) bool) error {
	for {
		f, err := a.conn.Next(awaited, p.target.By())
		if err != nil {
			return campaign.Broken(a.conn.Exchange, expected, awaited, err.Error(), "a reader that is ahead isn't told what becomes of the stream")
		}
		var m beyondFrame
		if f == nil {
			return nil
		}
		if _ = json.Unmarshal(f.Data, &m); is(m) { // other members may have any value
			return nil
		}
		if m.Type == "chunk" && m.Sequence <= a.from {
			return campaign.Broken(a.conn.Exchange, a.rule(), "no chunk up to "+a.text, fmt.Sprint(m.Sequence), "a chunk came to a reader that is ahead of it")
		}
	}
}
