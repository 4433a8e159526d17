package helix_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// TestOperations: the effect of an alteration on two patches of the root and one of a child, with a checkpoint after the
// first, a rollback to it before the last, and the states that it gets.
func TestOperations(t *testing.T) {
	operation := func(op, path, value string) runtime.Operation {
		return runtime.Operation{Op: op, Path: path, Value: json.RawMessage(value)}
	}
	var states []string
	for _, c := range []struct {
		name string
		do   on.Apply
		want string
	}{
		{"nothing", on.Operations().Edit(func(o *on.Operation) { states = append(states, string(alter.Encode(o.Before))) }),
			"add /l [],add /l/- 1 | add /l 7 | replace /l 2 | remove /l "},
		{"drop", on.Operations(on.Op("add")).Drop(), "replace /l 2 | remove /l "},
		{"appends", on.Operations(on.Appends()).Repeat(), "add /l [],add /l/- 1,add /l/- 1 | add /l 7 | replace /l 2 | remove /l "},
		{"known", on.Operations(on.Known()).Edit(func(o *on.Operation) { o.Op = "copy"; o.From = "/m" }),
			"add /l [],add /l/- 1 | add /l 7 | copy /m /l  | copy /m /l "},
	} {
		kept := &journal{}
		o := reference.Defaults(reference.Options{Store: ended()})
		o.Runtime = func(p runtime.Ports) runtime.Ports { p.Journal = kept; return p }
		j := c.do(o).Runtime(runtime.Ports{}).Journal
		for _, chunk := range []runtime.Chunk{
			{"agentId": "root", "type": "state_patch", "patches": []runtime.Operation{operation("add", "/l", "[]"), operation("add", "/l/-", "1")}},
			{"agentId": "root", "type": "checkpoint_created", "checkpointId": "c"},
			{"agentId": "child", "type": "state_patch", "patches": []runtime.Operation{operation("add", "/l", "7")}},
			{"agentId": "root", "type": "state_patch", "patches": []runtime.Operation{operation("replace", "/l", "2")}},
			{"agentId": "root", "type": "stream_resync", "checkpointId": "c"},
			{"agentId": "root", "type": "state_patch", "patches": []runtime.Operation{operation("remove", "/l", "")}},
		} {
			if _, err := j.Append(context.Background(), runtime.Writer{Stream: "s", Session: "root"}, []runtime.Chunk{chunk}); err != nil {
				t.Fatal(err)
			}
		}
		var patches []string
		for _, chunk := range kept.chunks {
			var all []struct {
				Op, From, Path string
				Value          json.RawMessage
			}
			if chunk.Type() != "state_patch" || json.Unmarshal(alter.Encode(chunk["patches"]), &all) != nil {
				continue
			}
			var operations []string
			for _, o := range all {
				operations = append(operations, strings.Join(strings.Fields(o.Op+" "+o.From+" "+o.Path), " ")+" "+string(o.Value))
			}
			patches = append(patches, strings.Join(operations, ","))
		}
		if got := strings.Join(patches, " | "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := strings.Join(states, " "); got != `{} {"/l":[]} {} {"/l":[1]} {"/l":[1]}` {
		t.Errorf("states: %s", got)
	}
}
