package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// cursorOps are cursors beyond all events, connections that are cut at a byte, and streams that are deleted.
type cursorOps struct{ *play }

// invalidCursors lets a reader come with a cursor that nobody gave out.
func (p cursorOps) invalidCursors(s *stream, o program.Operation) error {
	kind := program.CursorClasses[o.Class]
	all := s.Positions()
	from := all[o.Cursor%len(all)]
	beyondLatest := s.Beyond(o.Cursor * 10)
	text := kind.Text(from.ID, beyondLatest)
	request := target.ReadRequest{Stream: s.id}
	means := kind.Means
	number, _ := strconv.ParseFloat(text, 64) // of what is one
	switch id := strconv.FormatInt(from.ID, 10); {
	case o.Query == "both" && means == program.Refused: // the header decides, or the query is refused
		request.Cursor, request.Query, means = &id, map[string]string{"fromSequence": text}, program.PaddedCursor
	case o.Query == "query" || means == program.NoCursor || o.Class == "spaced": // a header can't hold what is blank at its ends
		request.Query = map[string]string{"fromSequence": text}
	default:
		request.Cursor = &text
	}
	switch {
	case len(s.readers)+len(s.beyondCursor) >= p.target.Limits().Within().Readers:
		return nil
	case means == program.BeyondLatest && (s.Finished() && s.Terminal() == 0 || number < float64(beyondLatest)):
		return nil // the server may have greater ids
	case means == program.NoCursor:
		from = streammodel.Position{}
	case means == program.PaddedCursor && s.Finished() && (s.Terminal() == 0 || from.ID >= s.Terminal()):
		return nil // what is left isn't known
	}
	conn, err := helix.Attach(p.session, request)
	if err != nil {
		return err
	}
	v, err := conn.Head()
	if err != nil {
		return campaign.Broken(conn.Exchange, "helix.resume.invalid-cursor", "an answer", err.Error(), "a reader was not answered")
	}
	switch {
	case means == program.Refused:
		defer p.session.Forget(conn)
		if p.ledger["helix.resume.invalid-cursor"]++; v.Status != http.StatusBadRequest {
			return campaign.Broken(conn.Exchange, "helix.resume.invalid-cursor", "400", fmt.Sprint(v.Status), "the cursor %q was not refused", text)
		}
		return nil
	case means == program.BeyondLatest:
		return p.passLatest(s, &beyondCursor{conn: conn, text: text, large: o.Class != "beyond-all", from: number})
	case v.Status == http.StatusBadRequest:
		p.session.Forget(conn)
		return nil
	}
	r := &reader{s: s, Reader: s.Attach(from, request.Query != nil && means != program.NoCursor || request.Cursor != nil), conn: conn}
	if r.Padded(); means == program.NoCursor {
		r.FromZero()
	} else if o.Query == "both" {
		r.AgainstQuery()
	}
	p.ledger["helix.resume.padded-cursor"]++
	if err := p.readerOps.drain(r); err != nil {
		return err
	}
	return p.readerOps.disconnect(r)
}

// beyondCursor is a reader whose cursor is greater than every id of the stream.
type beyondCursor struct {
	conn  *target.Reader
	text  string
	large bool    // it has more digits than ids usually have
	from  float64 // its cursor
}

// rule is the requirement on readers with such a cursor.
func (a *beyondCursor) rule() string {
	if a.large {
		return "helix.resume.large-cursor"
	}
	return "helix.resume.beyond-latest"
}

// passLatest judges how a reader that is ahead is answered. If it may wait, it stays until the stream is over.
func (p cursorOps) passLatest(s *stream, a *beyondCursor) error {
	rule := a.rule()
	p.ledger[rule]++
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

// passOthers looks at what readers that are ahead received of a stream that is over.
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

// telling waits until readers that are ahead are told of a status, as all others are. A server may close a response then.
func (p cursorOps) telling(s *stream, to streammodel.Status) error {
	for _, a := range s.beyondCursor {
		err := p.receiveFrame(a, "helix.status.frames", "a status frame that says "+string(to), func(f beyondFrame) bool { return f.Status == to })
		if err != nil {
			return err
		}
	}
	return nil
}

// wasBeyondLatest receives the rest of a response.
func (p cursorOps) wasBeyondLatest(a *beyondCursor) error {
	return p.receiveFrame(a, "helix.lifecycle.end", "the terminal frame", func(f beyondFrame) bool { return f.Type == "end" || f.Type == "fail" })
}

// beyondFrame is a frame that a reader gets that is ahead, as far as it is compared.
type beyondFrame struct {
	Type     string             `json:"type"`
	Sequence float64            `json:"sequence"`
	Status   streammodel.Status `json:"status"`
}

// receiveFrame receives what a reader that is ahead is sent up to a frame that a requirement says it is owed, or to the end of the
// response, which the server may close at a pause and after a truncation. No chunk may have an id up to the cursor.
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
		if _ = json.Unmarshal(f.Data, &m); is(m) { // further members may be anything
			return nil
		}
		if m.Type == "chunk" && m.Sequence <= a.from {
			return campaign.Broken(a.conn.Exchange, a.rule(), "no chunk up to "+a.text, fmt.Sprint(m.Sequence), "a chunk came to a reader that is ahead of it")
		}
	}
}

// disconnectAt cuts a reader after some bytes, wherever in a frame that is, and resumes where it was.
func (p cursorOps) disconnectAt(s *stream, o program.Operation) error {
	if s.Finished() {
		return nil
	}
	r := &reader{s: s, Reader: s.Attach(streammodel.Position{}, false)}
	sure := r.Sure()
	if sure == 0 || len(s.readers) >= p.target.Limits().Within().Readers {
		r.Detach()
		return nil
	}
	if old := s.readers[o.Who]; old != nil {
		if err := p.readerOps.disconnect(old); err != nil {
			return err
		}
	}
	s.readers[o.Who] = r
	if err := p.readerOps.connect(r, target.ReadRequest{CutAfter: int64(1 + o.Size%sure)}); err != nil {
		return err
	}
	if err := r.answered(); err != nil {
		return err
	}
	for {
		f, err := r.conn.Next("more of the stream", p.target.By())
		switch {
		case err != nil:
			return campaign.At(r.conn.Exchange, r.Missed(err.Error()))
		case f == nil && r.conn.Now().End != record.ClientClose && r.Closed() != nil:
			return campaign.At(r.conn.Exchange, r.Closed())
		case f == nil:
			if err := p.readerOps.disconnect(r); err != nil {
				return err
			}
			return p.readerOps.resume(s, program.Operation{Who: o.Who, Cursor: program.Here})
		case !f.Dispatched():
			continue
		}
		if _, err := r.Take(streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data}); err != nil {
			return campaign.At(r.conn.Exchange, err)
		}
	}
}

// remove deletes a stream and makes another one of its name, of which nothing is known.
func (p cursorOps) remove(s *stream) error {
	gone, err := p.erase(s)
	if err != nil || !gone {
		return err
	}
	if _, err = p.open(s, 1, false); err != nil {
		return err
	}
	if err := p.write(s, program.Operation{Who: 1, Count: 2, Each: 2, Step: program.MixedSteps, Class: program.ASCIIText, Size: 1}); err != nil {
		return err
	}
	return p.portray(s)
}

// portray asks for a snapshot of a stream, whoever writes it.
func (p cursorOps) portray(s *stream) error {
	switch {
	case !p.program.Runs:
		return p.inspections.snapshot(s)
	case s.runProgress == nil:
		return nil
	}
	return p.outputs.page(s, true)
}

// erase deletes the stream, and looks whether it is gone; false if the server refused to.
func (p cursorOps) erase(s *stream) (gone bool, err error) {
	if err := p.portray(s); err != nil { // what is kept of it must not be shown of its successor
		return false, err
	}
	if err := p.vacate(s); err != nil {
		return false, err
	}
	for _, a := range s.beyondCursor {
		p.session.Forget(a.conn)
	}
	clear(s.readers)
	s.beyondCursor = nil
	_, accepted, err := p.call(s, "helix.http.unknown-stream", "DELETE", "", nil)
	if err != nil || !accepted {
		return false, err
	}
	p.session.Removed(s.id)
	if p.removed%2 == 1 { // else nobody asks before the next one of its name is there
		if err := p.missing(s); err != nil {
			return false, err
		}
	}
	p.removed++
	s.Stream = streammodel.New(p.ledger, s.Family, fmt.Sprintf("%s.%d", s.Name, p.removed))
	s.size = 0
	clear(s.writers)
	s.closed = nil
	return true, nil
}

// missing asks for everything of a stream that was deleted.
func (p cursorOps) missing(s *stream) error {
	conn, err := helix.Attach(p.session, target.ReadRequest{Stream: s.id})
	if err != nil {
		return err
	}
	defer p.session.Forget(conn)
	if _, err := conn.Head(); err != nil {
		return campaign.Broken(conn.Exchange, "helix.http.unknown-stream", "404", err.Error(), "a reader of a stream that was deleted was not answered")
	}
	if err := p.gone(conn.Exchange, "helix.http.unknown-stream"); err != nil {
		return err
	}
	if p.target.Claims("info") {
		e, err := helix.AskInfo(p.session, target.DocumentRequest{Stream: s.id})
		if err := errors.Join(err, p.gone(e, "helix.status.info-unknown")); err != nil {
			return err
		}
	}
	if p.target.Claims("snapshot") {
		e, err := helix.AskSnapshot(p.session, target.SnapshotRequest{Stream: s.id})
		if err := errors.Join(err, p.gone(e, "helix.http.unknown-stream")); err != nil {
			return err
		}
	}
	return p.unauthorizedReaders.unknownNames()
}

// gone judges the answer of a stream that was deleted.
func (p cursorOps) gone(e *target.Exchange, rule string) error {
	if p.ledger[rule]++; e.Now().Status != http.StatusNotFound && e.Now().Status != http.StatusGone {
		return campaign.Broken(e, rule, "404", fmt.Sprint(e.Now().Status), "a stream that was deleted is still there")
	}
	return nil
}
