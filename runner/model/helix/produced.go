package helix

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/streamcert/streamcert/runner/patch"
)

// Produced is a chunk that a run wrote, as a reader received it.
type Produced struct {
	ID   int64
	Body []byte

	value map[string]any
	patch *patched // nil before it was asked for
}

// patched is what a state_patch does, or why that can't be told.
type patched struct {
	operations []patch.Operation
	err        error
}

// member is a member of the chunk as encoding/json decodes it, nil if it has none.
func (p *Produced) member(name string) any { return p.decoded()[name] }

func (p *Produced) decoded() map[string]any {
	if p.value == nil {
		p.value = map[string]any{}
		_ = json.Unmarshal(p.Body, &p.value) // what can't be read has no members
	}
	return p.value
}

// Text is a member that is a string, "" if it isn't.
func (p *Produced) Text(name string) string { return p.text(name) }

func (p *Produced) text(name string) string {
	text, _ := p.member(name).(string)
	return text
}

// operations are those of a state_patch. Every look at a run applies them, so that they are read once.
func (p *Produced) operations() ([]patch.Operation, error) {
	if p.patch == nil {
		operations, err := patch.Operations(p.raw("patches"))
		p.patch = &patched{operations, err}
	}
	return p.patch.operations, p.patch.err
}

func (p *Produced) kind() string { return p.text("type") }

// production is what a run writes to a stream.
type production struct{ *Stream }

// Produce says that the server's own runtime writes the stream. What is on it is known once a reader has received it from
// the beginning; every other reader must then receive the same. When its status changes is for the run to decide.
func (s production) Produce() { s.produced = true }

// Observe is told what a reader received that read everything. Chunks may be gone only if something was done that removes
// any.
func (s production) Observe(all []*Produced, removes bool) error {
	here, known := map[int64]bool{}, 0
	for _, p := range all {
		here[p.ID] = true
		c := s.owners[p.ID]
		if c == nil {
			break
		}
		if c.removedBy != 0 {
			return violation("helix.truncation.removed-on-resume", "a chunk that is stored", c.Marker, "a chunk came that had been removed")
		}
		if !bytes.Equal(c.Body, p.Body) {
			if rule, where := Differs(c.Value(), p.decoded()); rule != "" {
				return unequal(rule, c.Body, p.Body, "%s came with another value%s", c.Marker, where)
			}
		}
		known++
	}
	if err := s.vanished(here, removes); err != nil {
		return err
	}
	for _, p := range all[known:] {
		if s.owners[p.ID] != nil {
			return violation("helix.ordering.total-order", "chunks in their order", ids(p.ID), "a chunk came behind one that was written later")
		}
		c := &Chunk{Marker: ids(p.ID), Body: p.Body, Step: Stepless}
		s.Write(c)
		if err := s.assign(c, p.ID); err != nil {
			return err
		}
	}
	return nil
}

// vanished finds chunks that were stored and are no more.
func (s production) vanished(here map[int64]bool, removes bool) error {
	gone := func(c *Chunk) bool { return c.removedBy == 0 && !here[c.id] }
	for _, c := range s.chunks[s.epoch:] {
		if !gone(c) {
			continue
		}
		if !removes {
			return violation("helix.lifecycle.late-reader", c.Marker, "nothing of it", "a chunk is gone that nothing has removed")
		}
		s.truncate(0, false, gone)
		return nil
	}
	return nil
}

// Finish is told how the stream was finished, as the reader saw that read everything.
func (s production) Finish(f Frame) {
	var m message
	if s.Finished() || json.Unmarshal(f.Data, &m) != nil {
		return
	}
	if m.Type == "fail" {
		text := ""
		if m.Error != nil { // else it is for the judge
			text = *m.Error
		}
		s.Fail(text, m.Code)
		return
	}
	s.End(string(m.FinalOutput))
}

// named is what a chunk of a produced stream is known by: its id.
func (s production) named(f Frame, chunk any) string {
	if s.produced {
		return f.ID
	}
	return markerOf(chunk)
}

// unseen reports whether a chunk of a produced stream was removed before anybody read the whole stream: who was attached may
// have received it.
func (s production) unseen(f Frame) bool {
	id, err := strconv.ParseInt(f.ID, 10, 64)
	return s.produced && s.cleanups > 0 && err == nil && s.owners[id] == nil && id < s.sent
}
