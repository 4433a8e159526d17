package merlin

import (
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// signatures lists mutants that err with reasoning that comes in pieces, of which only one is signed.
func signatures() []Mutant {
	return []Mutant{
		{Name: "signatures-alone", Requirement: "merlin.aggregate.signature", Summary: "An event of the model with a signature and no thought is passed over.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				total.ReasoningContent = slices.DeleteFunc(total.ReasoningContent, func(r merlin.Reasoning) bool { return r.Text == "" })
			})},
		{Name: "thoughts-as-they-began", Requirement: "merlin.aggregate.signature", Stateful: true, Summary: "What goes on with a thought adds its text to it, and nothing else.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				merge(total, func(*merlin.Reasoning, merlin.Reasoning) {})
			})},
		{Name: "thoughts-as-they-ended", Requirement: "merlin.aggregate.signature", Stateful: true, Summary: "What goes on with a thought has its id and its signature, or none.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				merge(total, func(whole *merlin.Reasoning, r merlin.Reasoning) { whole.ID, whole.Signature = r.ID, r.Signature })
			})},
	}
}

// merge joins consecutive reasoning of one index; more joins their members other than the text.
func merge(total *merlin.Aggregate, more func(whole *merlin.Reasoning, r merlin.Reasoning)) {
	joined := []merlin.Reasoning{}
	for _, r := range total.ReasoningContent {
		if last := len(joined) - 1; last >= 0 && joined[last].Index == r.Index {
			joined[last].Text += r.Text
			more(&joined[last], r)
			continue
		}
		joined = append(joined, r)
	}
	total.ReasoningContent = joined
}
