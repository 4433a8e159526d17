package report

import "regexp"

// Fault returns the first finding of the requirement, or the reason why it isn't proven, on one line; "" for a pass.
func (q Requirement) Fault() string { return OneLine(fault(q, wordsBytes)) }

// named is a name with a number in it, such as that of a stream or of an event.
var named = regexp.MustCompile(`[\w-]*\d[\w-]*`)

// Alike reports whether two failures of a requirement begin with the same finding, but for numbers, names with numbers and
// quoted values, which differ from run to run.
func (q Requirement) Alike(other Requirement) bool {
	return named.ReplaceAllString(likeness(q), "0") == named.ReplaceAllString(likeness(other), "0")
}

// Recount makes the summary and the classes agree with the verdicts again, after some have changed from fail or warn to known.
func (r *Report) Recount() {
	r.Count()
	verdicts := map[string]Verdict{}
	for _, q := range r.Requirements {
		verdicts[q.ID] = q.Verdict
	}
	for _, c := range r.Classes {
		for i, m := range c.Missing {
			if v, ok := verdicts[m.ID]; ok {
				c.Missing[i].Verdict = v
			}
		}
	}
}
