package report

import "slices"

// agreed are the scenarios with outcomes that agree with the verdicts of requirements: one in which the judge found something
// failed, and one whose only fault is known, or a broken SHOULD, is no failure. The report itself keeps what the steps said.
func (r *Report) agreed() []Scenario {
	found := map[scenarioKey]Verdict{}
	for _, q := range r.Requirements {
		for _, f := range q.Findings {
			key := scenarioKey{f.Place, f.Scenario}
			if worst, ok := found[key]; urgency(q.Verdict) < len(columns) && (!ok || urgency(q.Verdict) < urgency(worst)) {
				found[key] = q.Verdict
			}
		}
	}
	out := slices.Clone(r.Scenarios)
	for i, s := range out {
		v, ok := found[scenarioKey{s.Place, s.Title}]
		if ok && (s.Outcome != Error || v == Fail) {
			out[i].Outcome = v
		}
	}
	return out
}
