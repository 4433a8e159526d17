package aep

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Deep returns the mutants that no single scenario is made for: they err on the 256th piece, with the third action, after
// the second cut, for some texts, or where two things come together. Campaigns are measured by how many of them they find.
func Deep() []Mutant {
	all := slices.Concat(campaignOnlyCounts(), campaignOnlyNumbers(), campaignOnlySizes(), campaignOnlyTexts(), campaignOnlyHandedValues(), campaignOnlySentValues(), campaignOnlyAsking(),
		campaignOnlyResolving(), campaignOnlyTaking(), campaignOnlyHanding(), campaignOnlyBeside(), campaignOnlyFailing(), campaignOnlyForgetting(), campaignOnlyBelonging(), campaignOnlyCancelling(), campaignOnlyWaiting(),
		campaignOnlyContents(), campaignOnlyHandedBlocks(), campaignOnlyArguments(), campaignOnlyAfterwards(), campaignOnlyEnding(),
		campaignOnlyRepeated(), campaignOnlyRepeating(), campaignOnlyAgain(), campaignOnlyAlike(), campaignOnlyBare(), campaignOnlyCalled(), campaignOnlyCalls(), campaignOnlySayings(), campaignOnlyKeeping(), campaignOnlyKnown(),
		campaignOnlyKept(), campaignOnlyStopping(), campaignOnlyLeaving(), campaignOnlyLong(), campaignOnlySpelling(), campaignOnlyConnections(), campaignOnlyTrust(), campaignOnlyTries(), campaignOnlyExtents(), campaignOnlyManyActions(), campaignOnlyKills(), campaignOnlyParallel(), campaignOnlyTreated(),
		campaignOnlyWrappings(), campaignOnlyEchoes(), campaignOnlyDepartures(),
		campaignOnlyRefusals(), campaignOnlyTakings(), campaignOnlyEarlyFailures(), campaignOnlyWording(), campaignOnlyAmounts(), campaignOnlyEnds(), campaignOnlyPages(), campaignOnlyForms(), campaignOnlyHalves(), campaignOnlyQueues(),
		campaignOnlyReplicas(), campaignOnlyOverdue(), campaignOnlyMistaken(), campaignOnlyBatches(), campaignOnlyBrought(), campaignOnlyWordless(), campaignOnlyLoading(), campaignOnlyBegunBadly())
	slices.SortFunc(all, mutant.Compare)
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

// swaps replaces a part of each piece.
func swaps(kind agent.Kind, old, new string) apply {
	return on.Pieces(kind, func(piece string) string { return strings.ReplaceAll(piece, old, new) })
}

// onCallArguments changes the arguments of calls, before they are cut into pieces.
func onCallArguments(change func(json.RawMessage) json.RawMessage) apply {
	return on.Turns(func(t *agent.Turn) {
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
	return on.Events(on.Kind(aep.Continuation)).Edit(func(e *aep.Event) { e.Payload = change(e.Payload) })
}

// forgetting leaves messages out of the history that the agent is handed. hit is asked for the place of each, of n.
func forgetting(hit func(i, n int) bool) apply {
	return on.History(func(before, _ []agent.Said) (kept []agent.Said) {
		for i := range before {
			if !hit(i, len(before)) {
				kept = append(kept, before[i])
			}
		}
		return kept
	})
}
