package certify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/spec"
)

// classes returns the certification classes and whether the run has earned them. A run of a selection earns none whose
// requirements it left out.
func (v verdicts) classes(rep *report.Report) []report.Class {
	verdicts := map[string]report.Verdict{}
	excused := map[string]bool{} // a freedom leaves nothing of them to judge
	for _, q := range rep.Requirements {
		verdicts[q.ID] = q.Verdict
		rule, _ := v.selected.suite.Book.Get(q.ID)
		excused[q.ID] = len(rule.Freedoms) > 0 && q.Verdict == report.Unprovable && q.Reason == record.NothingToJudge
	}
	out := []report.Class{}
	for _, c := range v.selected.suite.Book.Classes(v.selected.suite.Pack.Name) {
		class := report.Class{Name: c.Name, Earned: true, Missing: []report.Missing{}}
		if class.Unclaimed = v.unclaimed(c, rep); class.Unclaimed != "" && v.of.fault == "" {
			class.Earned = false
			out = append(out, class)
			continue
		}
		miss := func(id string, verdict report.Verdict) {
			class.Earned = false
			class.Missing = append(class.Missing, report.Missing{ID: id, Verdict: verdict})
		}
		for _, id := range c.Requirements {
			switch verdict, ran := verdicts[id]; {
			case !ran, v.selected.plan.Partial[id]:
				miss(id, "not selected")
			case verdict == report.Warn: // the config makes it one
			case excused[id]:
			case verdict != report.Pass:
				miss(id, verdict)
			}
		}
		for _, id := range c.Conditional {
			if verdict := verdicts[id]; verdict == report.Fail || verdict == report.Error || verdict == report.Known || verdict == report.Skipped {
				miss(id, verdict)
			}
		}
		if class.Earned && !v.selected.options.Target.Scripts() {
			class.Unplayed = v.selected.suite.Pack.Unplayed
		}
		out = append(out, class)
	}
	return out
}

// unclaimed returns why a target doesn't claim a class, "" if it does: the config lacks a capability of the class, or a
// setting that every requirement of one of its chapters needs, such as several addresses.
func (v verdicts) unclaimed(c spec.Class, rep *report.Report) string {
	for _, name := range c.Capabilities {
		if !v.selected.options.Target.Claims(name) {
			return v.selected.notClaimed(name)
		}
	}
	claims, reasons := map[string]bool{}, map[string]string{} // by chapter
	for _, q := range rep.Requirements {
		if !slices.Contains(c.Requirements, q.ID) {
			continue
		}
		reason := ""
		if lacks := pack.Lacks(v.selected.options.Target, q.Tier); q.Verdict == report.Unprovable && lacks != nil {
			reason = lacks.Error()
		} else if q.Verdict == report.NotClaimed {
			reason = q.Reason
		}
		reasons[q.Chapter] = reason
		claims[q.Chapter] = claims[q.Chapter] || reason == ""
	}
	for _, chapter := range c.Chapters {
		if claimed, ran := claims[chapter]; ran && !claimed {
			return reasons[chapter]
		}
	}
	return ""
}

// unearnable returns why a run that only the server's model provokes can't earn any class that the target claims, "" if it
// can.
func unearnable(rep *report.Report) string {
	reasons := map[string]string{}
	for _, q := range rep.Requirements {
		reasons[q.ID] = q.Reason
	}
	claimed, fewest := 0, []string(nil)
	for _, c := range rep.Classes {
		if c.Unclaimed != "" {
			continue
		}
		claimed++
		var beyond []string
		for _, m := range c.Missing {
			if m.Verdict == report.Unprovable && reasons[m.ID] == byModelAlone {
				beyond = append(beyond, m.ID)
			}
		}
		if len(beyond) == 0 {
			return ""
		}
		if fewest == nil || len(beyond) < len(fewest) { // the class that is nearest
			fewest = beyond
		}
	}
	if claimed == 0 {
		return ""
	}
	const named = 3
	text := strings.Join(fewest[:min(len(fewest), named)], ", ")
	if n := len(fewest) - named; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return "no class can be earned by the model alone, because each has requirements that only the control binding provokes, at least " + text
}
