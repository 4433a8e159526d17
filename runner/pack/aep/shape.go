package aep

import (
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
)

// shape: the data of a frame is an event that names itself.
func shape() *pack.Shape {
	return &pack.Shape{
		Send: func(schema string, _ any, data []byte) ([]byte, record.End) {
			return []byte("event: " + strings.TrimPrefix(schema, "frames/") + "\ndata: " + string(data) + "\n\n"), record.ClientClose
		},
		NewKind: func(pointer []string) bool {
			return len(pointer) == 3 && pointer[0] == "content" && pointer[2] == "type"
		},
		Freedoms: map[string]string{pack.NewKind: "aep.versions.reader-events", pack.NewMember: "aep.versions.reader-members"},
	}
}
