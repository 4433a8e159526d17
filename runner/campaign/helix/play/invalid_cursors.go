package play

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// invalidCursors attaches a reader with a cursor that no server has sent, and judges the answer by the cursor's class.
func (p cursorOps) invalidCursors(s *stream, o program.Operation) error {
	kind := program.CursorClasses[o.Class]
	all := s.Positions()
	from := all[o.Cursor%len(all)]
	beyondLatest := s.Beyond(o.Cursor * 10)
	text := kind.Text(from.ID, beyondLatest)
	request := target.ReadRequest{Stream: s.id}
	means := kind.Means
	number, _ := strconv.ParseFloat(text, 64) // 0 for a text that isn't a number
	switch id := strconv.FormatInt(from.ID, 10); {
	case o.Query == "both" && means == program.Refused: // the header takes precedence, or the query is refused
		request.Cursor, request.Query, means = &id, map[string]string{"fromSequence": text}, program.PaddedCursor
	case o.Query == "query" || means == program.NoCursor || o.Class == "spaced": // a header can't begin or end with a blank
		request.Query = map[string]string{"fromSequence": text}
	default:
		request.Cursor = &text
	}
	switch {
	case len(s.readers)+len(s.beyondCursor) >= p.target.Limits().Within().Readers:
		return nil
	case means == program.BeyondLatest && (s.Finished() && s.Terminal() == 0 || number < float64(beyondLatest)):
		return nil // the server may have higher ids
	case means == program.NoCursor:
		from = streammodel.Position{}
	case means == program.PaddedCursor && s.Finished() && (s.Terminal() == 0 || from.ID >= s.Terminal()):
		return nil // the remaining frames aren't known
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
		if p.occasionCounts["helix.resume.invalid-cursor"]++; v.Status != http.StatusBadRequest {
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
	p.occasionCounts["helix.resume.padded-cursor"]++
	if err := p.readerOps.drain(r); err != nil {
		return err
	}
	return p.readerOps.disconnect(r)
}

// disconnectAt disconnects a reader after a number of bytes, possibly within a frame, and resumes it.
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
	if err := p.readerOps.connect(r, target.ReadRequest{DisconnectAfter: int64(1 + o.Size%sure)}); err != nil {
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

// remove deletes a stream and creates one with the same id, which must have nothing of the first.
func (p cursorOps) remove(s *stream) error {
	gone, err := p.erase(s)
	if err != nil || !gone {
		return err
	}
	if _, err = p.calls.open(s, 1, false); err != nil {
		return err
	}
	if err := p.write(s, program.Operation{Who: 1, Count: 2, Each: 2, Step: program.MixedSteps, Class: program.ASCIIText, Size: 1}); err != nil {
		return err
	}
	return p.compareSnapshot(s)
}

// compareSnapshot requests a snapshot of a stream that a writer or a run writes.
func (p cursorOps) compareSnapshot(s *stream) error {
	switch {
	case !p.program.Runs:
		return p.inspections.snapshot(s)
	case s.runProgress == nil:
		return nil
	}
	return p.outputs.page(s, true)
}

// erase deletes the stream and checks that it is gone; false if the server refused.
func (p cursorOps) erase(s *stream) (gone bool, err error) {
	if err := p.compareSnapshot(s); err != nil { // a stored snapshot must not be returned for the next stream
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
	_, accepted, err := p.calls.call(s, "helix.http.unknown-stream", "DELETE", "", nil)
	if err != nil || !accepted {
		return false, err
	}
	p.session.Removed(s.id)
	if p.removed%2 == 1 { // else the next stream exists before another request
		if err := p.missing(s); err != nil {
			return false, err
		}
	}
	p.removed++
	s.Stream = streammodel.New(p.occasionCounts, s.Family, fmt.Sprintf("%s.%d", s.Name, p.removed))
	s.size = 0
	clear(s.writers)
	s.closed = nil
	return true, nil
}

// missing requests every document and the events of a deleted stream.
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
		e, err := helix.GetInfo(p.session, target.DocumentRequest{Stream: s.id})
		if err := errors.Join(err, p.gone(e, "helix.status.info-unknown")); err != nil {
			return err
		}
	}
	if p.target.Claims("snapshot") {
		e, err := helix.GetSnapshot(p.session, target.SnapshotRequest{Stream: s.id})
		if err := errors.Join(err, p.gone(e, "helix.http.unknown-stream")); err != nil {
			return err
		}
	}
	return p.unauthorized.unknownNames(p.removed / 2)
}

// gone judges the answer to a request for a deleted stream.
func (p cursorOps) gone(e *target.Exchange, rule string) error {
	if p.occasionCounts[rule]++; e.Now().Status != http.StatusNotFound && e.Now().Status != http.StatusGone {
		return campaign.Broken(e, rule, "404", fmt.Sprint(e.Now().Status), "a stream that was deleted is still there")
	}
	return nil
}
