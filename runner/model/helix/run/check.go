package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// Check compares everything that is stored with the chunks that the run must have written by now.
func (r *Run) Check(all []*stream.Produced) error {
	switch {
	case r.expected.between && !r.expected.mayCrash:
		return r.progress.checkUndecided(all)
	case len(all) == 0:
		return r.written(nil)
	}
	roots := rootsOf(all)
	news, err := r.expected.news(all, roots)
	if err != nil {
		return err
	}
	r.takeIn(news)
	r.progress.findParsed(all, roots)
	if r.expected.between {
		return nil
	}
	if err := r.written(news); err != nil {
		return err
	}
	if err := r.progress.notified(news, r.occasions); err != nil {
		return err
	}
	r.childCodes = codesOf(all, roots)
	if err := orphans(all, roots, r.occasions); err != nil {
		return err
	}
	return r.checkAgents(all, roots)
}

// checkAgents compares the chunks of all agents with the executed steps.
func (r *Run) checkAgents(all []*stream.Produced, roots map[string]bool) error {
	counts := counting(all)
	j := &judging{occasions: r.occasions, all: all, of: agentViews(all, counts), allowsDroppedSteps: r.progress.allowsDroppedSteps(), complete: r.Status() == Completed}
	h := receive(all, counts, roots)
	for _, s := range slices.Concat(r.progress.past, r.progress.live) { // chunks may have been removed since the last check
		for _, d := range inOrder(s.executedSteps) {
			d.from, d.to = -1, -1
		}
	}
	executedSteps := r.progress.executedSteps()
	p := planned(executedSteps)
	err := r.checkText(p, h)
	if err == nil {
		err = j.done(p, h, executedSteps)
	}
	if err != nil {
		return r.progress.unlessUndecided(unended(executedSteps, h, err))
	}
	if r.expected.superseded {
		if len(h.errors) > len(p.faults) && !r.progress.allowsDroppedSteps() {
			return model.Violated("helix.runs.superseded-graceful", fmt.Sprintf("%d errors", len(p.faults)), fmt.Sprint(len(h.errors)), "a run was taken over, and errors were sent that nobody raised")
		}
		r.occasions.Saw("helix.runs.superseded-graceful")
	}
	if err := r.checkState(h, all, roots); err != nil {
		return err
	}
	if err := r.progress.numbered(all, r.occasions); err != nil {
		return err
	}
	return r.progress.checkOutput(h, r.occasions)
}

// written searches the chunks that calls to the run must have written, and applies those that pause or interrupt it.
func (r *Run) written(news []*stream.Produced) error {
	if err := r.expected.check(news, r.occasions); err != nil {
		return err
	}
	for _, p := range news {
		switch p.Kind() {
		case "run_paused":
			r.expected.paused = true
		case "run_resumed":
			r.expected.paused = false
			r.occasions.Saw("helix.runs.same-session")
		case "stream_resync": // an interruption before it could name a checkpoint that is void since
			r.checkpoints.named = ""
		case "run_interrupted":
			if p.Text("checkpointId") == "" {
				return model.Violated("helix.runs.interrupt-checkpoint", "a checkpointId", model.Clipped(p.Body), "a run that was interrupted can't be resumed from anywhere")
			}
			r.checkpoints.named = p.Text("checkpointId")
			r.occasions.Saw("helix.runs.interrupt-checkpoint")
		}
	}
	return nil
}

// checkText compares the text of the agent. That of a dropped step counts where readers weren't notified.
func (r *Run) checkText(p *plan, h *received) error {
	got := h.text.String()
	var waiting *scriptStep
	if calls := r.progress.stopState.calls; len(calls) > 0 && calls[0].consent {
		waiting = calls[0]
	}
	if !p.sameText(got) && (!r.progress.allowsDroppedSteps() || !planned(r.progress.withDropped(0)).sameText(got)) {
		rule := "helix.text.concatenation"
		if r.expected.superseded && len(got) > p.text.Len() {
			rule = "helix.runs.superseded-silent"
		}
		if waiting != nil && strings.HasPrefix(got, p.text.String()) {
			rule = "helix.approval.suspended"
		}
		return model.Unequal(rule, p.text.String(), got, "the text of the agent is another")
	}
	r.occasions.Saw("helix.text.concatenation")
	if r.expected.superseded {
		r.occasions.Saw("helix.runs.superseded-silent")
	}
	if waiting != nil {
		r.occasions.Saw("helix.approval.suspended")
	}
	return nil
}

// checkOutput compares the output: helix.output.on-success.
func (p *progress) checkOutput(h *received, occasions model.OccasionCounts) error {
	switch {
	case len(h.outputs) > 0 && p.stopState.fatal != nil && p.stopState.fatal.rule == "helix.output.schema":
		return model.Violated("helix.output.schema", "no output", model.Clipped(h.outputs[0].Body), "an output was sent that breaks its schema")
	case p.status != Completed && len(h.outputs) > 0:
		return model.Violated("helix.output.on-success", "no output", model.Clipped(h.outputs[0].Body), "a run that isn't complete sent an output")
	case p.status == Failed:
		occasions.Saw("helix.output.on-success")
	case p.status != Completed:
	case p.output == nil && len(h.outputs) > 0:
		return model.Violated("helix.output.unchanged", "no output", model.Clipped(h.outputs[0].Body), "an agent that returned nothing sent an output")
	case p.output != nil:
		occasions.Saw("helix.output.unchanged")
		if p.schema != nil {
			occasions.Saw("helix.output.schema")
		}
		return checkOutput(h, p.output)
	}
	return nil
}

// checkState compares the state, and searches the checkpoints of the steps that changed it.
func (r *Run) checkState(h *received, all []*stream.Produced, roots map[string]bool) error {
	rule, commits, committed, err := r.announced(all, roots)
	if err != nil {
		return err
	}
	state := r.progress.committedState()
	if err := sums(h.patches, r.progress.initial, state, rule); err != nil {
		return err
	}
	r.occasions.Saw(rule)
	for _, e := range state {
		if e.loose {
			r.occasions.Saw("helix.state.parallel-appends")
		}
	}
	if err := r.checkpoints.checkInterruption(); err != nil {
		return err
	}
	done := r.progress.committed()
	if len(r.checkpoints.ids) != len(done) {
		r.checkpoints.ids = nil
	}
	wrote := 0
	for i, s := range done {
		if s.wrote {
			wrote++
			if ids := r.checkpoints.ids; ids != nil && !committed[ids[i]] {
				return model.Violated("helix.checkpoints.committed", "a step_committed with the checkpoint "+ids[i], "none", "a step that changed the state wasn't committed")
			}
		}
		if err := r.progress.checkCovered(s, i, h, len(done), r.occasions); err != nil {
			return err
		}
	}
	if commits < wrote {
		return model.Violated("helix.checkpoints.committed", fmt.Sprintf("%d step_committed", wrote), fmt.Sprint(commits), "a step that changed the state wasn't committed")
	}
	r.occasions["helix.checkpoints.committed"] += wrote
	return nil
}

// announced applies the checkpoints that the run's agent has announced, and returns how many steps it has committed, with
// which checkpoints. rule is the requirement on the state.
func (r *Run) announced(all []*stream.Produced, roots map[string]bool) (rule string, commits int, committed map[string]bool, err error) {
	rule, committed = "helix.state.sum", map[string]bool{}
	executed := slices.Concat(r.progress.past, r.progress.live)
	firstOpen := len(executed) > 0 && !slices.ContainsFunc(executed, func(s *step) bool { return s.index > 0 }) &&
		!slices.ContainsFunc(r.progress.past, func(s *step) bool { return !s.dropped })
	r.checkpoints.ids = nil
	for _, p := range all {
		switch kind := p.Kind(); {
		case kind == "stream_resync":
			rule = "helix.state.after-resync"
			r.checkpoints.returnTo(p, firstOpen)
		case !roots[p.Text("agentId")]:
		case kind == "step_committed":
			commits++
			committed[p.Text("checkpointId")] = true
		case kind == "checkpoint_created":
			if err := r.checkpoints.announce(p, firstOpen, r.occasions); err != nil {
				return "", 0, nil, err
			}
		}
	}
	return rule, commits, committed, nil
}

// checkCovered checks that the chunks of the nth step that counts lie before its checkpoint: helix.checkpoints.after-step.
func (p *progress) checkCovered(s *step, n int, h *received, steps int, occasions model.OccasionCounts) error {
	if len(h.checkpointIndexes) != steps {
		return nil
	}
	for _, d := range s.executedSteps {
		if d.kind != "custom" && d.kind != "error" && d.last() > h.checkpointIndexes[n] {
			return model.Violated("helix.checkpoints.after-step", "the checkpoint behind what was done", fmt.Sprintf("a chunk of the act %s behind it", d.kind), "a checkpoint came before what it covers")
		}
	}
	if n == steps-1 && p.output != nil && h.output > h.checkpointIndexes[n] {
		return model.Violated("helix.checkpoints.after-step", "the checkpoint behind the output", "the output behind it", "a checkpoint came before the output of what it covers")
	}
	occasions.Saw("helix.checkpoints.after-step")
	return nil
}
