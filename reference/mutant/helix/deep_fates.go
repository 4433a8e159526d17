package helix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// deepFates err in how a sub-agent ends.
func deepFates() []Mutant {
	return []Mutant{{
		Name: "helper-that-stops-for-no-known-reason-is-cancelled", Requirement: "helix.errors.stop-reason",
		Summary: "A sub-agent whose model stops for a reason that nobody knows fails as one that was cancelled.",
		Apply: onProduced(func() producing {
			root := any(nil)
			return func(_ runtime.Writer, c runtime.Chunk) []runtime.Chunk {
				if root == nil {
					root = c["agentId"]
				}
				if said, _ := c["error"].(string); c.Type() == "error" && c["agentId"] != root && strings.Contains(said, "unknown reason") {
					c["code"] = "framework_cancelled"
				}
				return only(c)
			}
		}),
	}, {
		Name: "second-helper-out-of-time-speaks-on", Requirement: "helix.subagents.within",
		Summary: "From the second sub-agent of a stream on whose time runs out, the last word comes behind its end.",
		Apply: onProduced(func() producing {
			late := 0
			return func(_ runtime.Writer, c runtime.Chunk) []runtime.Chunk {
				if why, _ := c["error"].(string); c.Type() == "subagent_end" && strings.Contains(why, "took longer") {
					if late++; late > 1 {
						return only(c, like(c, "text_delta", runtime.Chunk{"agentId": c["subSessionId"], "delta": " late"}))
					}
				}
				return only(c)
			}
		}),
	}, {
		Name: "large-output-of-a-helper-is-lost", Requirement: "helix.subagents.result",
		Summary: "An output of a sub-agent of more than 4 KiB is kept outside of the stream, and its result is null.",
		Apply: onProducedKind("subagent_end", func(c runtime.Chunk) {
			if len(rawMember(c, "result")) > 4<<10 {
				c["result"] = json.RawMessage("null")
			}
		}),
	}}
}

// deepSteered err when calls that steer a run come upon one another, or when it goes on for long.
func deepSteered() []Mutant {
	return []Mutant{{
		Name: "interruption-names-what-a-rollback-took", Requirement: "helix.runs.interrupt-checkpoint",
		Summary: "An interruption after a rollback names the checkpoint that was saved last, which is gone.",
		Apply: onProduced(func() producing {
			saved := any(nil)
			return func(_ runtime.Writer, c runtime.Chunk) []runtime.Chunk {
				switch c.Type() {
				case "checkpoint_created":
					saved = c["checkpointId"]
				case "run_interrupted":
					if saved != nil {
						c["checkpointId"] = saved
					}
				}
				return only(c)
			}
		}),
	}, {
		Name: "commit-of-a-late-step-is-lost", Requirement: "helix.checkpoints.committed",
		Summary: "A session announces the commits of its first forty steps.",
		Apply:   droppedNth("step_committed", 41),
	}, {
		Name: "loosely-equal-values-are-skipped", Requirement: "helix.state.sum",
		Summary: "A value that is replaced by one that prints alike stays what it was.",
		Apply: onProducedKind("state_patch", func(c runtime.Chunk) {
			var kept []runtime.Operation
			for _, o := range c["patches"].([]runtime.Operation) {
				if n := len(kept); n > 0 && o.Op == "replace" && kept[n-1].Path == o.Path && printed(o.Value) == printed(kept[n-1].Value) {
					continue
				}
				kept = append(kept, o)
			}
			c["patches"] = kept
		}),
	}}
}

// printed is a JSON value as a loose comparison sees it.
func printed(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil || v == nil {
		return "null"
	}
	return strings.ToLower(strings.TrimSpace(fmt.Sprint(v)))
}

// deepRefused take what they should refuse, or answer where nothing is left.
func deepRefused() []Mutant {
	return []Mutant{{
		Name: "recoverable-as-a-text", Requirement: "helix.chunks.invalid-refused", Also: []string{"helix.chunks.all-or-nothing"},
		Summary: "An error chunk is taken whose recoverable is a text.",
		Apply:   blind(fill("recoverable", "true", text)),
	}, {
		Name: "unknown-type-is-not-looked-at", Requirement: "helix.chunks.agent-id", Also: []string{"helix.chunks.agent-type", "helix.chunks.timestamp"},
		Summary: "A chunk of a type that the server doesn't know is relayed as it is, also without an agent.",
		Apply: func(o reference.Options) reference.Options {
			validate := o.Validate
			o.Validate = func(chunk []byte) error {
				if textOf(alter.Members(chunk), "type") == "hologram" {
					return nil
				}
				return validate(chunk)
			}
			return o
		},
	}, {
		Name: "failed-stream-tells-its-end-again", Requirement: "helix.resume.no-content",
		Summary: "Whoever comes back with the id of a fail frame in the query gets the frame again.",
		Apply: seams.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader, attach seams.Attachment) (store.Subscription, error) {
			sub, err := attach(ctx, s, r)
			if info, _ := s.Info(ctx, r.Stream); errors.Is(err, store.ErrComplete) && info.Status == store.Failed && r.Request.Header.Get("Last-Event-ID") == "" {
				r.Cursor.After = info.Terminal - 1
				return attach(ctx, s, r)
			}
			return sub, err
		}),
	}}
}
