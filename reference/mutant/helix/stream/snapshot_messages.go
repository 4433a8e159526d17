package stream

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// snapshotMessages lists the mutants of snapshot messages.
func snapshotMessages() []edit.Mutant {
	without := func(kind string) func(*helix.Message) {
		return func(m *helix.Message) {
			m.Parts = slices.DeleteFunc(m.Parts, func(p helix.Part) bool { return p.Type == kind })
		}
	}
	restated := func(from, to string) func(*helix.Message) {
		return func(m *helix.Message) {
			for i := range m.Parts {
				if m.Parts[i].State == from {
					m.Parts[i].State = to
				}
			}
		}
	}

	return []edit.Mutant{
		// These have the wrong messages.
		{Name: "last-step-left-out", Requirement: "helix.snapshot.messages", Stateful: true,
			Summary: "A step becomes a message when the next one is complete.",
			Also:    []string{"helix.snapshot.text"},
			Apply: edit.OnMessages(func(all []helix.Message) []helix.Message {
				complete := slices.IndexFunc(all, edit.IsPartial)
				if complete < 0 {
					complete = len(all)
				}
				if complete == 0 {
					return all
				}
				return slices.Delete(all, complete-1, complete)
			})},
		{Name: "message-keeps-one-word", Requirement: "helix.snapshot.messages",
			Summary: "A message holds the last delta instead of all of them.",
			Also:    []string{"helix.snapshot.partial", "helix.snapshot.partial-parts", "helix.snapshot.text"},
			Apply: edit.OnMessages(func(all []helix.Message) []helix.Message {
				for i := range all {
					all[i].Parts = slices.Clone(all[i].Parts)
					for j, p := range all[i].Parts {
						all[i].Parts[j].Text = p.Text[strings.LastIndex(p.Text, " ")+1:]
					}
				}
				return all
			})},

		// Mutants that show partial content to readers that didn't request it.
		{Name: "partial-by-default", Requirement: "helix.snapshot.no-partial",
			Summary: "What is being written is in every snapshot.",
			Apply: on.OnSnapshot(func(ctx context.Context, take helix.Take, _ helix.SnapshotRequest) (helix.Snapshot, error) {
				return take(ctx, true)
			})},
		{Name: "partial-stays-on", Requirement: "helix.snapshot.no-partial", Stateful: true,
			Summary: "Once a stream was asked for with partial content, everybody gets it.",
			Apply: alter.WithState(func(requested *alter.PerKey[bool]) on.Apply {
				return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
					partial := false
					requested.With(r.Stream, func(p *bool) { *p = *p || r.Partial; partial = *p })
					return take(ctx, partial)
				})
			})},

		// These leave out or misplace the step that is being written.
		{Name: "partial-first", Requirement: "helix.snapshot.partial", Stateful: true,
			Summary: "What is being written comes before what is complete.",
			Also:    []string{"helix.snapshot.text"},
			Apply: edit.OnMessages(func(all []helix.Message) []helix.Message {
				slices.SortStableFunc(all, func(a, b helix.Message) int {
					switch {
					case edit.IsPartial(a) == edit.IsPartial(b):
						return 0
					case edit.IsPartial(a):
						return -1
					}
					return 1
				})
				return all
			})},

		// These have the wrong partial content.
		{Name: "partial-without-reasoning", Requirement: "helix.snapshot.partial-parts",
			Summary: "The reasoning becomes part of a message when its step is complete.",
			Apply:   edit.OnPartial(without("reasoning"))},
		{Name: "partial-tool-keeps-executing", Requirement: "helix.snapshot.partial-parts", Stateful: true,
			Summary: "A tool that has ended goes on executing until its step is complete.",
			Apply:   edit.OnPartial(restated("completed", "executing"))},
		{Name: "partial-tool-always-completed", Requirement: "helix.snapshot.partial-parts", Stateful: true,
			Summary: "A tool that has failed is shown as completed.",
			Apply:   edit.OnPartial(restated("error", "completed"))},

		// Mutants that lose or repeat text that is written while a snapshot is taken.
		{Name: "partial-text-lags", Requirement: "helix.snapshot.text",
			Summary: "The last word of what is being written is in neither the snapshot nor what follows it.",
			Also:    []string{"helix.snapshot.partial", "helix.snapshot.partial-parts"},
			Apply: edit.OnPartial(func(m *helix.Message) {
				for i := range m.Parts {
					m.Parts[i].Text = m.Parts[i].Text[:max(0, strings.LastIndex(m.Parts[i].Text, " "))]
				}
			})},
	}
}

func decodes(raw []byte, v any) bool { return json.Unmarshal(raw, v) == nil }
