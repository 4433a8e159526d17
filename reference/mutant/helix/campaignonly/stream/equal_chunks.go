package stream

import (
	"bytes"
	"context"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// equals take a chunk for another one that is like it.
func equals() []edit.Mutant {
	return []edit.Mutant{
		{Name: "equal-deltas-are-one", Requirement: "helix.chunks.no-merge",
			Summary: "Of two deltas of one agent in a row that are equal, a replay of more than twenty chunks holds one.",
			Apply: on.Events(func(v on.Attached) func(store.Event) bool {
				last := ""
				return func(e store.Event) bool {
					m := alter.Members(e.Chunk.JSON)
					this := m.Text("type") + "/" + m.Text("agentId") + "/" + string(m["delta"])
					equal := v.ChunkCount > 20 && v.Stored(e) && this == last && m["delta"] != nil
					last = this
					return equal
				}
			}).Drop()},
		{Name: "empty-deltas-of-long-streams", Requirement: "helix.chunks.no-merge",
			Summary: "A stream that holds fifty chunks passes no more on that says nothing.",
			Apply: on.Events(on.IfEvent(func(e store.Event) bool {
				return e.Sequence > 50 && e.Kind == store.ChunkWritten && string(alter.Members(e.Chunk.JSON)["delta"]) == `""`
			})).Drop()},
		{Name: "equal-from-another-writer", Requirement: "helix.chunks.no-merge", Also: []string{"helix.snapshot.exact", "helix.status.count"},
			Summary: "What a writer says that another one has just said is taken for a call that was made again, and gets the answer to that.",
			Apply:   on.OnStore(answeredBefore)},
	}
}

// answeredBefore answers a write that equals the one before it, of another writer, as that was answered.
func answeredBefore(inner store.Store, s *on.Store) {
	type answer struct {
		writer, emitted string
		sequences       []int64
	}
	var last alter.PerKey[answer]
	s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
		emitted := ""
		for _, c := range chunks {
			emitted += string(c.JSON) + "\n"
		}
		if before := last.Get(stream); before.emitted == emitted && before.writer != writer && len(chunks) == len(before.sequences) {
			return before.sequences, nil
		}
		sequences, err := inner.Append(ctx, stream, writer, chunks)
		if err == nil {
			last.Set(stream, answer{writer, emitted, sequences})
		}
		return sequences, err
	}
}

// agentNames mix up the names of agents.
func agentNames() []edit.Mutant {
	return []edit.Mutant{
		{Name: "agents-without-case", Requirement: "helix.chunks.strings-exact",
			Summary: "The table of agents is keyed without regard to case: who resumes gets the id that came first.",
			Apply: on.Events().Map(func(v on.Attached) func(store.Event) []store.Event {
				known := map[string]string{}
				return func(e store.Event) []store.Event {
					if v.Stored(e) {
						e.Chunk.JSON = edit.Chunk(e.Chunk.JSON, func(_ string, m alter.Object) bool {
							id := m.Text("agentId")
							key := string(bytes.ToLower([]byte(id)))
							if known[key] == "" {
								known[key] = id
							}
							m["agentId"] = alter.Encode(known[key])
							return known[key] != id
						})
					}
					return []store.Event{e}
				}
			})},
		{Name: "agent-ids-of-eight", Requirement: "helix.chunks.strings-exact",
			Summary: "With compression, the id of an agent has eight characters.",
			Apply: altered(func(v on.Attached, _ store.Event) bool { return zipped(v) }, func(_ string, m alter.Object) bool {
				id := m.Text("agentId")
				if len(id) <= 8 {
					return false
				}
				m["agentId"] = alter.Encode(id[:8])
				return true
			})},
		{Name: "types-of-agents", Requirement: "helix.chunks.types",
			Summary: "The type of an agent is looked up at its first chunk, and kept on a connection.",
			Apply: on.Events().Map(func(on.Attached) func(store.Event) []store.Event {
				known := map[string]string{}
				return func(e store.Event) []store.Event {
					if e.Kind == store.ChunkWritten {
						e.Chunk.JSON = edit.Chunk(e.Chunk.JSON, func(_ string, m alter.Object) bool {
							id, of := m.Text("agentId"), m.Text("agentType")
							if known[id] == "" {
								known[id] = of
							}
							m["agentType"] = alter.Encode(known[id])
							return known[id] != of
						})
					}
					return []store.Event{e}
				}
			})},
	}
}

// zipped reports whether a reader accepts compression.
func zipped(v on.Attached) bool { return v.Request.Header.Get("Accept-Encoding") == "gzip" }

// altered changes the members of the chunks that some readers get.
func altered(hit func(v on.Attached, e store.Event) bool, change func(kind string, m alter.Object) bool) on.Apply {
	return edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
		if e.Kind == store.ChunkWritten && hit(v, e) {
			e.Chunk.JSON = edit.Chunk(e.Chunk.JSON, change)
		}
		return []store.Event{e}
	})
}
