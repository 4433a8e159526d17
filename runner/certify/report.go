package certify

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
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
	v := verdicts{&r.selection, r.results}
	byRequirement := map[string][]report.Scenario{}
	for _, row := range r.rows {
		rep.Scenarios = append(rep.Scenarios, row.report)
		byRequirement[row.scenario.Requirement] = append(byRequirement[row.scenario.Requirement], row.report)
	}
	slices.SortFunc(rep.Scenarios, func(a, b report.Scenario) int {
		return cmp.Or(cmp.Compare(a.Location, b.Location), cmp.Compare(a.Title, b.Title))
	})
	for _, q := range r.plan.Requirements {
		rep.Requirements = append(rep.Requirements, v.verdict(q, byRequirement[q.ID]))
	}
	for _, q := range r.plan.Others {
		if len(r.findings[q.ID]) > 0 {
			rep.Requirements = append(rep.Requirements, v.verdict(q, byRequirement[q.ID]))
		}
	}
	rep.Count()
	rep.Summary.Seconds = time.Since(began).Seconds()
	rep.Classes = v.classes(rep)
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
