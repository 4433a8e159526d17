package helix

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
)

// shape: frames carry the chunks of writers.
func shape() *pack.Shape {
	return &pack.Shape{
		Send: func(schema string, original any, data []byte) ([]byte, record.End) {
			id := "id: 1\n"
			end := record.ServerClose
			switch kind := strings.TrimPrefix(schema, "frames/"); kind {
			case "end", "fail":
			case "status", "truncated":
				id, end = "", record.ClientClose
			case "chunk":
				object, _ := original.(map[string]any)
				id, end = fmt.Sprintf("id: %v\n", object["sequence"]), record.ClientClose
			default:
				data = []byte(`{"type":"chunk","chunk":` + string(data) + `,"sequence":1}`)
				end = record.ClientClose
			}
			return []byte(id + "data: " + string(data) + "\n\n"), end
		},
		NewKind: func(pointer []string) bool { return len(pointer) <= 2 && pointer[len(pointer)-1] == "type" },
		Freedoms: map[string]string{
			pack.AnyValue: "helix.chunks.any-value", pack.NewKind: "helix.wire.reader-unknown-frame", pack.NewMember: "helix.chunks.reader-unknown-members",
			pack.Gap: "helix.resume.gapless", pack.TerminalNumber: "helix.wire.terminal-id", pack.StatusMoment: "helix.status.attach-paused",
			pack.ErrorType: "helix.http.error-body", pack.TypeSpelling: "helix.wire.content-type", pack.Comment: "helix.wire.reader-comments",
		},
		Relayed: true, Role: role,
	}
}
