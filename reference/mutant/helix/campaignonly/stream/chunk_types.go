package stream

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// without leaves members out of chunks of a kind, or of all for "", where the value is one that a server may take for none.
func without(kind string, name string, values ...string) func(string, alter.Object) bool {
	return func(k string, m alter.Object) bool {
		if kind != "" && kind != k || m[name] == nil {
			return false
		}
		for _, v := range values {
			if string(m[name]) == v {
				delete(m, name)
				return true
			}
		}
		if len(values) == 0 {
			delete(m, name)
			return true
		}
		return false
	}
}

func farReplay(v on.Attached, e store.Event) bool { return v.Stored(e) && v.LatestSequence > 100 }

// kinds err with chunks of some type, for some readers.
func kinds() []edit.Mutant {
	return []edit.Mutant{
		{Name: "no-step-0", Requirement: "helix.chunks.types", Summary: "The archive takes the step 0 for none.",
			Apply: altered(on.Attached.Stored, without("", "step", "0"))},
		{Name: "patches-without-null", Requirement: "helix.chunks.nulls-kept", Summary: "In a long replay, patches lack values that are null.",
			Apply: altered(farReplay, func(kind string, m alter.Object) bool {
				var ops []alter.Object
				if kind != "state_patch" || json.Unmarshal(m["patches"], &ops) != nil {
					return false
				}
				for _, op := range ops {
					without("", "value", "null")("", op)
				}
				m["patches"] = alter.Encode(ops)
				return true
			})},
		{Name: "gzip-results-without-null", Requirement: "helix.chunks.nulls-kept", Summary: "With compression, a result that is null is left out.",
			Apply: altered(func(v on.Attached, _ store.Event) bool { return zipped(v) }, without("tool_end", "result", "null"))},
		{Name: "incomplete-thoughts", Requirement: "helix.chunks.types", Summary: "After a cursor, members that are false are left out of thoughts.",
			Apply: altered(onResume, without("thinking", "isComplete", "false"))},
		{Name: "first-checkpoint", Requirement: "helix.chunks.types", Summary: "A count of 0 isn't sent over HTTP/2.",
			Apply: altered(func(v on.Attached, _ store.Event) bool { return v.Request.ProtoMajor == 2 }, without("", "stepCount", "0"))},
		{Name: "outputs-without-zero", Requirement: "helix.chunks.any-value", Summary: "After a cursor, an output of 0, false or nothing is left out.",
			Apply: altered(onResume, without("output", "output", "0", "false", `""`, "null"))},
		{Name: "late-run-ids", Requirement: "helix.chunks.types", Summary: "In a long replay, no thought has a runId.",
			Apply: altered(farReplay, without("thinking", "runId"))},
	}
}

// combined err where a kind of data meets a kind of reader, or a moment.
func combined() []edit.Mutant {
	return []edit.Mutant{
		{Name: "whole-timestamps", Requirement: "helix.chunks.types", Summary: "Timestamps are kept as whole numbers.",
			Apply: altered(func(on.Attached, store.Event) bool { return true }, func(_ string, m alter.Object) bool {
				before, after, found := strings.Cut(string(m["timestamp"]), ".")
				if !found || strings.ContainsAny(after, "eE") {
					return false
				}
				m["timestamp"] = json.RawMessage(before)
				return true
			})},
		{Name: "sequence-of-its-own", Requirement: "helix.chunks.unknown-members", Summary: "A member called sequence is the server's own: it says there which one the chunk has, and a chunk that has one loses its delta.",
			Apply: altered(func(on.Attached, store.Event) bool { return true }, func(_ string, m alter.Object) bool {
				if m["sequence"] == nil {
					return false
				}
				m["delta"] = json.RawMessage(`""`)
				return true
			})},
		{Name: "trims-in-long-streams", Requirement: "helix.chunks.strings-exact", Summary: "After a cursor beyond 100, deltas have no spaces at their ends.",
			Apply: altered(func(v on.Attached, e store.Event) bool { return v.Cursor.After > 100 }, func(_ string, m alter.Object) bool {
				delta := m.Text("delta")
				if strings.TrimSpace(delta) == delta {
					return false
				}
				m["delta"] = alter.Encode(strings.TrimSpace(delta))
				return true
			})},
		{Name: "astral-after-reset", Requirement: "helix.chunks.strings-exact", Summary: "Beyond 100 chunks, what lies outside of the basic plane is replaced.",
			Apply: altered(func(v on.Attached, e store.Event) bool { return e.Sequence > 100 }, func(_ string, m alter.Object) bool {
				for name, raw := range m {
					if text := m.Text(name); strings.ContainsRune(text, '😀') {
						m[name] = alter.Encode(strings.ReplaceAll(text, "😀", "\ufffd"))
						return true
					}
					_ = raw
				}
				return false
			})},
	}
}

// shapes lists mutants that err with values of many members, many levels or high indexes.
func shapes() []edit.Mutant {
	return []edit.Mutant{
		{Name: "nested-64", Requirement: "helix.chunks.any-value", Summary: "The archive reads values to a depth of 64, counted from the chunk.",
			Apply: altered(on.Attached.Stored, func(_ string, m alter.Object) bool {
				for name, raw := range m {
					if bytes.Contains(raw, bytes.Repeat([]byte("["), 63)) {
						m[name] = json.RawMessage("null")
						return true
					}
				}
				return false
			})},
		{Name: "steps-in-a-byte", Requirement: "helix.chunks.types", Summary: "The archive keeps steps in a byte.",
			Apply: altered(on.Attached.Stored, func(_ string, m alter.Object) bool {
				var step int64
				if json.Unmarshal(m["step"], &step) != nil || step < 256 {
					return false
				}
				m["step"] = alter.Encode(step & 255)
				return true
			})},
		{Name: "tool-calls-by-id", Requirement: "helix.chunks.no-merge", Summary: "A replay holds one beginning and one end of each call.",
			Apply: on.Events(func(v on.Attached) func(store.Event) bool {
				known := map[string]bool{}
				return func(e store.Event) bool {
					m := alter.Members(e.Chunk.JSON)
					key := m.Text("type") + m.Text("toolCallId")
					twice := v.Stored(e) && m["toolCallId"] != nil && known[key]
					known[key] = true
					return twice
				}
			}).Drop()},
	}
}
