package helixui

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// historyMutants lists the mutants of history.
func historyMutants() []Mutant {
	without := func(kinds ...string) on.Apply {
		return onHistory(func(all []helixui.Message) []helixui.Message {
			for i, m := range all {
				all[i].Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(p helixui.Part) bool {
					return slices.ContainsFunc(kinds, func(kind string) bool { return strings.HasPrefix(p.Type(), kind) })
				})
			}
			return all
		})
	}

	return []Mutant{
		// Mutants whose history of the calls is wrong.
		{Name: "history-without-outcomes", Requirement: "helix-ui.history.calls",
			Summary: "A call is stored when it begins, and what comes of it isn't.",
			Apply:   onHistoryCalls(silent)},

		// Mutants that leave out parts of an answer other than texts and calls.
		{Name: "history-without-files", Requirement: "helix-ui.history.parts",
			Summary: "Files and sources are sent, and not stored.",
			Apply:   without("file", "source-")},
		{Name: "history-with-first-data", Requirement: "helix-ui.history.parts",
			Summary: "A part of data is stored when it comes first, and what takes its place isn't.",
			Apply:   alter.WithState(firstData)},
	}
}

// changedHistoryCalls get it wrong where there are several, where an output is large, or later.
func changedHistoryCalls() []Mutant {
	return []Mutant{
		{Name: "outputs-of-16-kib", Requirement: "helix-ui.history.calls",
			Summary: "The column for what a call gave ends at 16 KiB.",
			Apply: onHistoryCalls(func(t historyCall) helixui.Part {
				if text, err := json.Marshal(t.Part["output"]); err == nil && len(text) > 16<<10 {
					t.Part["output"] = string(text[:16<<10])
				}
				return t.Part
			})},
		{Name: "empty-outputs-are-none", Requirement: "helix-ui.history.calls",
			Summary: "An output that is null, false, nothing or empty counts as one that isn't there yet.",
			Apply: onHistoryCalls(func(t historyCall) helixui.Part {
				if text, err := json.Marshal(t.Part["output"]); t.Part["state"] == "output-available" && err == nil && strings.Contains(`null false 0 "" `, string(text)+" ") {
					return silent(t)
				}
				return t.Part
			})},
	}
}

// historyCall is a call of a message of the history, and its position.
type historyCall struct {
	helixui.Part
	nth  int                     // of its message, from 0
	back int                     // number of messages after that of the call
	last map[string]helixui.Part // the last call of the message of each type
}

// onHistoryCalls changes the calls in the history. nil leaves one out.
func onHistoryCalls(change func(historyCall) helixui.Part) on.Apply {
	return onHistory(func(all []helixui.Message) []helixui.Message {
		for i, m := range all {
			calls, last := 0, map[string]helixui.Part{}
			for _, p := range m.Parts {
				last[p.Type()] = p
			}
			all[i].Parts = []helixui.Part{}
			for _, p := range m.Parts {
				if strings.HasPrefix(p.Type(), "tool-") {
					calls++
					p = change(historyCall{Part: maps.Clone(p), nth: calls - 1, back: len(all) - 1 - i, last: last})
				}
				if p != nil {
					all[i].Parts = append(all[i].Parts, p)
				}
			}
		}
		return all
	})
}

// silent is a call that nothing came of yet.
func silent(t historyCall) helixui.Part {
	delete(t.Part, "output")
	delete(t.Part, "errorText")
	t.Part["state"] = "input-available"
	return t.Part
}

// firstData shows in the history, for a data part with an id, the first data of that id.
func firstData(first *alter.PerKey[any]) on.Apply {
	key := func(message string, p helixui.Part) string { return fmt.Sprint(message, " ", p.Type(), " ", p["id"]) }
	datum := func(p helixui.Part) bool { return strings.HasPrefix(p.Type(), "data-") && p["id"] != nil }
	return alter.All(
		on.Parts().EditIn(func(t helixui.Turn, p *helixui.Part) {
			if name := key(t.MessageID, *p); datum(*p) && first.Get(name) == nil {
				first.Set(name, (*p)["data"])
			}
		}),
		onHistory(func(all []helixui.Message) []helixui.Message {
			for i, m := range all {
				all[i].Parts = slices.Clone(m.Parts)
				for k, p := range m.Parts {
					if datum(p) {
						all[i].Parts[k] = maps.Clone(p)
						all[i].Parts[k]["data"] = first.Get(key(m.ID, p))
					}
				}
			}
			return all
		}))
}
