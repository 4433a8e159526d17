package helixui

import (
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// latest returns the type of the last stored part.
func latest(kept []helixui.Event) string {
	if len(kept) == 0 {
		return ""
	}
	return kept[len(kept)-1].Part.Type()
}

// betweenSteps reports whether the last stored part is the outcome of a call.
func betweenSteps(kept []helixui.Event) bool {
	kind := latest(kept)
	return kind == "finish-step" || kind == "tool-output-available" || kind == "tool-output-error"
}

// openCall is the index at which the call begins whose input is being written, -1 for none.
func openCall(kept []helixui.Event) int {
	for i := len(kept) - 1; i >= 0; i-- {
		switch kept[i].Part.Type() {
		case "tool-input-available", "tool-input-error":
			return -1
		case "tool-input-start":
			return i
		}
	}
	return -1
}

// openReasoning returns the index of the first piece of the open reasoning, -1 for none.
func openReasoning(kept []helixui.Event) int {
	for i := len(kept) - 1; i >= 0; i-- {
		switch kept[i].Part.Type() {
		case "reasoning-end":
			return -1
		case "reasoning-start":
			return i + 1
		}
	}
	return -1
}

// inInput reports whether the input of a call is being written.
func inInput(kept []helixui.Event) bool { return openCall(kept) >= 0 }

// atMoments go wrong only for who comes back at some moments of a turn.
func atMoments() []Mutant {
	refreshed := func(when func([]helixui.Event) bool, first func([]helixui.Event) int) on.Apply {
		return from(func(kept []helixui.Event, _ int, hasCursor bool, usual int) int {
			if !hasCursor && when(kept) {
				return first(kept)
			}
			return usual
		})
	}
	length := func(kept []helixui.Event) int { return len(kept) }
	begun := []string{"helix-ui.flow.start", "helix-ui.steps.opened"}
	return []Mutant{
		{Name: "refreshed-between-steps", Requirement: "helix-ui.replay.once", Stateful: true,
			Summary: "Steps that are committed count as stored: a page that is refreshed before the next begins gets only that.",
			Also:    begun, Apply: refreshed(betweenSteps, length)},
		{Name: "refreshed-in-an-input", Requirement: "helix-ui.replay.once", Stateful: true,
			Summary: "While the input of a call is written, a replay begins with the call.",
			Also:    begun, Apply: refreshed(inInput, openCall)},
		{Name: "forgets-the-end-of-a-step", Requirement: "helix-ui.resume.after", Stateful: true,
			Summary: "Whoever comes back with what came of a call, before the next step begins, isn't told that the step is over.",
			Apply: from(func(kept []helixui.Event, _ int, hasCursor bool, first int) int {
				if hasCursor && first > 0 && betweenSteps(kept) && betweenSteps(kept[:first]) && first >= len(kept)-1 {
					return len(kept) + 1
				}
				return first
			})},
		{Name: "replays-the-open-thought-twice", Requirement: "helix-ui.replay.once", Stateful: true,
			Summary: "The history tells a thought that is open, and a replay says it again.",
			Apply: retelling(func(parts []helixui.Part) []helixui.Part {
				if k := len(parts); k > 0 && parts[k-1].Type() == "reasoning" && parts[k-1]["state"] == "streaming" {
					return parts[k-1:]
				}
				return nil
			})},
		{Name: "begins-thoughts-anew", Requirement: "helix-ui.resume.after", Stateful: true,
			Summary: "Whoever comes back while the model thinks gets the thought from its first piece.",
			Apply: from(func(kept []helixui.Event, _ int, hasCursor bool, first int) int {
				if open := openReasoning(kept); hasCursor && open >= 0 && first > open {
					return open
				}
				return first
			})},
		{Name: "begins-inputs-anew", Requirement: "helix-ui.resume.after", Stateful: true,
			Summary: "Whoever comes back while the input of a call is written gets that from its first piece.",
			Apply: from(func(kept []helixui.Event, _ int, hasCursor bool, first int) int {
				if hasCursor && inInput(kept) && inInput(kept[:first]) {
					return openCall(kept)
				}
				return first
			})},
	}
}

// retelling changes the open answer in the history to the parts that leaves keeps, and removes it if leaves keeps none.
func retelling(leaves func([]helixui.Part) []helixui.Part) on.Apply {
	return func(o helixui.Options) helixui.Options {
		o.OpenInHistory = true
		inner := o.History
		o.History = func(all []helixui.Message) []helixui.Message {
			all = inner(all)
			n := len(all)
			if n == 0 || !strings.HasSuffix(all[n-1].ID, "-partial") {
				return all
			}
			open := all[n-1]
			if open.Parts = leaves(open.Parts); len(open.Parts) == 0 {
				return all[:n-1]
			}
			return append(all[:n-1:n-1], open)
		}
		return o
	}
}
