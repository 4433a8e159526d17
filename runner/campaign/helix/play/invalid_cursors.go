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
	if _, err = p.calls.open(s, 1, false); err != nil {
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
	_, accepted, err := p.calls.call(s, "helix.http.unknown-stream", "DELETE", "", nil)
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
	return p.unauthorized.unknownNames(p.removed / 2)
}

// gone judges the answer of a stream that was deleted.
func (p cursorOps) gone(e *target.Exchange, rule string) error {
	if p.ledger[rule]++; e.Now().Status != http.StatusNotFound && e.Now().Status != http.StatusGone {
		return campaign.Broken(e, rule, "404", fmt.Sprint(e.Now().Status), "a stream that was deleted is still there")
	}
	return nil
}
