package merlin

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// commented matches a comment of the model up to an event inside it.
var commented = regexp.MustCompile(`(?m)^:.*?(data:)`)

// markLike matches a text that resembles a mark.
var markLike = regexp.MustCompile(`^\[citation: \d+: \d+\]$`)

// upstreamBytes lists mutants that err with the bytes of the model, and with its usage.
func upstreamBytes() []Mutant {
	return []Mutant{
		{Name: "pieces-without-their-carriage-return", Requirement: "merlin.upstream.cut", Summary: "A carriage return at the end of a piece is trimmed.",
			Apply: on.Pieces().Edit(func(piece *[]byte) { *piece = bytes.TrimSuffix(*piece, []byte("\r")) })},
		{Name: "events-in-comments", Requirement: "merlin.upstream.noise", Summary: "An event is found by its data, in a comment too.",
			Apply: on.Pieces().Edit(func(piece *[]byte) { *piece = commented.ReplaceAll(*piece, []byte("$1")) })},
		{Name: "fields-by-their-beginning", Requirement: "merlin.upstream.noise", Summary: "A field is the data of an event if its name begins so.",
			Apply: on.Pieces().Edit(func(piece *[]byte) { *piece = bytes.ReplaceAll(*piece, []byte("database: "), []byte("data: ")) })},
		{Name: "usage-of-another-stream", Requirement: "merlin.aggregate.usage", Stateful: true, Summary: "Usage is merged into the default of a parameter, which all streams share.",
			Apply: func(o merlin.Options) merlin.Options {
				var mu sync.Mutex
				shared := map[string]any{}
				return on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
					mu.Lock()
					defer mu.Unlock()
					if total.Usage != nil {
						maps.Copy(shared, total.Usage)
						total.Usage = maps.Clone(shared)
					}
				})(o)
			}},
		{Name: "usage-of-the-stream-before", Requirement: "merlin.aggregate.usage", Stateful: true, Summary: "A stream whose model says no usage has that of the stream before.",
			Apply: func(o merlin.Options) merlin.Options {
				var mu sync.Mutex
				var latest map[string]any
				return on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
					mu.Lock()
					defer mu.Unlock()
					if total.Usage == nil {
						total.Usage = latest
					}
					latest = total.Usage
				})(o)
			}},
		{Name: "marks-of-the-model", Requirement: "merlin.slices.complete", Summary: "A text that looks like a mark is taken out of what the model says.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return markLike.MatchString(d.Content) }).Edit(func(d *merlin.Delta) { d.Content = "" })},
		{Name: "sub-agents-come-whole", Requirement: "merlin.upstream.cut", Summary: "What comes of a sub-agent's model is read piece by piece.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.SubAgent != nil }).Edit(func(a *merlin.Instruction) {
				agent := *a.SubAgent
				cut := slices.IndexFunc(agent.Instructions, func(a merlin.Instruction) bool { return a.Split != nil && *a.Split > 0 })
				if cut >= 0 {
					agent.Instructions = agent.Instructions[:cut]
				}
				a.SubAgent = &agent
			})},
	}
}

// interruptedEvents lists mutants that err with events of the model that something else accompanies: another line end, or a
// sub-agent.
func interruptedEvents() []Mutant {
	return []Mutant{
		{Name: "line-ends-of-one-kind", Requirement: "merlin.upstream.cut", Also: []string{"merlin.slices.complete", "merlin.chunks.complete", "merlin.upstream.noise"},
			Summary: "Where a piece has a blank line of line feeds, one that has carriage returns before it ends no event.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				last := bytes.LastIndex(*piece, []byte("\n\n"))
				if last > 0 {
					*piece = append(bytes.ReplaceAll((*piece)[:last:last], []byte("\r\n\r\n"), []byte("\r\n")), (*piece)[last:]...)
				}
			})},
		{Name: "sub-agents-cut-their-agent", Requirement: "merlin.chunks.complete", Summary: "What of an event was there when a sub-agent began is lost.",
			Apply: truncatedBy(func(a merlin.Instruction) bool { return a.SubAgent != nil })},
		{Name: "steps-cut-the-model", Requirement: "merlin.chunks.complete", Also: []string{"merlin.slices.complete"}, Summary: "What of an event was there when a step was sent is lost.",
			Apply: truncatedBy(func(a merlin.Instruction) bool { return a.Step != nil })},
		{Name: "results-cut-the-model", Requirement: "merlin.chunks.complete", Summary: "What of an event was there when the result of a tool came is lost.",
			Apply: truncatedBy(func(a merlin.Instruction) bool { return a.ToolResult != nil })},
	}
}

// truncatedBy makes some steps drop an incomplete event when they are done.
func truncatedBy(cuts func(merlin.Instruction) bool) on.Apply {
	return on.ScriptSteps(func(a merlin.Instruction) bool { return a.Bytes != nil || cuts(a) }).EditSequence(func(*merlin.RunState) func(*merlin.Instruction) {
		half, lost := false, false
		return func(a *merlin.Instruction) {
			if cuts(*a) {
				lost = half
				return
			}
			if half = !strings.HasSuffix(*a.Bytes, "\n"); lost {
				nothing := ": nothing\n\n"
				a.Bytes, lost = &nothing, false
			}
		}
	})
}

// tokens lists mutants that err with characters that end lines in other formats, and with members of the model's events
// other than the text.
func tokens() []Mutant {
	return []Mutant{
		{Name: "lines-of-unicode", Requirement: "merlin.upstream.cut", Also: []string{"merlin.slices.complete", "merlin.chunks.complete"},
			Summary: "A line of an event ends where a library has lines end, such as at a line separator.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				*piece = []byte(strings.NewReplacer("\u2028", "\n", "\u2029", "\n").Replace(string(*piece)))
			})},
		{Name: "usage-of-null", Requirement: "merlin.aggregate.usage", Stateful: true, Summary: "A usage of null is one of nothing, in the place of what was said before.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				*piece = bytes.ReplaceAll(*piece, []byte(`"usage":null`), []byte(`"usage":{"total_tokens":0,"left_tokens":0}`))
			})},
		{Name: "reasons-to-finish", Requirement: "merlin.aggregate.usage", Stateful: true, Summary: "Nothing is read of a model that has said why it finishes.",
			Apply: on.Pieces().EditSequence(func(*merlin.RunState) func(*[]byte) {
				finished := false
				return func(piece *[]byte) {
					if finished {
						*piece = []byte(": nothing\n\n")
					}
					finished = finished || bytes.Contains(*piece, []byte(`"finish_reason":"stop"`))
				}
			})},
	}
}
