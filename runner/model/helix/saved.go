package helix

import (
	"fmt"
	"slices"
)

// checkpointCalls are what checkpoints of a run hold.
type checkpointCalls struct{ *Run }

// savedCheckpoints compares the state, and looks for the words that it was saved.
func (r checkpointCalls) savedCheckpoints(h *received, all []*Produced, roots map[string]bool) error {
	rule, commits, committed := "helix.state.sum", 0, map[string]bool{}
	r.checkpoints = nil
	for _, p := range all {
		switch kind := p.kind(); {
		case kind == "stream_resync":
			rule = "helix.state.after-resync"
			if i := slices.Index(r.checkpoints, p.text("checkpointId")); i >= 0 { // else a later call took that one back with its step
				r.checkpoints = r.checkpoints[:i+1]
			}
		case !roots[p.text("agentId")]:
		case kind == "step_committed":
			commits++
			committed[p.text("checkpointId")] = true
		case kind == "checkpoint_created":
			if err := r.announcedOnce(p); err != nil {
				return err
			}
			switch n, _ := p.member("stepCount").(float64); {
			case n > 0:
				r.checkpoints = append(r.checkpoints, p.text("checkpointId"))
			case r.start == "" && len(r.past) == 1 && r.past[0].index == 0 && r.past[0].dropped: // later ones may be of a later step
				r.start = p.text("checkpointId")
			}
		}
	}
	if err := sums(h.patches, r.initial, r.state(), rule); err != nil {
		return err
	}
	r.ledger.Saw(rule)
	for _, e := range r.state() {
		if e.loose {
			r.ledger.Saw("helix.state.parallel-appends")
		}
	}
	if err := r.resumable(); err != nil {
		return err
	}
	done := r.committed()
	if len(r.checkpoints) != len(done) { // whose is which isn't known
		r.checkpoints = nil
	}
	wrote := 0
	for i, s := range done {
		if s.wrote {
			wrote++
			if r.checkpoints != nil && !committed[r.checkpoints[i]] {
				return violation("helix.checkpoints.committed", "a step_committed with the checkpoint "+r.checkpoints[i], "none", "a step that changed the state wasn't committed")
			}
		}
		if err := r.covered(s, i, h, len(done)); err != nil {
			return err
		}
	}
	if commits < wrote {
		return violation("helix.checkpoints.committed", fmt.Sprintf("%d step_committed", wrote), fmt.Sprint(commits), "a step that changed the state wasn't committed")
	}
	r.ledger["helix.checkpoints.committed"] += wrote
	return nil
}

// announcedOnce looks whether a checkpoint was announced before, by a chunk that may be gone: helix.checkpoints.unique.
func (r checkpointCalls) announcedOnce(p *Produced) error {
	id := p.text("checkpointId")
	if r.made == nil {
		r.made = map[string]int64{}
	}
	if at, known := r.made[id]; known && at != p.ID {
		return violation("helix.checkpoints.unique", "an id of its own", id, "chunk %d announces the checkpoint that chunk %d has announced", p.ID, at)
	}
	if _, own := r.made[id]; r.former[id] && !own {
		return violation("helix.checkpoints.unique", "an id of its own", id, "chunk %d announces a checkpoint that a session before it has announced", p.ID)
	}
	r.made[id] = p.ID
	r.ledger.Saw("helix.checkpoints.unique")
	return nil
}

// resumable looks whether a checkpoint that an interruption names was taken back: helix.runs.interrupt-checkpoint.
func (r checkpointCalls) resumable() error {
	if r.announced == nil {
		r.announced = map[string]bool{}
	}
	for _, id := range r.checkpoints {
		r.announced[id] = true
	}
	from := r.from
	r.from = ""
	if _, own := r.made[from]; r.former[from] && !own {
		return violation("helix.runs.interrupt-checkpoint", "a checkpoint of this session", from, "an interruption names a checkpoint of a session that is over")
	}
	if r.announced[from] && !slices.Contains(r.checkpoints, from) {
		return violation("helix.runs.interrupt-checkpoint", "a checkpoint that is there", from, "an interruption names a checkpoint that the run has gone back before")
	}
	return nil
}

// covered looks whether what was done in the nth step that counts lies before its checkpoint: helix.checkpoints.after-step.
func (r checkpointCalls) covered(s *step, n int, h *received, steps int) error {
	if len(h.savedCheckpoints) != steps {
		return nil
	}
	for _, d := range s.executedSteps {
		if d.kind != "custom" && d.kind != "error" && d.last() > h.savedCheckpoints[n] {
			return violation("helix.checkpoints.after-step", "the checkpoint behind what was done", fmt.Sprintf("a chunk of the act %s behind it", d.kind), "a checkpoint came before what it covers")
		}
	}
	if n == steps-1 && r.output != nil && h.output > h.savedCheckpoints[n] {
		return violation("helix.checkpoints.after-step", "the checkpoint behind the output", "the output behind it", "a checkpoint came before the output of what it covers")
	}
	r.ledger.Saw("helix.checkpoints.after-step")
	return nil
}

// graceful looks for errors beside those of the script: helix.runs.superseded-graceful.
func (r checkpointCalls) graceful(p *plan, h *received, all []*Produced) error {
	if !r.superseded {
		return nil
	}
	if len(h.errors) > len(p.faults) && !r.allowsDroppedSteps() {
		return violation("helix.runs.superseded-graceful", fmt.Sprintf("%d errors", len(p.faults)), fmt.Sprint(len(h.errors)), "a run was taken over, and errors were sent that nobody raised")
	}
	r.ledger.Saw("helix.runs.superseded-graceful")
	return nil
}

// numbered looks at the steps of errors: helix.errors.step. What number the first step has is the server's choice, and what
// else was done in a step shows it.
func (r checkpointCalls) numbered(all []*Produced) error {
	type fault struct {
		at int // in all
		of int // the step, from 0
	}
	var faults []fault
	base, known := 0.0, false
	n := 0
	for _, s := range slices.Concat(r.past, r.live) {
		if s.dropped && r.status != RunFailed {
			continue
		}
		for _, d := range inOrder(s.executedSteps) {
			if d.from < 0 {
				continue
			}
			step, numbered := all[d.from].member("step").(float64)
			switch {
			case d.kind == "error" || d.kind == "stop":
				faults = append(faults, fault{d.from, n})
			case !numbered:
			case !known:
				base, known = step-float64(n), true
			case base != step-float64(n):
				return nil // that others have the right number is recommended only
			}
		}
		if !s.dropped {
			n++
		}
	}
	for _, f := range faults {
		step, numbered := all[f.at].member("step").(float64)
		if !known || !numbered {
			continue
		}
		if want := base + float64(f.of); step != want {
			return violation("helix.errors.step", fmt.Sprint(want), fmt.Sprint(step), "an error has the number of another step")
		}
		r.ledger.Saw("helix.errors.step")
	}
	return nil
}
