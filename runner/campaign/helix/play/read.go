package play

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// reads performs an operation of a reader.
func (p *readers) reads(s *stream, o program.Operation) error {
	r := s.readers[o.Who]
	switch o.Kind {
	case program.Attach:
		return p.readerSlot(s, o, streammodel.Position{}, target.ReadRequest{})
	case program.ReadOn:
		return p.readerSlot(s, o, streammodel.Position{}, target.ReadRequest{Stalled: true, Buffer: campaign.NarrowBuffer})
	case program.Resume:
		return p.resume(s, o)
	case program.Receive:
		if o.Who == 0 {
			return p.drainAll(s)
		}
		if r == nil || r.conn == nil {
			return nil
		}
		return p.drain(r)
	case program.Leave:
		if r == nil || r.conn == nil {
			return nil
		}
		if o.First {
			if err := p.drain(r); err != nil {
				return err
			}
		}
		return p.disconnect(r)
	}
	return fmt.Errorf("%q can't be done", o)
}

// readerSlot attaches a reader in a slot instead of the one before. Of a finished stream it receives everything.
func (p *readers) readerSlot(s *stream, o program.Operation, from streammodel.Position, request target.ReadRequest) error {
	if r := s.readers[o.Who]; r != nil {
		if err := p.disconnect(r); err != nil {
			return err
		}
		delete(s.readers, o.Who)
	}
	if len(s.readers) >= p.env.target.Limits().Within().Readers {
		return nil
	}
	coming := s.Written() * 600
	if o.Most > 0 {
		coming, request.Events, request.Buffer = o.Most*600, o.Most, campaign.NarrowBuffer
	}
	if err := p.capacity(coming); err != nil {
		return err
	}
	r, err := p.attach(s, o, from, request)
	if err != nil {
		return err
	}
	s.readers[o.Who] = r
	if o.Most > 0 {
		return p.readN(r, o)
	}
	if s.Finished() {
		return p.dismiss(s)
	}
	return nil
}

// readAll has a reader receive everything and leave.
func (p *readers) readAll(s *stream) error {
	if err := p.readerSlot(s, program.Operation{Who: 1}, streammodel.Position{}, target.ReadRequest{}); err != nil {
		return err
	}
	return p.finishReader(s.readers[1])
}

// attached waits until every reader is attached, and has those of other replicas leave.
func (p *readers) attached(s *stream) error {
	for _, r := range s.readers {
		if r.conn != nil {
			if err := r.answered(); err != nil {
				return err
			}
		}
	}
	return p.comeHome(s)
}

func (p *readers) drainAll(s *stream) error {
	served := 0
	for slot := 1; slot <= program.MostReaders+1; slot++ {
		if r := s.readers[slot]; r != nil && r.conn != nil && !r.stalled {
			if err := p.drain(r); err != nil {
				return err
			}
			served++
		}
	}
	p.proven.Readers = max(p.proven.Readers, served)
	return nil
}

// dismiss has every reader of a finished stream receive the remaining frames and leave.
func (p *readers) dismiss(s *stream) error {
	for slot := 1; slot <= program.MostReaders+1; slot++ {
		r := s.readers[slot]
		if r == nil || r.conn == nil {
			continue
		}
		if err := p.finishReader(r); err != nil {
			return err
		}
		delete(s.readers, slot)
	}
	return p.passOthers(s)
}

// capacity reserves capacity for a number of bytes to readers. If there isn't enough, it has all readers receive their
// expected frames first.
func (p *readers) capacity(coming int) error {
	if p.bytes += coming; p.bytes <= most {
		return nil
	}
	p.bytes = coming
	for _, s := range p.env.streams {
		if err := p.drainAll(s); err != nil {
			return err
		}
	}
	return nil
}

// comeHome has the readers of a stream that are attached to another replica receive their expected frames and leave,
// before a change that isn't a chunk.
func (p *readers) comeHome(s *stream) error {
	for _, r := range s.readers {
		if r.conn == nil || !r.onOtherReplica {
			continue
		}
		if err := p.finishReader(r); err != nil {
			return err
		}
	}
	return nil
}

// resume attaches after a cursor: the position of the reader in the slot, or any known id.
func (p *readers) resume(s *stream, o program.Operation) error {
	all := s.Positions()
	if o.Cursor == program.Terminal {
		if !s.Finished() || s.Terminal() == 0 {
			return nil
		}
		return p.noContent(s, streammodel.Position{ID: s.Terminal()}, o.Query)
	}
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
		return p.noContent(s, from, o.Query)
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
// unknown parameters, as it may. A reader without a cursor tries it once for each stream.
func (p *readers) withOtherParameter(s *stream) (map[string]string, error) {
	if len(s.readers)+1 >= p.env.target.Limits().Within().Readers {
		return map[string]string{}, nil
	}
	if s.others == nil {
		query := map[string]string{"_": "1"}
		conn, err := helix.Attach(p.env.session, target.ReadRequest{Stream: s.id, Query: query})
		if err != nil {
			return nil, err
		}
		v, err := conn.Head()
		if p.env.session.Forget(conn); err != nil || v.Status/100 == 4 {
			query = map[string]string{}
		}
		s.others = query
	}
	return maps.Clone(s.others), nil
}

// noContent resumes after the terminal frame, by a header or by a query.
func (p *readers) noContent(s *stream, from streammodel.Position, by string) error {
	id := strconv.FormatInt(from.ID, 10)
	request := target.ReadRequest{Stream: s.id, Cursor: &id, ReuseConnection: true}
	if by == "query" || by == "beside" {
		request.Cursor, request.Query = nil, map[string]string{"fromSequence": id}
	}
	conn, err := helix.Attach(p.env.session, request)
	if err != nil {
		return err
	}
	defer p.env.session.Forget(conn)
	v, err := conn.Head()
	if err != nil {
		return campaign.Broken(conn.Exchange, "helix.resume.no-content", "204", err.Error(), "a reader that has the terminal frame was not answered")
	}
	return campaign.At(conn.Exchange, s.NoContent(v.Status))
}

// most bounds the bytes to all readers of a program before they receive them: a scenario stores so many.
const most = 16 << 20
