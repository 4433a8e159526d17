package run

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// failed finds the chunk of each error.
func (j *judging) failed(p *plan, h *received) error {
	found, missing := paired(p.faults, h.errors)
	sure := missing == nil
	if !sure { // an error of one branch may have taken the chunk of another
		found, missing = paired(slices.SortedStableFunc(slices.Values(p.faults), func(a, b *executedStep) int {
			return cmp.Compare(a.fault.codes(), b.fault.codes())
		}), h.errors)
	}
	if missing != nil {
		f := missing.fault
		return model.Violated(f.rule, fmt.Sprintf("an error chunk with the code %q and recoverable %v", f.code, f.goesOn), fmt.Sprintf("%d others", len(h.errors)-len(found)), "a failure wasn't reported as what it is")
	}
	for _, d := range p.faults {
		f := d.fault
		if sure && !p.suspended[d] && !j.allowsDroppedSteps {
			d.from, d.to = found[d].at, found[d].at
		}
		j.occasions.Saw(f.rule)
		if f.code != "" && !f.orNone {
			j.occasions.Saw("helix.errors.recoverable")
		}
		if f.goesOn {
			j.occasions.Saw("helix.errors.goes-on")
		}
	}
	return nil
}

// paired returns for each fault the first chunk that reports it and no earlier one, and the first fault without such a chunk.
func paired(faults []*executedStep, errors []*event) (found map[*executedStep]*event, missing *executedStep) {
	found = map[*executedStep]*event{}
	remaining := slices.Clone(errors)
	for _, d := range faults {
		i := slices.IndexFunc(remaining, func(e *event) bool { return d.fault.fits(e.Produced) })
		if i < 0 {
			return found, d
		}
		found[d] = remaining[i]
		remaining = slices.Delete(remaining, i, i+1)
	}
	return found, nil
}

// codes returns the order in which faults choose their chunks: a fault that fits fewer codes comes first.
func (f *fault) codes() int {
	switch {
	case f.code == "":
		return 2
	case f.orNone:
		return 1
	}
	return 0
}

func (f *fault) fits(e *stream.Produced) bool {
	code := e.Text("code")
	if f.goesOn != (e.Member("recoverable") == true) {
		return false
	}
	if f.rule == "helix.errors.stop-reason" && code == "framework_cancelled" { // the run wasn't cancelled
		return false
	}
	return f.code == "" || code == f.code || f.orNone && code == ""
}
