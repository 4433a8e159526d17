package report

import (
	"cmp"
	"slices"
	"strings"
)

// evidence measures how likely a broken requirement is the cause of the failures of a run.
type evidence struct {
	broken    map[string]bool // places and titles of the scenarios in which it is broken
	shown     int             // scenarios with a finding that shows received data or a trace, not only that nothing came
	share     float64         // fraction of its own scenarios that ran in which it is broken
	satisfied bool            // the judge checked it and found it satisfied; then only the steps of its scenarios failed
	rank      int             // of its chapter
}

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
		ran[s.Requirement][s.Place+" "+s.Title] = true
	}
	out := map[string]evidence{}
	for _, q := range failed {
		e := evidence{broken: map[string]bool{}, satisfied: q.Occasions > 0, rank: rank(q)}
		shown := map[string]bool{}
		for _, f := range q.Findings {
			at := f.Place + " " + f.Scenario
			e.broken[at] = true
			if !strings.HasPrefix(f.Got, nothingWithin) || slices.ContainsFunc(traces, func(t trace) bool { return t.in(f) }) {
				shown[at] = true
			}
			e.satisfied = e.satisfied && f.Step != "" // the judge also counts its findings
		}
		own := 0
		for at := range e.broken {
			if ran[q.ID][at] {
				own++
			}
		}
		e.shown, e.share = len(shown), float64(own)/float64(max(1, len(ran[q.ID])))
		out[q.ID] = e
	}
	return out
}

// compare orders evidence, the strongest first: wrong data in most scenarios; then missing data in most; then the rule that
// was never satisfied and whose scenarios fail most often; then the deepest chapter.
func (e evidence) compare(o evidence) int {
	held := func(e evidence) int {
		if e.satisfied {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(o.shown, e.shown), cmp.Compare(len(o.broken), len(e.broken)),
		cmp.Compare(held(e), held(o)), cmp.Compare(o.share, e.share), cmp.Compare(e.rank, o.rank),
	)
}
