package play

import (
	"errors"
	"maps"
	"strconv"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// resume attaches after a cursor: the position of the reader in the slot, or any known id.
func (p readerOps) resume(s *stream, o program.Operation) error {
	all := s.Positions()
	from := all[len(all)-1]
	switch {
	case o.Cursor >= 0:
		from = all[o.Cursor%len(all)]
	case o.Cursor == program.Here:
		r := s.readers[o.Who]
		if r == nil {
			return p.readerSlot(s, o, streammodel.Position{}, target.ReadRequest{})
		}
		from = r.Position()
		if from.ID == 0 { // it has received nothing
			return p.readerSlot(s, o, streammodel.Position{}, target.ReadRequest{})
		}
	}
	if s.Finished() && s.Terminal() > 0 && from.ID >= s.Terminal() {
		return p.noContent(s, from)
	}
	id := strconv.FormatInt(from.ID, 10)
	switch o.Query {
	case "query":
		return p.readerSlot(s, o, from, target.ReadRequest{Query: map[string]string{"fromSequence": id}})
	case "beside": // a parameter that clients add to avoid caches
		query, err := p.withOtherParameter(s)
		if err != nil {
			return err
		}
		query["fromSequence"] = id
		return p.readerSlot(s, o, from, target.ReadRequest{Query: query})
	case "another": // a second, later cursor in the query
		latest := strconv.FormatInt(all[len(all)-1].ID, 10)
		return p.readerSlot(s, o, from, target.ReadRequest{Cursor: &id, Query: map[string]string{"fromSequence": latest}})
	case "neither": // a cursor of 0 takes precedence as well
		zero := "0"
		return p.readerSlot(s, o, streammodel.Position{}, target.ReadRequest{Cursor: &zero, Query: map[string]string{"fromSequence": id}})
	case "both": // as an EventSource does
		return p.readerSlot(s, o, from, target.ReadRequest{Cursor: &id, Query: map[string]string{"fromSequence": "0"}})
	}
	return p.readerSlot(s, o, from, target.ReadRequest{Cursor: &id})
}

// withOtherParameter returns a query with a parameter that no server knows, or an empty one if the server refuses
// unknown parameters, as it may. A reader without a cursor tries it once in each program.
func (p readerOps) withOtherParameter(s *stream) (map[string]string, error) {
	if len(s.readers)+1 >= p.target.Limits().Within().Readers {
		return map[string]string{}, nil
	}
	if p.others == nil {
		query := map[string]string{"_": "1"}
		conn, err := helix.Attach(p.session, target.ReadRequest{Stream: s.id, Query: query})
		if err != nil {
			return nil, err
		}
		v, err := conn.Head()
		if p.session.Forget(conn); err != nil || v.Status/100 == 4 {
			query = map[string]string{}
		}
		p.others = query
	}
	return maps.Clone(p.others), nil
}

// noContent resumes after the terminal frame.
func (p readerOps) noContent(s *stream, from streammodel.Position) error {
	id := strconv.FormatInt(from.ID, 10)
	request := target.ReadRequest{Stream: s.id, Cursor: &id, ReuseConnection: true}
	if p.requested++; p.requested%2 == 0 {
		request.Cursor, request.Query = nil, map[string]string{"fromSequence": id}
	}
	conn, err := helix.Attach(p.session, request)
	if err != nil {
		return err
	}
	defer p.session.Forget(conn)
	v, err := conn.Head()
	if err != nil {
		return campaign.Broken(conn.Exchange, "helix.resume.no-content", "204", err.Error(), "a reader that has the terminal frame was not answered")
	}
	return campaign.At(conn.Exchange, s.NoContent(v.Status))
}

const (
	// narrow is the receive buffer in bytes of a connection whose reader doesn't read to the end, so that the server
	// keeps the frames.
	narrow = 4 << 10
	// trimmed is about how many frames of a response are stored after they were processed.
	trimmed = 256
)

// readN receives o.Most events, or all expected ones if they are fewer, and leaves.
func (p readerOps) readN(r *reader, o program.Operation) error {
	if err := r.answered(); err != nil {
		return err
	}
	for range o.Most {
		due := r.Due()
		if due == "" {
			break
		}
		f, err := r.conn.Next(due, p.target.By())
		switch {
		case err != nil:
			return campaign.At(r.conn.Exchange, r.Missed(err.Error()))
		case f == nil && r.conn.Now().End != record.ClientClose && !p.declared(r.conn):
			return errors.Join(campaign.At(r.conn.Exchange, r.Closed()), p.disconnect(r))
		case f == nil: // the reader has received enough, status frames included
			return p.disconnect(r)
		case !f.Dispatched():
			continue
		}
		if over, err := r.Take(streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data}); err != nil || over {
			return errors.Join(campaign.At(r.conn.Exchange, err), p.disconnect(r))
		}
	}
	return p.disconnect(r)
}

// trim releases processed frames of a response that is too long for the judge.
func (p readerOps) trim(r *reader) {
	if r.conn.Taken() > mostJudged {
		r.conn.ForgetTaken()
	}
}

// received records how many events and bytes of a stream a reader has received.
func (p readerOps) received(s *stream) {
	p.proven.Events = max(p.proven.Events, s.Stored())
	p.proven.Bytes = max(p.proven.Bytes, s.largest)
}
