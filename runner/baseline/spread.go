package baseline

import (
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// Spread gives the verdict known to requirements that only campaigns broke, if the requirement is of the same chapter as
// one that an entry with a reason names and that fails here, or is broken only in scenarios in which such a requirement is.
// The side effects of a known bug depend on the draw and on timing: without this, the exit code would too. If a run has the
// draw of the run that wrote the file, this excuses only campaigns that were broken then: another one has found something
// new. It returns a notice for each.
func (b *Baseline) Spread(r *report.Report) []string {
	if b == nil {
		return nil
	}
	byChapter, byRow := map[string]string{}, map[[2]string]string{} // the known rule
	for _, q := range r.Requirements {
		if q.Verdict != report.Known {
			continue
		}
		byChapter[q.Chapter] = q.ID
		for _, f := range q.Findings {
			byRow[[2]string{f.Location, f.Scenario}] = q.ID
		}
	}
	var out []string
	for i, q := range r.Requirements {
		fails := q.Verdict == report.Fail || q.Verdict == report.Warn && r.Suite.Strict
		if _, there := b.Entries[q.ID]; there || !fails || !byCampaigns(q) {
			continue
		}
		root, away := byChapter[q.Chapter], func(f record.Finding) bool { return byRow[[2]string{f.Location, f.Scenario}] == "" }
		if root == "" && !slices.ContainsFunc(q.Findings, away) {
			root = byRow[[2]string{q.Findings[0].Location, q.Findings[0].Scenario}]
		}
		if root == "" || b.isNew(r, q) {
			continue
		}
		r.Requirements[i].Verdict = report.Known
		r.Requirements[i].Reason = "only campaigns broke it, and " + root + ", which the baseline knows, is broken too"
		out = append(out, fmt.Sprintf("%s: %s is not in it: only campaigns broke it, probably because %s is broken; add it with its own reason, or mend that first", b.File, q.ID, root))
	}
	if len(out) > 0 {
		r.Recount()
	}
	return out
}

// isNew reports whether a campaign broke a requirement that broke none in the run that wrote the file, with the same draw.
func (b *Baseline) isNew(r *report.Report, q report.Requirement) bool {
	if b.Run == nil || b.Run.Broken == nil || !b.sameDraw(r) {
		return false
	}
	return slices.ContainsFunc(q.Findings, func(f record.Finding) bool { return !slices.Contains(b.Run.Broken, f.Location) })
}
