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

// cursors has the operations with invalid cursors, connections that end at a byte, and deleted streams.
type cursors struct {
	env          *env // shared by all parts of the play
	calls        caller
	unauthorized unauthorized
	readers      *readers
	writers      *writers
}

// invalidCursors attaches a reader with a cursor that no server has sent, and judges the answer by the cursor's class.
func (p *cursors) invalidCursors(s *stream, o program.Operation) error {
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
	case len(s.readers)+len(s.beyondCursor) >= p.env.target.Limits().Within().Readers:
		return nil
	case means == program.BeyondLatest && (s.Finished() && s.Terminal() == 0 || number < float64(beyondLatest)):
		return nil // the server may have higher ids
	case means == program.NoCursor:
		from = streammodel.Position{}
	case means == program.PaddedCursor && s.Finished() && (s.Terminal() == 0 || from.ID >= s.Terminal()):
		return nil // the remaining frames aren't known
	}
	conn, err := helix.Attach(p.env.session, request)
	if err != nil {
		return err
	}
	v, err := conn.Head()
	if err != nil {
		return campaign.Broken(conn.Exchange, "helix.resume.invalid-cursor", "an answer", err.Error(), "a reader was not answered")
	}
	switch {
	case means == program.Refused:
		defer p.env.session.Forget(conn)
		if p.env.counts["helix.resume.invalid-cursor"]++; v.Status != http.StatusBadRequest {
			return campaign.Broken(conn.Exchange, "helix.resume.invalid-cursor", "400", fmt.Sprint(v.Status), "the cursor %q was not refused", text)
		}
		return nil
	case means == program.BeyondLatest:
		return p.readers.passLatest(s, &beyondCursor{conn: conn, text: text, large: o.Class != "beyond-all", from: number})
	case v.Status == http.StatusBadRequest:
		p.env.session.Forget(conn)
		return nil
	}
	r := &reader{s: s, Reader: s.Attach(from, request.Query != nil && means != program.NoCursor || request.Cursor != nil), conn: conn}
	if r.Padded(); means == program.NoCursor {
		r.FromZero()
	} else if o.Query == "both" {
		r.AgainstQuery()
	}
	p.env.counts["helix.resume.padded-cursor"]++
	return p.readers.finishReader(r)
}

// disconnectAt disconnects a reader after a number of bytes, possibly within a frame, and resumes it.
func (p *cursors) disconnectAt(s *stream, o program.Operation) error {
	if s.Finished() {
		return nil
	}
	r := &reader{s: s, Reader: s.Attach(streammodel.Position{}, false)}
	sure := r.Sure()
	if sure == 0 || len(s.readers) >= p.env.target.Limits().Within().Readers { // there are no bytes that surely come, or the stream has as many readers as it may have
		r.Detach()
		return nil
	}
	if old := s.readers[o.Who]; old != nil {
		if err := p.readers.disconnect(old); err != nil {
			return err
		}
	}
	s.readers[o.Who] = r
	if err := p.readers.connect(r, target.ReadRequest{DisconnectAfter: int64(1 + o.Size%sure)}); err != nil {
		return err
	}
	if err := r.answered(); err != nil {
		return err
	}
	for {
		f, err := r.conn.Next("more of the stream", p.env.target.By())
		switch {
		case err != nil:
			return campaign.At(r.conn.Exchange, r.Missed(err.Error()))
		case f == nil && r.conn.Now().End != record.ClientClose && r.Closed() != nil:
			return campaign.At(r.conn.Exchange, r.Closed())
		case f == nil:
			if err := p.readers.disconnect(r); err != nil {
				return err
			}
			return p.readers.resume(s, program.Operation{Who: o.Who, Cursor: program.Here})
		case !f.Dispatched():
			continue
		}
		if _, err := r.Take(streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data}); err != nil {
			return campaign.At(r.conn.Exchange, err)
		}
	}
}

// remove deletes a stream and creates one with the same id, which must have nothing of the first. With the id of another
// unknown stream it requests both before the next one exists.
func (p *cursors) remove(s *stream, unknown string) error {
	if err := p.calls.snapshot(s, program.Operation{}); err != nil { // a stored one must not be returned for the next stream
		return err
	}
	gone, err := p.erase(s, unknown)
	if err != nil || !gone {
		return err
	}
	if _, err = p.calls.open(s, 1, false); err != nil {
		return err
	}
	if err := p.writers.write(s, program.Operation{Who: 1, Count: 2, Each: 2, Step: program.MixedSteps, Class: program.ASCIIText, Size: 1}); err != nil {
		return err
	}
	return p.calls.snapshot(s, program.Operation{})
}

// erase deletes the stream and checks that it is gone; false if the server refused.
func (p *cursors) erase(s *stream, unknown string) (gone bool, err error) {
	if err := p.readers.vacate(s); err != nil {
		return false, err
	}
	for _, a := range s.beyondCursor {
		p.env.session.Forget(a.conn)
	}
	clear(s.readers)
	s.beyondCursor = nil
	_, accepted, err := p.calls.call(s, "helix.http.unknown-stream", "DELETE", "", nil)
	if err != nil || !accepted {
		return false, err
	}
	p.env.session.Removed(s.id)
	if unknown != "" {
		if err := errors.Join(p.missing(s), p.unauthorized.unknownName(unknown)); err != nil {
			return false, err
		}
	}
	s.removed++
	s.Stream = streammodel.New(p.env.counts, s.Family, fmt.Sprintf("%s.%d", s.Name, s.removed))
	s.size = 0
	clear(s.writers)
	s.closed = nil
	return true, nil
}

// missing requests every document and the events of a deleted stream.
func (p *cursors) missing(s *stream) error {
	conn, err := helix.Attach(p.env.session, target.ReadRequest{Stream: s.id})
	if err != nil {
		return err
	}
	defer p.env.session.Forget(conn)
	if _, err := conn.Head(); err != nil {
		return campaign.Broken(conn.Exchange, "helix.http.unknown-stream", "404", err.Error(), "a reader of a stream that was deleted was not answered")
	}
	if err := p.gone(conn.Exchange, "helix.http.unknown-stream"); err != nil {
		return err
	}
	if p.env.target.Claims("info") {
		e, err := helix.GetInfo(p.env.session, target.DocumentRequest{Stream: s.id})
		if err := errors.Join(err, p.gone(e, "helix.status.info-unknown")); err != nil {
			return err
		}
	}
	if p.env.target.Claims("snapshot") {
		e, err := helix.GetSnapshot(p.env.session, target.SnapshotRequest{Stream: s.id})
		return errors.Join(err, p.gone(e, "helix.http.unknown-stream"))
	}
	return nil
}

// gone judges the answer to a request for a deleted stream.
func (p *cursors) gone(e *target.Exchange, rule string) error {
	if p.env.counts[rule]++; e.Now().Status != http.StatusNotFound && e.Now().Status != http.StatusGone {
		return campaign.Broken(e, rule, "404", fmt.Sprint(e.Now().Status), "a stream that was deleted is still there")
	}
	return nil
}
