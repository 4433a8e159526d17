package edit

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// Chunk returns a chunk with its members changed; a chunk that the function reports unchanged keeps its bytes.
func Chunk(chunk json.RawMessage, change func(kind string, members alter.Object) bool) json.RawMessage {
	members := alter.Members(chunk)
	if members == nil || !change(members.Text("type"), members) {
		return chunk
	}
	return alter.Encode(members)
}

// OnChunks changes the chunks that are stored. The function gets the type and the members, and reports whether it
// changed them.
func OnChunks(change func(kind string, members alter.Object) bool) on.Apply {
	return on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
		for i := range chunks {
			chunks[i].JSON = Chunk(chunks[i].JSON, change)
		}
		return chunks
	})
}

// ValidateMended makes the validator see a chunk that mend has corrected; the chunk is stored as it came.
func ValidateMended(mend func(kind string, members alter.Object)) on.Apply {
	return func(o reference.Options) reference.Options {
		validate := o.Validate
		o.Validate = func(chunk []byte) error {
			return validate(Chunk(chunk, func(kind string, members alter.Object) bool {
				before := maps.Clone(members)
				mend(kind, members)
				return !maps.EqualFunc(before, members, slices.Equal[json.RawMessage])
			}))
		}
		return o
	}
}

// Fill replaces a member by a valid JSON value if one of the functions matches it; an absent member is nil.
func Fill(name, good string, wrong ...func(value json.RawMessage) bool) func(string, alter.Object) {
	return func(_ string, members alter.Object) {
		for _, is := range wrong {
			if is(members[name]) {
				members[name] = json.RawMessage(good)
			}
		}
	}
}

// AnyMembers returns the names of the members of chunks that may hold any JSON value.
func AnyMembers() []string { return []string{"data", "output", "result", "arguments"} }

// OnValues changes the values of AnyMembers in stored chunks, the innermost first.
func OnValues(change func(any) any) on.Apply {
	return OnChunks(func(_ string, members alter.Object) bool {
		changed := false
		for _, name := range AnyMembers() {
			if raw, there := members[name]; there {
				members[name] = alter.Encode(alter.Walk(ValueOf(raw), change))
				changed = true
			}
		}
		return changed
	})
}

// OnDeltas changes the deltas of stored chunks.
func OnDeltas(change func(string) string) on.Apply {
	return OnChunks(func(_ string, members alter.Object) bool {
		delta := members.Text("delta")
		if after := change(delta); after != delta {
			members["delta"] = alter.Encode(after)
			return true
		}
		return false
	})
}
