package certify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// report converts the results of the run into verdicts.
func (r *running) report(began time.Time) *report.Report {
	t := r.options.Target
	name, version, commit := t.Identity()
	rep := &report.Report{
		Suite: report.Suite{
			Name: "streamcert", Version: r.suite.Version(), Pack: r.suite.Pack.Name, Digest: r.suite.Digest,
			Seed: r.options.Seed, Strict: r.options.Strict, Program: r.options.Program, Effort: string(cmp.Or(r.options.Effort, campaign.Quick)),
		},
		Target: report.Target{
			URL: t.Redact(t.URL()), Without: t.Without(), Name: t.Redact(name), Version: t.Redact(version), Commit: t.Redact(commit),
			Limits: t.Limits().Declared(), Names: r.names, Settings: t.Settings(),
		},
		Started: began.UTC(),
		Classes: []report.Class{}, Requirements: []report.Requirement{}, Scenarios: []report.Scenario{}, Notes: r.transcripts.notes,
		Fault: r.fault, Interrupted: r.interrupted, Ended: r.ended, Ends: r.outages.reported(), ServerLog: r.outages.log(),
	}
	rep.Target.Introduce(r.server)
	for _, what := range slices.Sorted(maps.Keys(r.counts.proven)) {
		rep.Proven = append(rep.Proven, report.Proven{What: what, Most: r.counts.proven[what]})
	}
	rep.Unplayed = slices.SortedFunc(slices.Values(r.counts.unplayed), func(a, b report.Unplayed) int { return strings.Compare(a.What, b.What) })
	rep.Model = notesOfModel(t)
	if rep.Notes == nil {
		rep.Notes = []report.Note{}
	}
	byRequirement := map[string][]report.Scenario{}
	for _, row := range r.rows {
		rep.Scenarios = append(rep.Scenarios, row.report)
		byRequirement[row.scenario.Requirement] = append(byRequirement[row.scenario.Requirement], row.report)
	}
	slices.SortFunc(rep.Scenarios, func(a, b report.Scenario) int {
		return cmp.Or(cmp.Compare(a.Location, b.Location), cmp.Compare(a.Title, b.Title))
	})
	for _, q := range r.plan.Requirements {
		rep.Requirements = append(rep.Requirements, r.verdict(q, byRequirement[q.ID]))
	}
	for _, q := range r.plan.Others {
		if len(r.findings[q.ID]) > 0 {
			rep.Requirements = append(rep.Requirements, r.verdict(q, byRequirement[q.ID]))
		}
	}
	rep.Count()
	rep.Summary.Seconds = time.Since(began).Seconds()
	rep.Classes = r.classes(rep)
	if !t.Scripts() {
		rep.Unearnable = unearnable(rep)
	}
	return rep
}

// notesOfModel returns the redacted mistakes in the server's requests to its model, a line each; nil if the suite plays no
// model.
func notesOfModel(t *target.Target) []string {
	if t.Model() == nil {
		return nil
	}
	out := t.Model().Notes()
	for i, note := range out {
		out[i] = t.Redact(note)
	}
	return out
}

// verdict returns the verdict of one requirement, from the outcomes of its scenarios and the judge's findings in all
// scenarios.
func (r *running) verdict(q spec.Requirement, rows []report.Scenario) report.Requirement {
	out := report.Requirement{
		ID: q.ID, Level: string(r.level(q)), Chapter: q.Chapter, Sentence: q.Sentence,
		Location: fmt.Sprintf("spec/%s:%d", q.File, q.Line), Tier: q.Tier, Capabilities: q.Capabilities,
		Untestable: q.Untestable, Occasions: r.counts.occasions[q.ID], Findings: unique(r.findings[q.ID]), Scenarios: locations(r.suite, q.ID),
	}
	r.simplestFirst(out.Findings, out.Scenarios)
	if out.Findings == nil {
		out.Findings = []record.Finding{}
	}
	if out.Capabilities == nil {
		out.Capabilities = []string{}
	}
	if out.Scenarios == nil {
		out.Scenarios = []string{}
	}
	for i := range out.Findings {
		if r.options.Rerun != "" && out.Findings[i].Rerun == "" {
			out.Findings[i].Rerun = r.untried(q.ID, out.Scenarios, out.Findings[i])
		}
	}
	unprovable, broken := undecided(rows)
	switch {
	case r.fault != "":
		out.Verdict, out.Reason = report.Skipped, "the preflight failed"
	case r.plan.NotClaimed[q.ID] != "":
		out.Verdict, out.Reason = report.NotClaimed, r.notClaimed(r.plan.NotClaimed[q.ID])
	case q.Untestable != "":
		out.Verdict, out.Reason = report.Unprovable, "untestable: "+q.Untestable
	case r.skips.requirements[q.ID]:
		out.Verdict, out.Reason, out.Findings = report.Skipped, "the call skips it", []record.Finding{}
	case len(out.Findings) > 0 && r.level(q).Mandatory():
		out.Verdict = report.Fail
	case len(out.Findings) > 0:
		out.Verdict = report.Warn
	case len(broken) > 0:
		slices.Sort(broken)
		out.Verdict, out.Reason = report.Error, broken[0]
	case r.interrupted && len(rows) < r.planned(q.ID):
		out.Verdict, out.Reason = report.Error, "the run was interrupted before every scenario had run"
	case r.ended != "" && len(rows) < r.planned(q.ID):
		out.Verdict, out.Reason = report.Error, r.ended+" came before every scenario had run"
	case r.skipped(q.ID) > 0:
		out.Verdict, out.Reason = report.Skipped, "the call skips scenarios of it"
	case out.Occasions > 0:
		out.Verdict = report.Pass
	case slices.Contains(unprovable, busyReason):
		out.Verdict, out.Reason = report.Error, busyReason
	case len(unprovable) > 0:
		slices.Sort(unprovable)
		out.Verdict, out.Reason = report.Unprovable, reasonOf(unprovable[0])
	default:
		out.Verdict, out.Reason = report.Unprovable, "never exercised"
	}
	out.Proof = r.counts.proof(q.ID, out.Verdict)
	if why, known := r.options.Known[q.ID]; known && (out.Verdict == report.Fail || out.Verdict == report.Warn) {
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

// unique drops findings that say the same of the same scenario: a rule that is
// broken in every frame is broken once.
func unique(findings []record.Finding) []record.Finding {
	type key struct{ message, want, title string }
	seen := map[key]bool{}
	var out []record.Finding
	slices.SortStableFunc(findings, func(a, b record.Finding) int {
		return cmp.Or(cmp.Compare(a.Location, b.Location), cmp.Compare(a.Scenario, b.Scenario))
	})
	for _, f := range findings {
		k := key{f.Message, f.Want, f.Scenario}
		if !seen[k] {
			seen[k] = true
			out = append(out, f)
		}
	}
	return out
}

// classes returns the certification classes and whether the run has earned them. A run of a selection earns none whose
// requirements it left out.
func (r *running) classes(rep *report.Report) []report.Class {
	verdicts := map[string]report.Verdict{}
	excused := map[string]bool{} // a freedom leaves nothing of them to judge
	for _, q := range rep.Requirements {
		verdicts[q.ID] = q.Verdict
		rule, _ := r.suite.Book.Get(q.ID)
		excused[q.ID] = len(rule.Freedoms) > 0 && q.Verdict == report.Unprovable && q.Reason == record.NothingToJudge
	}
	out := []report.Class{}
	for _, c := range r.suite.Book.Classes(r.suite.Pack.Name) {
		class := report.Class{Name: c.Name, Earned: true, Missing: []report.Missing{}}
		if class.Unclaimed = r.unclaimed(c, rep); class.Unclaimed != "" && r.fault == "" {
			class.Earned = false
			out = append(out, class)
			continue
		}
		miss := func(id string, v report.Verdict) {
			class.Earned = false
			class.Missing = append(class.Missing, report.Missing{ID: id, Verdict: v})
		}
		for _, id := range c.Requirements {
			switch v, ran := verdicts[id]; {
			case !ran, r.plan.Partial[id]:
				miss(id, "not selected")
			case v == report.Warn: // the config makes it one
			case excused[id]:
			case v != report.Pass:
				miss(id, v)
			}
		}
		for _, id := range c.Conditional {
			if v := verdicts[id]; v == report.Fail || v == report.Error || v == report.Known || v == report.Skipped {
				miss(id, v)
			}
		}
		if class.Earned && !r.options.Target.Scripts() {
			class.Unplayed = r.suite.Pack.Unplayed
		}
		out = append(out, class)
	}
	return out
}
