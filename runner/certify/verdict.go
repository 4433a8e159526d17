package certify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/spec"
)

// verdicts turns the results of a run into verdicts. No row adds to the results meanwhile.
type verdicts struct {
	selected *selection // of the run
	of       *results   // complete
}

// verdict returns the verdict of one requirement, from the outcomes of its scenarios and the judge's findings in all
// scenarios.
func (v verdicts) verdict(q spec.Requirement, rows []report.Scenario) report.Requirement {
	out := report.Requirement{
		ID: q.ID, Level: string(v.selected.level(q)), Chapter: q.Chapter, Sentence: q.Sentence,
		Location: fmt.Sprintf("spec/%s:%d", q.File, q.Line), Tier: q.Tier, Capabilities: q.Capabilities,
		Untestable: q.Untestable, Occasions: v.of.counts.occasions[q.ID], Findings: unique(v.of.findings[q.ID]), Scenarios: locations(v.selected.suite, q.ID),
	}
	simplestFirst(v.selected.suite, out.Findings, out.Scenarios)
	if out.Findings == nil { // the JSON form has lists, never null
		out.Findings = []record.Finding{}
	}
	if out.Capabilities == nil {
		out.Capabilities = []string{}
	}
	if out.Scenarios == nil {
		out.Scenarios = []string{}
	}
	for i := range out.Findings {
		if v.selected.options.Rerun != "" && out.Findings[i].Rerun == "" {
			out.Findings[i].Rerun = v.selected.untried(q.ID, out.Scenarios, out.Findings[i])
		}
	}
	unprovable, broken := undecided(rows)
	switch {
	case v.of.fault != "":
		out.Verdict, out.Reason = report.Skipped, "the preflight failed"
	case v.selected.plan.NotClaimed[q.ID] != "":
		out.Verdict, out.Reason = report.NotClaimed, v.selected.notClaimed(v.selected.plan.NotClaimed[q.ID])
	case q.Untestable != "":
		out.Verdict, out.Reason = report.Unprovable, "untestable: "+q.Untestable
	case v.selected.skips.requirements[q.ID]:
		out.Verdict, out.Reason, out.Findings = report.Skipped, "the call skips it", []record.Finding{}
	case len(out.Findings) > 0 && v.selected.level(q).Mandatory(): // before errors: that of another scenario doesn't undo a finding
		out.Verdict = report.Fail
	case len(out.Findings) > 0:
		out.Verdict = report.Warn
	case len(broken) > 0:
		slices.Sort(broken)
		out.Verdict, out.Reason = report.Error, broken[0]
	case v.of.interrupted && len(rows) < v.selected.planned(q.ID):
		out.Verdict, out.Reason = report.Error, "the run was interrupted before every scenario had run"
	case v.of.ended != "" && len(rows) < v.selected.planned(q.ID):
		out.Verdict, out.Reason = report.Error, v.of.ended+" came before every scenario had run"
	case v.selected.skipped(q.ID) > 0:
		out.Verdict, out.Reason = report.Skipped, "the call skips scenarios of it"
	case out.Occasions > 0: // a row that proved nothing doesn't undo a pass
		out.Verdict = report.Pass
	case slices.Contains(unprovable, busyReason):
		out.Verdict, out.Reason = report.Error, busyReason
	case len(unprovable) > 0:
		slices.Sort(unprovable)
		out.Verdict, out.Reason = report.Unprovable, reasonOf(unprovable[0])
	default:
		out.Verdict, out.Reason = report.Unprovable, "never exercised"
	}
	out.Proof = v.of.counts.proof(q.ID, out.Verdict)
	if why, known := v.selected.options.Known[q.ID]; known && (out.Verdict == report.Fail || out.Verdict == report.Warn) {
		out.Verdict, out.Reason = report.Known, why
	}
	return out
}

// undecided lists why rows were unprovable, and why they were errors.
func undecided(rows []report.Scenario) (unprovable, broken []string) {
	for _, row := range rows {
		switch row.Outcome {
		case report.Unprovable:
			unprovable = append(unprovable, row.Reason)
		case report.Error:
			if row.Reason != busyReason && !strings.HasPrefix(row.Reason, whileGone) {
				row.Reason = row.Title + ": " + row.Reason
			}
			broken = append(broken, row.Reason)
		}
	}
	return unprovable, broken
}
