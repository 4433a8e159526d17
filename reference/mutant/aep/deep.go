package aep

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Deep returns the mutants that no single scenario is made for: they err on the 256th piece, with the third action, after
// the second cut, for some texts, or where two things come together. Campaigns are measured by how many of them they find.
func Deep() []Mutant {
	all := slices.Concat(deepCounts(), deepNumbers(), deepSizes(), deepTexts(), deepHandedValues(), deepSentValues(), deepAsking(),
		deepResolving(), deepHanding(), deepBeside(), deepFailing(), deepForgetting(), deepBelonging(), deepCancelling(), deepWaiting(),
		deepContents(), deepHandedBlocks(), deepArguments(), deepAfterwards(), deepEnding(),
		deepRepeated(), deepRepeating(), deepAgain(), deepAlike(), deepBare(), deepCalled(), deepCalls(), deepSayings(), deepKeeping(), deepKnown(),
		deepKept(), deepStopping(), deepLeaving(), deepLong(), deepSpelling(), deepConnections(), deepTries(), deepGone())
	slices.SortFunc(all, func(a, b Mutant) int { return mutant.Compare(entry(a), entry(b)) })
	for i := range all {
		all[i].Aside = slices.Contains(putAside, all[i].Name)
	}
	return all
}

// everyValue replaces the values in a JSON text, the innermost first; its members keep their names. What isn't replaced
// stays as it is, numbers too.
func everyValue(text json.RawMessage, change func(any) any) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return text
	}
	return alter.Encode(inside(v, change))
}

func inside(v any, change func(any) any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = inside(v[name], change)
		}
	case []any:
		for i := range v {
			v[i] = inside(v[i], change)
		}
	}
	return change(v)
}

// onPieces changes the pieces of a kind that an agent makes; n counts those of a response, from 1.
func onPieces(kind agent.Kind, change func(piece string, n int) (string, bool)) apply {
	return seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
		n := 0
		return func(d agent.Delta) []agent.Delta {
			if d.Kind != kind {
				return []agent.Delta{d}
			}
			n++
			piece, kept := change(d.Piece, n)
			if d.Piece = piece; !kept {
				return nil
			}
			return []agent.Delta{d}
		}
	})
}

// swaps replaces a part of each piece.
func swaps(kind agent.Kind, old, new string) apply {
	return onPieces(kind, func(piece string, _ int) (string, bool) { return strings.ReplaceAll(piece, old, new), true })
}

// onCallArguments changes the arguments of calls, before they are cut into pieces.
func onCallArguments(change func(json.RawMessage) json.RawMessage) apply {
	return onTurn(func(t *agent.Turn) {
		if t.Script == nil {
			return
		}
		script := *t.Script
		script.Acts = slices.Clone(script.Acts)
		for i := range script.Acts {
			if script.Acts[i].Name == "tool" {
				script.Acts[i].Tool.Arguments = change(script.Acts[i].Tool.Arguments)
			}
		}
		t.Script = &script
	})
}

// onPayload changes what the client is asked with.
func onPayload(change func(json.RawMessage) json.RawMessage) apply {
	return seams.OnEach(func(e *aep.Event) {
		if e.Kind == aep.Continuation {
			e.Payload = change(e.Payload)
		}
	})
}

// onUserText changes what the user says.
func onUserText(change func(string) string) apply {
	return onDecode(func(_ aep.Options, ask *aep.Ask) {
		for _, m := range ask.Messages {
			for i := range m.Blocks {
				m.Blocks[i] = change(m.Blocks[i])
			}
		}
	})
}

// forgetting leaves messages out of the history that the agent is handed. hit is asked for the place of each, of n.
func forgetting(hit func(thread string, i, n int) bool) apply {
	return onThreads(func(inner aep.Threads, s *threadsShim) {
		s.say = func(id string, more []agent.Said) []agent.Said {
			said := inner.Say(id, more)
			kept := slices.Clone(said)[:0]
			for i := range said {
				if !hit(id, i, len(said)) {
					kept = append(kept, said[i])
				}
			}
			return kept
		}
	})
}

// shared is what the requests of a server have in common: threads of which something is remembered.
type shared struct{ locked[map[string]int] }

// note sets a thread's number and returns the one before.
func (s *shared) note(thread string, change func(int) int) (before int) {
	s.do(func(of *map[string]int) {
		if *of == nil {
			*of = map[string]int{}
		}
		before = (*of)[thread]
		(*of)[thread] = change(before)
	})
	return before
}

func (s *shared) of(thread string) int { return s.note(thread, func(n int) int { return n }) }

func plusOne(n int) int { return n + 1 }
