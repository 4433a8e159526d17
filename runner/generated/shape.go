package generated

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
)

// Shape is what differs from pack to pack in how its documents are sent and what
// may be new in them.
type Shape struct {
	// Send makes a response of one document that the server produced, and says how
	// it ends. original is the document before its change.
	Send func(schema string, original any, data []byte) (body []byte, end judge.End)
	// NewKind says of a place whether it holds a kind, so that one that nobody
	// knows is legal there.
	NewKind func(pointer []string) bool
	// Freedoms are the requirements that leave a change free, by the name of the
	// rule.
	Freedoms map[string]string
	// Relayed says that goldens show what a writer wrote, so that a change of them
	// can be seen. A response that a server made up is its own affair.
	Relayed bool
}

// ChunksInFrames is the shape of a pack whose frames carry chunks of writers.
func ChunksInFrames() *Shape {
	return &Shape{
		Send: func(schema string, original any, data []byte) ([]byte, judge.End) {
			id := "id: 1\n"
			end := judge.EOF
			switch kind := strings.TrimPrefix(schema, "frames/"); kind {
			case "end", "fail":
			case "status", "truncated":
				id, end = "", judge.Cut
			case "chunk":
				object, _ := original.(map[string]any)
				id, end = fmt.Sprintf("id: %v\n", object["sequence"]), judge.Cut
			default:
				data = []byte(`{"type":"chunk","chunk":` + string(data) + `,"sequence":1}`)
				end = judge.Cut
			}
			return []byte(id + "data: " + string(data) + "\n\n"), end
		},
		NewKind: func(pointer []string) bool { return len(pointer) <= 2 && pointer[len(pointer)-1] == "type" },
		Freedoms: map[string]string{
			anyValue: "helix.chunks.any-value", newKind: "helix.wire.reader-unknown-frame", newMember: "helix.chunks.reader-unknown-members",
		},
		Relayed: true,
	}
}

// EventsAlone is the shape of a pack whose data is an event that names itself.
func EventsAlone() *Shape {
	return &Shape{
		Send: func(schema string, _ any, data []byte) ([]byte, judge.End) {
			return []byte("event: " + strings.TrimPrefix(schema, "frames/") + "\ndata: " + string(data) + "\n\n"), judge.Cut
		},
		NewKind: func(pointer []string) bool {
			return len(pointer) == 3 && pointer[0] == "content" && pointer[2] == "type"
		},
		Freedoms: map[string]string{newKind: "aep.versions.reader-events", newMember: "aep.versions.reader-members"},
	}
}

// The names of rules about documents.
const (
	anyValue  = "any value"
	newKind   = "type from the future"
	newMember = "unknown member"
)
