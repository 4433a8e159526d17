package report

import "slices"

// agreed returns the scenarios with outcomes that match the verdicts of requirements: a scenario in which the judge found a
// violation has failed, and one whose only violation is known, or of a SHOULD, has not. The report itself stores the
// outcomes of the steps.
func (r *Report) agreed() []Scenario {
	found := map[scenarioKey]Verdict{}
	for _, q := range r.Requirements {
		for _, f := range q.Findings {
			key := scenarioKey{f.Location, f.Scenario}
			if worst, ok := found[key]; urgency(q.Verdict) < len(columns) && (!ok || urgency(q.Verdict) < urgency(worst)) {
				found[key] = q.Verdict
			}
		}
	}
	out := slices.Clone(r.Scenarios)
	for i, s := range out {
		v, ok := found[scenarioKey{s.Location, s.Title}]
		if ok && (s.Outcome != Error || v == Fail) {
			out[i].Outcome = v
		}
	}
	return out
}
