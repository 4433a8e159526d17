package stream

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	"github.com/streamcert/streamcert/runner/patch"
)

// Produced is a chunk that the server's runtime wrote, as a reader received it.
type Produced struct {
	ID   int64  // of its frame
	Body []byte // the chunk's JSON, as it came

	members map[string]any // decoded Body; nil before the first use
	patch   *patched       // nil before the first use
}

// patched are the operations of a state_patch, or why they can't be read.
type patched struct {
	operations []patch.Operation // up to the first that can't be read
	err        error             // nil if all can be read
}

// Member returns a member of the chunk as encoding/json decodes it, nil if it has none.
func (p *Produced) Member(name string) any { return p.decoded()[name] }

func (p *Produced) decoded() map[string]any {
	if p.members == nil {
		p.members = map[string]any{}
		_ = json.Unmarshal(p.Body, &p.members) // what can't be read has no members
	}
	return p.members
}

// Kind returns the type of the chunk.
func (p *Produced) Kind() string { return p.Text("type") }

// Text returns a member that is a string, "" if it isn't.
func (p *Produced) Text(name string) string {
	text, _ := p.Member(name).(string)
	return text
}

// Raw returns a member as JSON.
func (p *Produced) Raw(name string) []byte {
	text, err := json.Marshal(p.Member(name))
	if err != nil {
		return nil // it was decoded from JSON
	}
	return text
}

// Operations returns those of a state_patch, which are decoded once: each check of a run applies them.
func (p *Produced) Operations() ([]patch.Operation, error) {
	if p.patch == nil {
		operations, err := patch.Operations(p.Raw("patches"))
		p.patch = &patched{operations, err}
	}
	return p.patch.operations, p.patch.err
}

// Produce notes that the server's runtime writes the stream. What is on it is known once a reader has received it from the
// beginning; every other reader must then receive the same. The run decides when its status changes.
func (s *Stream) Produce() { s.produced = true }

// Observe applies the frames of a reader that read everything. Chunks may be gone only if a call removes any.
func (s *Stream) Observe(all []*Produced, removes bool) error {
	here, known := map[int64]bool{}, 0
	for _, p := range all {
		here[p.ID] = true
		c := s.log.owners[p.ID]
		if c == nil {
			break
		}
		if c.removedBy != 0 {
			return model.Violated("helix.truncation.removed-on-resume", "a chunk that is stored", c.Marker, "a chunk came that had been removed")
		}
		if !bytes.Equal(c.Body, p.Body) {
			if rule, where := document.Differs(c.Value(), p.decoded()); rule != "" {
				return model.Unequal(rule, c.Body, p.Body, "%s came with another value%s", c.Marker, where)
			}
		}
		known++
	}
	if err := s.removeMissing(here, removes); err != nil {
		return err
	}
	for _, p := range all[known:] {
		if s.log.owners[p.ID] != nil {
			return model.Violated("helix.ordering.total-order", "chunks in their order", ids(p.ID), "a chunk came behind one that was written later")
		}
		c := &Chunk{Marker: ids(p.ID), Body: p.Body, Step: Stepless}
		s.Write(c)
		if err := s.assign(c, p.ID); err != nil {
			return err
		}
	}
	return nil
}

// removeMissing removes the chunks that were stored and no longer are.
func (s *Stream) removeMissing(here map[int64]bool, removes bool) error {
	gone := func(c *Chunk) bool { return c.removedBy == 0 && !here[c.id] }
	for _, c := range s.log.current() {
		if !gone(c) {
			continue
		}
		if !removes {
			return model.Violated("helix.lifecycle.late-reader", c.Marker, "nothing of it", "a chunk is gone that nothing has removed")
		}
		s.truncate(0, false, gone)
		return nil
	}
	return nil
}

// Finish applies the terminal frame of a reader that read everything.
func (s *Stream) Finish(f Frame) {
	m := f.decoded()
	if s.Finished() || m == nil {
		return
	}
	if m.Type == "fail" {
		text, _ := frame.Text(m.Error) // one that is none is for the judge
		code, _ := frame.Text(m.Code)
		s.Fail(text, code)
		return
	}
	s.End(string(m.FinalOutput))
}

// markerOf returns the marker of a chunk; that of a produced one is its id.
func (s *Stream) markerOf(f Frame, chunk any) string {
	if s.produced {
		return f.ID
	}
	members, _ := chunk.(map[string]any)
	marker, _ := members["runId"].(string)
	return marker
}

// removedUnseen reports whether a chunk of a produced stream may have been removed before any reader read the complete
// stream: an attached one may have received it.
func (s *Stream) removedUnseen(f Frame) bool {
	id, err := strconv.ParseInt(f.ID, 10, 64)
	return s.produced && s.log.cleanups > 0 && err == nil && s.log.owners[id] == nil && id < s.log.sent
}
