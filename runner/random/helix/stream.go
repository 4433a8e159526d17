package helix

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/streamcert/streamcert/runner/target"
)

// stream is the model of a stream.
type stream struct {
	id        string
	number    int
	writers   map[int]string
	chunks    []*chunk // every one that was ever written, in order
	life      int      // index of the first chunk since the last reset
	cleanups  int      // cleanups and resets so far
	status    string   // active, paused, ended, failed
	final     string   // the output that it ended with, or the error that it failed with
	terminals []known  // ids of terminal frames that were seen, with what comes after them
	sent      int64    // the greatest id on any frame so far
	owners    map[int64]*chunk
	readers   [slots]*reader
}

// chunk is one that was written.
type chunk struct {
	body      []byte
	value     any // of the body
	step      int
	id        int64 // 0 until it was delivered
	above     int64 // the greatest id on any frame when it was written
	removedBy int   // the ordinal of the cleanup; 0 while it is stored
	held      bool  // written during the present pause: it may come at its end
}

// known is an id that a reader may have as its cursor.
type known struct {
	id int64
	at int // index of the first chunk after it
}

func (s *stream) finished() bool { return s.status == "ended" || s.status == "failed" }

// over is the type of the terminal frame.
func (s *stream) over() string { return map[string]string{"ended": "end", "failed": "fail"}[s.status] }

// newChunk makes a chunk that is like no other of its stream.
func (s *stream) newChunk(writer, step int) *chunk {
	members := map[string]any{
		"type": "text_delta", "agentId": "agent-" + strconv.Itoa(writer), "agentType": "assistant", "timestamp": 1702329600000 + len(s.chunks),
		"delta": fmt.Sprintf("chunk %d of stream %d. ", len(s.chunks)+1, s.number),
	}
	if step != none {
		members["step"] = step
	}
	body := encode(members)
	return &chunk{body: body, value: decoded(body), step: step, above: s.sent, held: s.status == "paused"}
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and numbers
	}
	return b
}

func decoded(b []byte) any {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		panic(err) // it was encoded here
	}
	return v
}

// named finds the chunk that a reader received, by its text.
func (s *stream) named(body []byte) (int, error) {
	var got any
	if err := json.Unmarshal(body, &got); err != nil {
		return 0, fmt.Errorf("a chunk that is no JSON: %w", err)
	}
	for i, c := range s.chunks {
		if reflect.DeepEqual(got, c.value) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("a chunk that was never written to this stream")
}

// stored counts what a fresh reader receives; held reports whether the server may
// still keep back some of it.
func (s *stream) stored() (n int, held bool) {
	for _, c := range s.chunks {
		if c.removedBy == 0 {
			n++
			held = held || c.held
		}
	}
	return n, held
}

// release ends a pause for the chunks that were written during it.
func (s *stream) release() {
	for _, c := range s.chunks {
		c.held = false
	}
}

// truncate takes chunks away. If there were any, attached readers must get a
// notice; if not, they should get none.
func (s *stream) truncate(step int, gone func(*chunk) bool) {
	s.cleanups++
	removed := false
	for _, c := range s.chunks {
		if c.removedBy == 0 && gone(c) {
			c.removedBy = s.cleanups
			removed = true
		}
	}
	if removed {
		s.announce(notice{kind: "truncated", step: step, ordinal: s.cleanups})
		return
	}
	for _, r := range s.readers {
		if r != nil {
			r.spare++
		}
	}
}

// cursors are the ids that a reader may come with: the start, those of chunks,
// removed ones too, and those of terminal frames. What a former end's id means
// while nothing came after it is the server's choice, so it is left out.
func (s *stream) cursors() []known {
	out := []known{{}}
	for i, c := range s.chunks {
		if c.id != 0 {
			out = append(out, known{c.id, i + 1})
		}
	}
	for _, k := range s.terminals {
		if k.at < len(s.chunks) {
			out = append(out, k)
		}
	}
	return out
}

// assign gives a chunk the id with which it came.
func (s *stream) assign(c *chunk, id int64, e *target.Exchange) error {
	switch owner := s.owners[id]; {
	case c.id != 0 && c.id != id:
		return broken(e, "%s came with id %d and had id %d before", c.body, id, c.id)
	case owner != nil && owner != c:
		return broken(e, "id %d is given to %s and was that of %s", id, c.body, owner.body)
	case c.id == 0 && id <= c.above:
		return broken(e, "%s came with id %d, and id %d had been sent before it was written", c.body, id, c.above)
	}
	c.id = id
	s.owners[id] = c
	s.sent = max(s.sent, id)
	return nil
}
