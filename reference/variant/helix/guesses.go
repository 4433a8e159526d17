package helix

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// guesses make other choices where the sources leave one to implementers.
func guesses() []Variant {
	return []Variant{
		{Name: "odd-operations-relayed", Freedom: "an operation with an unknown `op`, or without the members that its `op` needs, that a writer sends",
			Summary: "Operations of a patch that have an op and a path are relayed, whatever the op is and whatever else they lack.",
			Apply:   relaysOperations},
		{Name: "state-needs-a-stream", Freedom: "an initial state for an unknown stream",
			Summary: "The initial state of a stream that doesn't exist is refused with 404.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnSetInitial = func(ctx context.Context, stream string, state json.RawMessage) error {
					if _, err := inner.Info(ctx, stream); err != nil {
						return err
					}
					return inner.SetInitial(ctx, stream, state)
				}
			})},
		{Name: "half-patches-kept", Freedom: "the state of a snapshot where a patch doesn't apply",
			Summary: "Of a patch that doesn't apply as a whole, the operations that do apply are in the state.",
			Apply:   on.Log(halves)},
		{Name: "repairs-json-output", Freedom: "an output that is the JSON text of a value that the agent's schema asks for",
			Summary: "An output that is the text of a JSON object becomes that object where the schema asks for one.",
			Wrap:    alter.OnBodies(posts("/control/runs"), repairsOutput)},
		{Name: "interruption-makes-a-checkpoint", Freedom: "whether an interruption makes a checkpoint",
			Summary: "An interruption makes a checkpoint of its own, which run_interrupted names.",
			Apply: on.Written(on.Type("run_interrupted"), on.If(func(c runtime.Chunk) bool { return on.Text(c, "checkpointId") != "" })).
				With(func(c runtime.Chunk) { c["checkpointId"] = on.Text(c, "checkpointId") + checkpointSuffix }),
			Wrap: alter.OnBodies(posts("/control/runs/"), func(body []byte) []byte {
				return bytes.ReplaceAll(body, []byte(checkpointSuffix+`"`), []byte(`"`))
			})},
		{Name: "snapshot-with-hidden-messages", Freedom: "hidden messages in a snapshot",
			Summary: "Messages that interfaces hide are in the snapshot, and say that they are hidden.",
			Wrap: onSnapshot(func(s map[string]any) {
				hidden := map[string]any{"id": "memory-1", "role": "user", "metadata": map[string]any{"hidden": true},
					"parts": []any{map[string]any{"type": "text", "text": "The user lives in Lyon."}}}
				s["messages"] = append([]any{hidden}, list(s["messages"])...)
			})},
		{Name: "message-ids-anew", Freedom: "whether a message has the same id in two snapshots",
			Summary: "The ids of messages are made anew for each snapshot.",
			Wrap: func(next http.Handler) http.Handler {
				var snapshots atomic.Int64
				return onSnapshot(func(s map[string]any) {
					n := snapshots.Add(1)
					eachMessage(s, func(m map[string]any) { m["id"] = fmt.Sprintf("%d-%s", n, m["id"]) })
				})(next)
			}},
		{Name: "finishing-is-a-call", Freedom: "whether finishing is a tool call",
			Summary: "The output of an agent is reported as a call of the tool __finish__ as well.",
			Apply: on.Written(on.Type("output")).To(func(_ *on.Producer, c runtime.Chunk) []runtime.Chunk {
				call := func(kind string, more runtime.Chunk) runtime.Chunk {
					if run, there := c["runId"]; there {
						more["runId"] = run
					}
					more["toolCallId"], more["toolName"] = fmt.Sprintf("finish-%v", c["agentId"]), "__finish__"
					return on.Like(c, kind, more)
				}
				return []runtime.Chunk{call("tool_start", runtime.Chunk{"arguments": json.RawMessage(`{}`)}),
					call("tool_end", runtime.Chunk{"success": true, "result": nil}), c}
			})},
	}
}

// relaysOperations takes patches that the schemas refuse but whose operations have an op and a path.
func relaysOperations(o reference.Options) reference.Options {
	inner := o.Validate
	o.Validate = func(chunk []byte) error {
		err := inner(chunk)
		var patch struct {
			Type    string `json:"type"`
			Patches []struct {
				Op   *string `json:"op"`
				Path *string `json:"path"`
			} `json:"patches"`
		}
		if err == nil || json.Unmarshal(chunk, &patch) != nil || patch.Type != "state_patch" || patch.Patches == nil {
			return err
		}
		for _, operation := range patch.Patches {
			if operation.Op == nil || operation.Path == nil {
				return err
			}
		}
		return nil
	}
	return o
}

// halves splits a patch into patches of one operation.
func halves(_ store.Mark, log *store.Log) {
	var events []store.Event
	for _, e := range log.Events {
		members := alter.Members(e.Chunk.JSON)
		var operations []json.RawMessage
		if members.Text("type") != "state_patch" || json.Unmarshal(members["patches"], &operations) != nil {
			events = append(events, e)
			continue
		}
		for _, operation := range operations {
			members.Set("patches", []json.RawMessage{operation})
			e.Chunk.JSON = alter.Encode(members)
			events = append(events, e)
		}
	}
	log.Events = events
}

// checkpointSuffix ends the id of a checkpoint that an interruption made.
const checkpointSuffix = "-interrupted"

// repairsOutput replaces the output of a script by the object whose text it is.
func repairsOutput(body []byte) []byte {
	run := alter.Members(body)
	var schema struct {
		Type string `json:"type"`
	}
	var script [][]alter.Object
	if json.Unmarshal(run["outputSchema"], &schema) != nil || schema.Type != "object" || json.Unmarshal(run["script"], &script) != nil {
		return body
	}
	for _, step := range script {
		for _, act := range step {
			var text string
			if json.Unmarshal(act["output"], &text) == nil && alter.Members([]byte(text)) != nil {
				act["output"] = json.RawMessage(text)
			}
		}
	}
	run["script"] = alter.Encode(script)
	return alter.Encode(run)
}

// posts matches POST requests whose path has a prefix.
func posts(prefix string) func(*http.Request) bool {
	return func(r *http.Request) bool {
		return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, prefix)
	}
}
