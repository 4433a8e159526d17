package stream

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// chunks lists the mutants of chunks.
func chunks() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that accept chunks without a required member.
		{Name: "accepts-untyped-chunk", Requirement: "helix.chunks.object",
			Summary: "The type is checked only if it is truthy, so that a chunk with an empty type or none passes.",
			Apply:   edit.ValidateMended(edit.Fill("type", `"future_kind"`, absent, empty))},
		{Name: "relays-missing-agent-id", Requirement: "helix.chunks.agent-id",
			Summary: "agentId is checked only where it is there.",
			Apply:   edit.ValidateMended(edit.Fill("agentId", `"agent-1"`, absent))},
		{Name: "relays-missing-agent-type", Requirement: "helix.chunks.agent-type",
			Summary: "agentType is checked for its JSON type, but an empty one passes.",
			Apply:   edit.ValidateMended(edit.Fill("agentType", `"assistant"`, empty))},
		{Name: "relays-missing-timestamp", Requirement: "helix.chunks.timestamp",
			Summary: "A chunk without a timestamp is relayed without one.",
			Apply:   edit.ValidateMended(edit.Fill("timestamp", `0`, absent))},
		{Name: "relays-timestamp-as-text", Requirement: "helix.chunks.timestamp",
			Summary: "A date as text counts as a timestamp.",
			Apply:   edit.ValidateMended(edit.Fill("timestamp", `0`, text))},
		{Name: "relays-negative-step", Requirement: "helix.chunks.step",
			Summary: "Any integer counts as a step, also one below zero.",
			Apply:   edit.ValidateMended(edit.Fill("step", `0`, negative))},
		{Name: "relays-missing-step", Requirement: "helix.chunks.step-required",
			Summary: "subagent_end was forgotten among the types that need a step.",
			Apply: edit.ValidateMended(func(kind string, members alter.Object) {
				if kind == "subagent_end" {
					edit.Fill("step", `0`, absent)(kind, members)
				}
			})},
		{Name: "relays-huge-step", Requirement: "helix.chunks.integers",
			Summary: "A step may be any 64-bit integer, also one that a double can't hold.",
			Apply:   edit.ValidateMended(edit.Fill("step", `0`, huge))},

		// These get the refusal of an invalid chunk wrong.
		{Name: "accepts-invalid-chunk", Requirement: "helix.chunks.invalid-refused",
			Summary: "Invalid chunks of the types that came later are answered 201 and then dropped on the way to the store.",
			Apply:   dropsInvalid},
		{Name: "relays-invalid-chunk", Requirement: "helix.chunks.members",
			Summary: "The types that applications fill, custom, output and state_patch, are relayed without a look at their " +
				"members.",
			Also: []string{"helix.chunks.invalid-refused"},
			Apply: edit.ValidateMended(func(kind string, members alter.Object) {
				if kind == "custom" || kind == "output" || kind == "state_patch" {
					members["type"] = json.RawMessage(`"application_` + kind + `"`)
				}
			})},
		{Name: "stores-valid-part", Requirement: "helix.chunks.all-or-nothing",
			Summary: "The chunks of an array are checked and stored one by one, up to the first that is invalid.",
			Apply:   storesOneByOne},

		// Mutants that change chunks, or lose members of them.
		{Name: "drops-run-id", Requirement: "helix.chunks.types",
			Summary: "runId is relayed on the types that require it, and lost on the others.",
			Apply: edit.OnChunks(func(kind string, members alter.Object) bool {
				if _, there := members["runId"]; !there || aboutRuns(kind) {
					return false
				}
				delete(members, "runId")
				return true
			})},
		{Name: "strips-unknown-type", Requirement: "helix.chunks.unknown-type",
			Summary: "A chunk of an unknown type is cut down to the members that all types have.",
			Apply: edit.OnChunks(func(kind string, members alter.Object) bool {
				if slices.Contains(knownTypes(), kind) {
					return false
				}
				keep(members)
				return true
			})},
		{Name: "unknown-members-hide-the-rest", Requirement: "helix.chunks.unknown-members",
			Summary: "A chunk with a member that the server doesn't know counts as one of an unknown type, whose members are kept " +
				"under one.",
			Apply: edit.OnChunks(func(kind string, members alter.Object) bool {
				if _, there := members["lang"]; kind != "text_delta" || !there {
					return false
				}
				payload := alter.Object{}
				for _, name := range []string{"delta", "lang", "meta"} {
					if value, there := members[name]; there {
						payload[name] = value
					}
					delete(members, name)
				}
				members["delta"] = alter.Encode(string(alter.Encode(payload)))
				return true
			})},
		{Name: "merges-deltas", Requirement: "helix.chunks.no-merge",
			Summary: "Short deltas of one agent that come in one array are merged into one chunk.",
			Also:    []string{"helix.ordering.write-order", "helix.status.count"},
			Apply:   on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk { return merged(chunks) })},
	}
}

func absent(v json.RawMessage) bool { return v == nil }

func empty(v json.RawMessage) bool { return string(v) == `""` }

func text(v json.RawMessage) bool { return len(v) > 0 && v[0] == '"' }

func negative(v json.RawMessage) bool {
	var n int64
	return json.Unmarshal(v, &n) == nil && n < 0
}

func huge(v json.RawMessage) bool {
	var n int64
	return json.Unmarshal(v, &n) == nil && n >= 1<<53
}

func dropsInvalid(o reference.Options) reference.Options {
	validate := o.Validate
	o.Validate = func(chunk []byte) error {
		if aboutRuns(alter.Members(chunk).Text("type")) {
			return nil
		}
		return validate(chunk)
	}
	return on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
		return slices.DeleteFunc(chunks, func(c store.Chunk) bool { return validate(c.JSON) != nil })
	})(o)
}

func storesOneByOne(o reference.Options) reference.Options {
	validate := o.Validate
	o.Validate = func([]byte) error { return nil }
	return on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			for i, c := range chunks {
				err := validate(c.JSON)
				if err == nil {
					continue
				}
				if _, failed := inner.Append(ctx, stream, writer, chunks[:i]); failed != nil {
					return nil, failed
				}
				return nil, &helix.Error{Status: 400, Code: "validation_error", Message: err.Error()}
			}
			return inner.Append(ctx, stream, writer, chunks)
		}
	})(o)
}

// merged joins the deltas of an array, if it contains only deltas and the text stays short.
func merged(chunks []store.Chunk) []store.Chunk {
	const short = 64
	var delta strings.Builder
	agents := map[string]bool{}
	for _, c := range chunks {
		members := alter.Members(c.JSON)
		delta.WriteString(members.Text("delta"))
		agents[members.Text("agentId")] = true
		if members.Text("type") != "text_delta" || c.HasStep {
			return chunks
		}
	}
	if len(chunks) < 2 || len(agents) > 1 || delta.Len() > short {
		return chunks
	}
	return []store.Chunk{{JSON: edit.Chunk(chunks[0].JSON, func(_ string, members alter.Object) bool {
		members["delta"] = alter.Encode(delta.String())
		return true
	})}}
}

// keep removes all members but the common ones and those named.
func keep(members alter.Object, names ...string) {
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
		switch name {
		case "type", "agentId", "agentType", "timestamp", "step", "runId":
			return false
		}
		return !slices.Contains(names, name)
	})
}

// aboutRuns reports whether a type is one of runs and checkpoints; most of these require a runId.
func aboutRuns(kind string) bool {
	switch prefix, _, _ := strings.Cut(kind, "_"); prefix {
	case "run", "checkpoint", "executor", "step", "stream":
		return true
	}
	return false
}

func knownTypes() []string {
	return []string{
		"text_delta", "thinking", "tool_start", "tool_end", "subagent_start", "subagent_end", "custom", "state_patch",
		"error", "output", "run_interrupted", "run_resumed", "run_paused", "checkpoint_created", "executor_superseded",
		"step_committed", "step_discarded", "stream_resync",
	}
}
