package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// Run models the runs of one session, from one to the next.
//
// Invariants: progress follows from the script and the calls alone, but for parsed and the notices on dropped steps, which
// only the server's chunks show. checkpoints follow from the chunks alone, and calls that go back shorten them. expected
// lists the chunks that calls since the last [Run.Check] must have written.
type Run struct {
	occasions   model.OccasionCounts // of the caller
	progress    progress             // what the script has done
	expected    expected             // what readers must still receive
	checkpoints checkpoints          // that readers received
	childCodes  map[string]bool      // of the errors of sub-agents
}

// New returns a run that was just started on a new stream.
func New(occasions model.OccasionCounts, script Script) *Run {
	r := &Run{occasions: occasions, checkpoints: newCheckpoints(), progress: progress{
		script: script, initial: map[string]any{}, released: map[string]bool{}, answers: map[*scriptStep][]Answer{},
	}}
	r.progress.follow()
	return r
}

// Begin sets, for a run that was just started, the state that its stream was given before and the schema that its output
// must fit, both as JSON; "" is none.
func (r *Run) Begin(state, output string) error {
	p := &r.progress
	if state != "" {
		if err := json.Unmarshal([]byte(state), &p.initial); err != nil {
			return fmt.Errorf("reading the state that a run begins with: %w", err)
		}
	}
	if output != "" {
		var err error
		if p.schema, err = newSchema(output); err != nil {
			return err
		}
	}
	p.next, p.past = 0, nil
	p.follow()
	return nil
}

// Status returns the state of the run once it has settled.
func (r *Run) Status() Status { return r.progress.status }

// Over reports whether the run has finished its stream.
func (r *Run) Over() bool { return r.Status() == Completed || r.Status() == Failed }

// Barriers returns those that the run waits at.
func (r *Run) Barriers() []string { return r.progress.stopState.barriers }

// Released returns the barriers that were released, sorted.
func (r *Run) Released() []string { return slices.Sorted(maps.Keys(r.progress.released)) }

// Calls returns the names of the tools whose calls wait for the client or a user, and whether for a decision.
func (r *Run) Calls() (names []string, consent []bool) {
	for _, a := range r.progress.stopState.calls {
		names, consent = append(names, a.name), append(consent, a.consent && len(r.progress.answers[a]) == 0)
	}
	return names, consent
}

// Checkpoints returns the ids of those that the run can go back to, the first step's first.
func (r *Run) Checkpoints() []string { return r.checkpoints.ids }

// After sets the checkpoints that former sessions have announced on the stream.
func (r *Run) After(former map[string]bool) { r.checkpoints.former = former }

// Announced returns the checkpoints that this session and those before it have announced.
func (r *Run) Announced() map[string]bool { return r.checkpoints.all() }

// Start returns the checkpoint before the first step, which an interruption of that step has announced; "" if none has.
func (r *Run) Start() string { return r.checkpoints.start }

// Undone reports whether readers were notified of every dropped step. Where they weren't, and no chunk of the step is
// removed, its text may count when the session restarts.
func (r *Run) Undone() bool {
	return !slices.ContainsFunc(slices.Concat(r.progress.past, r.progress.live), func(s *step) bool { return s.dropped && !s.discarded })
}

// Answered reports whether a call of the open step was answered, which is lost where the step is executed again.
func (r *Run) Answered() bool { return r.progress.answered() }

// NeedsOthers reports whether one of several calls that wait, by its index among [Run.Calls], was answered once and needs
// another answer: a server may take that only when all others were answered.
func (r *Run) NeedsOthers(i int) bool {
	calls := r.progress.stopState.calls
	return len(calls) > 1 && len(r.progress.answers[calls[i]]) > 0
}

// CallID finds the toolCallId of one of the calls that wait, by its index among [Run.Calls], in all that is stored; "" if it
// isn't there.
func (r *Run) CallID(i int, all []*stream.Produced) string {
	a := r.progress.stopState.calls[i]
	want, _ := a.arguments()
	ended, counts := map[string]bool{}, counting(all)
	for n := len(all) - 1; n >= 0; n-- {
		p := all[n]
		switch kind := p.Kind(); {
		case !counts[n]:
		case kind == "tool_end":
			ended[p.Text("toolCallId")] = true
		case kind != "tool_start" && kind != "tool_approval_request" || p.Text("toolName") != a.name || ended[p.Text("toolCallId")]:
		case p.Member("arguments") == nil || document.Equal(any(want), p.Member("arguments")):
			return p.Text("toolCallId")
		}
	}
	return ""
}
