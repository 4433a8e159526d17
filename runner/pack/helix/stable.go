package helix

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// mostNumbered bounds how many chunks of the readers of a scenario are compared.
const mostNumbered = 1 << 14

// chunkKey identifies a chunk by its stream and the id of its frame.
type chunkKey struct{ stream, id string }

// sideBySide compares the chunks that the readers of one scenario received: a sequence names the same chunk on every
// connection, helix.resume.stable, and a later reader lacks none. If a scenario deletes a stream, a new one begins with the
// same numbers.
func sideBySide(exchanges []*record.Exchange) (found []record.Finding, of []int) {
	readers := map[string]int{}
	for _, e := range exchanges {
		if e.Method == "DELETE" {
			return nil, nil
		}
		if compares(e) {
			readers[e.Stream]++
		}
	}
	first, ids := map[chunkKey][]byte{}, map[string][]int64{}
	for i, e := range exchanges {
		if !compares(e) || readers[e.Stream] < 2 {
			continue
		}
		if e.Heading == onceMore {
			if id, lacks := missing(e, ids[e.Stream]); lacks {
				return []record.Finding{lacking(e, id)}, []int{i}
			}
		}
		for _, f := range e.Frames {
			at := chunkKey{e.Stream, f.ID}
			switch before, known := first[at]; {
			case !f.HasID || !isChunk(f):
			case !known && len(first) < mostNumbered:
				first[at] = f.Data
				if n, ok := idOf(f); ok {
					ids[e.Stream] = append(ids[e.Stream], n)
				}
			case known && !same(before, f.Data):
				return []record.Finding{{
					Requirement: "helix.resume.stable", Message: "a sequence names another chunk than on another connection of this scenario",
					Want: string(before), Got: string(f.Data), Frame: f.Index, Offset: f.Offset,
				}}, []int{i}
			}
		}
	}
	return nil, nil
}

// lacking returns the finding of a reader that came afterwards and didn't receive the chunk of an id.
func lacking(e *record.Exchange, id int64) record.Finding {
	f := record.Finding{
		Requirement: "helix.lifecycle.late-reader", Message: "a reader that came after this scenario didn't receive a chunk that others had",
		Want: fmt.Sprintf("the chunk of sequence %d, as others received it", id), Got: "none of that sequence", Frame: -1, Offset: -1,
	}
	if _, given := e.Cursor(); given {
		f.Requirement = "helix.resume.complete"
	}
	return f
}

// compares reports whether an exchange is a reader that was answered with a stream.
func compares(e *record.Exchange) bool {
	return e.Kind == record.Read && e.Stream != "" && e.Status == 200
}

func isChunk(f *wire.Frame) bool { return bytes.Contains(f.Data, []byte(`"chunk"`)) }

// same compares two frames. Invalid frames, and members that a server adds, are left to the judge.
func same(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, y := chunkOf(a), chunkOf(b)
	if x == nil || y == nil {
		return true
	}
	for _, name := range document.UnknownMembers() {
		delete(x, name)
	}
	for name := range x {
		if document.MayAdd(name) {
			delete(x, name)
		}
	}
	rule, _ := document.Differs(x, y)
	return rule == ""
}

// chunkOf returns the members of the chunk of a frame, nil for other frames.
func chunkOf(data []byte) (members map[string]any) {
	if f, _ := frame.Decode(data); f.Type == "chunk" {
		_ = json.Unmarshal(f.Chunk, &members) // a chunk that is no object has none
	}
	return members
}
