package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
)

// evidence weighs how much of a run speaks for a broken requirement as the cause of what failed.
type evidence struct {
	broken map[string]bool // locations and titles of the scenarios in which it is broken, or in which only what it asks for is missing
	shown  map[string]bool // those of broken in which a finding shows what came, a trace, or that what it asks for never came
	share  float64         // of its scenarios that ran, those in which it is broken: 0 to 1
	never  int             // 1 where no occasion of it passed, else 0: its failures may be those of another rule
	cause  int             // number of scenarios that its cause breaks; 0 before causes are known
	rank   int             // of its chapter
}

// rowOf names the row of a scenario in which a finding was made.
func rowOf(f record.Finding) string { return f.Location + " " + f.Scenario }

// evidenceOf weighs the failures of a report, by id. A step that prepares a scenario shows no rule broken: what the scenario
// is about was not reached.
func evidenceOf(r *Report, failed []Requirement) map[string]evidence {
	ran, rows := map[[2]string]bool{}, map[string]int{}
	for _, s := range r.Scenarios {
		if row := [2]string{s.Requirement, s.Location + " " + s.Title}; (s.Outcome == Pass || s.Outcome == Fail) && !ran[row] {
			ran[row] = true
			rows[s.Requirement]++
		}
	}
	out := map[string]evidence{}
	for _, q := range failed {
		e := evidence{broken: map[string]bool{}, shown: map[string]bool{}, rank: rank(q)}
		if q.Occasions == 0 || slices.ContainsFunc(q.Findings, func(f record.Finding) bool { return f.Step == "" }) { // the judge also counts its findings
			e.never = 1
		}
		for _, f := range q.Findings {
			at := rowOf(f)
			e.broken[at] = true
			came := (f.Step == "" || f.Got != "") && !strings.HasPrefix(f.Got, nothingWithin)
			if came && !f.Setup || slices.ContainsFunc(traces, func(t trace) bool { return t.in(f) }) {
				e.shown[at] = true
			}
		}
		own := 0
		for at := range e.broken {
			if ran[[2]string{q.ID, at}] {
				own++
			}
		}
		e.share = float64(own) / float64(max(1, rows[q.ID]))
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

// weight is the number of scenarios that show the requirement broken. One that fails in all of its scenarios counts three times as
// much as one that fails in hardly any, and one that never passed twice as much as one that did. The factors order the first
// headings best over a sample of 240 broken servers.
func (e evidence) weight() float64 {
	return float64(len(e.shown)) * (e.share + 0.5) * float64(1+e.never)
}

// compare orders evidence, the strongest first: by weight; then by the scenarios in which it is missed; then the rule that
// never passed; then by the scenarios of its cause; then the deepest chapter.
func (e evidence) compare(o evidence) int {
	return cmp.Or(
		cmp.Compare(o.weight(), e.weight()), cmp.Compare(len(o.broken), len(e.broken)), cmp.Compare(o.never, e.never),
		cmp.Compare(o.share, e.share), cmp.Compare(o.cause, e.cause), cmp.Compare(e.rank, o.rank),
	)
}
