package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
)

// evidence weighs how much of a run speaks for a broken requirement as the cause of what failed.
type evidence struct {
	broken          map[string]bool // locations and titles of the scenarios in which it is broken, or in which only what it asks for is missing
	shown           map[string]bool // those of broken in which a finding shows what came, a trace, or that what it asks for never came
	share           float64         // of its scenarios that ran, those in which it is broken: 0 to 1
	sometimesPassed bool            // some occasions of it passed; its failures may then be those of another rule
	rank            int             // of its chapter
}

// rowOf names the row of a scenario in which a finding was made.
func rowOf(f record.Finding) string { return f.Location + " " + f.Scenario }

// evidenceOf weighs the failures of a report, by id.
func evidenceOf(r *Report, failed []Requirement) map[string]evidence {
	ran := map[string]map[string]bool{}
	for _, s := range r.Scenarios {
		if s.Outcome != Pass && s.Outcome != Fail {
			continue
		}
		if ran[s.Requirement] == nil {
			ran[s.Requirement] = map[string]bool{}
		}
		ran[s.Requirement][s.Location+" "+s.Title] = true
	}
	out := map[string]evidence{}
	for _, q := range failed {
		e := evidence{broken: map[string]bool{}, shown: map[string]bool{}, sometimesPassed: q.Occasions > 0, rank: rank(q)}
		for _, f := range q.Findings {
			at := rowOf(f)
			e.broken[at] = true
			if !strings.HasPrefix(f.Got, nothingWithin) || slices.ContainsFunc(traces, func(t trace) bool { return t.in(f) }) {
				e.shown[at] = true
			}
			e.sometimesPassed = e.sometimesPassed && f.Step != "" // the judge also counts its findings
		}
		own := 0
		for at := range e.broken {
			if ran[q.ID][at] {
				own++
			}
		}
		e.share = float64(own) / float64(max(1, len(ran[q.ID])))
		out[q.ID] = e
	}
	for _, q := range failed {
		for _, f := range q.Findings {
			if root, is := out[f.DemandedBy]; is {
				root.broken[rowOf(f)], root.shown[rowOf(f)] = true, true
			}
		}
	}
	return out
}

// weight is how many scenarios show the requirement broken. One that fails in all scenarios of its counts three times as
// much as one that fails in hardly any, and one that never passed twice as much as one that did. The factors order the first
// headings best over a sample of 240 broken servers.
func (e evidence) weight() float64 {
	w := float64(len(e.shown)) * (e.share + 0.5)
	if !e.sometimesPassed {
		w *= 2
	}
	return w
}

// compare orders evidence, the strongest first: by weight; then by the scenarios in which it is missed; then the rule
// that never passed; then the deepest chapter.
func (e evidence) compare(o evidence) int {
	held := 0
	switch {
	case e.sometimesPassed && !o.sometimesPassed:
		held = 1
	case o.sometimesPassed && !e.sometimesPassed:
		held = -1
	}
	return cmp.Or(
		cmp.Compare(o.weight(), e.weight()), cmp.Compare(len(o.broken), len(e.broken)),
		held, cmp.Compare(o.share, e.share), cmp.Compare(e.rank, o.rank),
	)
}
