package helix

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/reference/store"
)

// Deep returns the mutants that no single scenario is made for: they err on the 256th chunk, at the second reset, with the
// fourth reader, for some texts, or where two things come together. Campaigns are measured by how many of them they find.
func Deep() []Mutant {
	all := slices.Concat(
		campaignOnlyVolume(), campaignOnlyMoreVolume(), campaignOnlySizes(), campaignOnlyBig(), campaignOnlyBytes(), campaignOnlySlow(), campaignOnlyLeaves(), repetitions(), repetitionsMore(),
		afterReset(), afterResetMore(), afterResetFurther(), campaignOnlyReaders(), campaignOnlyTransports(),
		campaignOnlyTexts(), campaignOnlyMoreTexts(), campaignOnlyValues(), campaignOnlyMoreValues(), campaignOnlyPauses(), campaignOnlyMorePauses(), campaignOnlyCursors(), campaignOnlyMoreCursors(), campaignOnlyNames(), campaignOnlyMoreNames(), campaignOnlySnapshots(),
		campaignOnlyRunData(), campaignOnlyRunValues(), campaignOnlyRunAgain(), campaignOnlyRunTogether(), campaignOnlyRunStates(), campaignOnlyAnswers(),
		campaignOnlyRaces(), campaignOnlyMoreRaces(), campaignOnlyEndsInRaces(), campaignOnlyReadersInRaces(), campaignOnlyOddCursors(), campaignOnlyDeletions(), campaignOnlySuccessors(), campaignOnlyOddNames(),
		campaignOnlyWriters(), campaignOnlyStored(), campaignOnlyNotices(), campaignOnlyEnds(), campaignOnlyGaps(), campaignOnlyMembers(),
		campaignOnlyEquals(), campaignOnlyKinds(), campaignOnlyCombined(), campaignOnlyRemoved(), campaignOnlyNoticed(), campaignOnlyLong(), manyReaders(), campaignOnlyKeepers(),
		campaignOnlyCounted(), campaignOnlyAgentNames(), campaignOnlyShapes(), campaignOnlyKept(), campaignOnlyAsked(), campaignOnlyAddedUp(), campaignOnlyToldWrong(),
		campaignOnlyCheckpoints(), campaignOnlyRuns(), campaignOnlyCalls(), campaignOnlyReports(), campaignOnlyDecisions(), campaignOnlyChildren(), campaignOnlyMemories(), campaignOnlyWords(), campaignOnlyErrors(),
		subAgentFailures(), campaignOnlySteered(), campaignOnlyReasons(), campaignOnlyStarts(), campaignOnlyTimers(), campaignOnlyBeats(), campaignOnlyOutcomes(), campaignOnlyRefused(), fieldLimits(), campaignOnlyTables(), campaignOnlyExtents(), campaignOnlyCredentials(),
		campaignOnlyAges(), campaignOnlyPausesKilled(), campaignOnlyRemovalsKilled(), campaignOnlyRacesKilled(), campaignOnlyWritersKilled(), campaignOnlyRunsKilled(),
		campaignOnlyAppends(), campaignOnlyGiven(), campaignOnlyAtOnce(), jsonEscapes(), campaignOnlyMistaken(), campaignOnlyStrangers(), campaignOnlyTogether(),
		campaignOnlyStreamNames(), campaignOnlyCursorForms(), campaignOnlyJSON(), campaignOnlyCommon(), campaignOnlyNextLives(), campaignOnlyFormerEnds(), campaignOnlyArguments(), campaignOnlyResults(), campaignOnlyOutputs(), campaignOnlyLimited(), campaignOnlySums(),
		campaignOnlyAmounts(), campaignOnlyAmountsOfRuns(), campaignOnlyLeftovers(), campaignOnlyNothings(), patchMoves(), insideSubAgents(), campaignOnlyBranches(),
		campaignOnlyDeadlines(), emptyAgents(), campaignOnlyGates(), rollbacks(), campaignOnlyLengthy(), campaignOnlyElsewhere(), campaignOnlyPages(), campaignOnlyClients(),
	)
	slices.SortFunc(all, mutant.Compare)
	for i := range all {
		all[i].Aside = slices.Contains(putAside, all[i].Name)
	}
	return all
}

// onEvents changes the events that a reader of some kind gets.
func onEvents(change func(v on.Visit, e store.Event) []store.Event) apply {
	return on.Events().Map(func(v on.Visit) func(store.Event) []store.Event {
		return func(e store.Event) []store.Event { return change(v, e) }
	})
}

// loses leaves out what some readers should get.
func loses(hit func(v on.Visit, e store.Event) bool) apply {
	return onEvents(func(v on.Visit, e store.Event) []store.Event {
		if hit(v, e) {
			return nil
		}
		return []store.Event{e}
	})
}

// rewrites changes the chunks that some readers get.
func rewrites(hit func(v on.Visit, e store.Event) bool, change func(any) any) apply {
	return onEvents(func(v on.Visit, e store.Event) []store.Event {
		if e.Kind == store.ChunkWritten && hit(v, e) {
			e.Chunk.JSON = everyValue(e.Chunk.JSON, change)
		}
		return []store.Event{e}
	})
}

// replayed holds for chunks that were there when the reader came.
func replayed(v on.Visit, e store.Event) bool { return v.Stored(e) }

// onResume holds for chunks that are replayed to a reader that came with a cursor.
func onResume(v on.Visit, e store.Event) bool { return v.Stored(e) && v.Cursor.After > 0 }

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
		for name, member := range v {
			if name != "type" && name != "runId" && name != "agentId" && name != "agentType" {
				v[name] = inside(member, change)
			}
		}
	case []any:
		for i := range v {
			v[i] = inside(v[i], change)
		}
	}
	return change(v)
}

// onText changes strings alone.
func onText(change func(string) any) func(any) any {
	return func(v any) any {
		if s, ok := v.(string); ok {
			return change(s)
		}
		return v
	}
}

// swaps replaces a part of every string.
func swaps(old, new string) func(any) any {
	return onText(func(s string) any { return strings.ReplaceAll(s, old, new) })
}

// told holds for a notice of a kind.
func told(e store.Event, k store.Kind) bool { return e.Kind == k }
