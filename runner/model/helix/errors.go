package helix

import (
	"cmp"
	"fmt"
	"slices"
)

// failed looks for the chunks of errors.
func (j *judging) failed(p *plan, h *received) error {
	found, missing := paired(p.faults, h.errors)
	sure := missing == nil
	if !sure { // of branches side by side, one may have taken what is another one's
		found, missing = paired(slices.SortedStableFunc(slices.Values(p.faults), func(a, b *executedStep) int {
			return cmp.Compare(a.fault.statusUnknown(), b.fault.statusUnknown())
		}), h.errors)
	}
	if missing != nil {
		f := missing.fault
		return violation(f.rule, fmt.Sprintf("an error chunk with the code %q and recoverable %v", f.code, f.goesOn), fmt.Sprintf("%d others", len(h.errors)-len(found)), "a failure wasn't reported as what it is")
	}
	for _, d := range p.faults {
		f := d.fault
		if sure && !p.suspended[d] && !j.allowsDroppedSteps {
			d.from, d.to = found[d].at, found[d].at
		}
		j.ledger.Saw(f.rule)
		if f.code != "" && !f.orNone {
			j.ledger.Saw("helix.errors.recoverable")
		}
		if f.goesOn {
			j.ledger.Saw("helix.errors.goes-on")
		}
	}
	return nil
}

// paired finds for each fault the first chunk that reports it and no other one before it, and the fault for which there is
// none.
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

// statusUnknown is how little a fault says of its code: what takes fewer codes takes none that others need.
func (f *fault) statusUnknown() int {
	switch {
	case f.code == "":
		return 2
	case f.orNone:
		return 1
	}
	return 0
}

func (f *fault) fits(e *Produced) bool {
	code := e.text("code")
	if f.goesOn != (e.member("recoverable") == true) {
		return false
	}
	if f.rule == "helix.errors.stop-reason" && code == "framework_cancelled" { // nobody did
		return false
	}
	return f.code == "" || code == f.code || f.orNone && code == ""
}
