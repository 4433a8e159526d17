package baseline

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/spec"
)

// Entry is one requirement that is known to fail.
type Entry struct {
	Reason string // why that is known; "" is a problem
	// Campaigns: only campaigns broke it, whose random programs may not break it with another seed.
	Campaigns bool
	Line      int // 1-based, in the file
}

// Draw is the random part of a run, stored so that the next run plays the same.
type Draw struct {
	Seed   int64
	Effort string // "" leaves it to the call
	// Broken are the locations of the campaigns that broke a rule, sorted; nil where the file has none.
	Broken []string
}

// Baseline is a file of entries by requirement id. Nil is one without entries.
type Baseline struct {
	File    string
	Run     *Draw // of the run that wrote it; nil where the file has none
	Entries map[string]Entry
}

// Error is a mistake in the file. Error returns one line: file, line, the mistake and the expected text.
type Error struct {
	File    string
	Line    int // 1-based; 0 for the complete file
	Message string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Known returns the reason by id of every entry that has one.
func (b *Baseline) Known() map[string]string {
	if b == nil {
		return nil
	}
	out := map[string]string{}
	for id, e := range b.Entries {
		if strings.TrimSpace(e.Reason) != "" {
			out[id] = e.Reason
		}
	}
	return out
}

// Problems lists the problems of the entries, in the order of the file, after a run: each names the file, the line and a
// remedy.
func (b *Baseline) Problems(book *spec.Book, r *report.Report) []string {
	if b == nil {
		return nil
	}
	verdicts := map[string]report.Verdict{}
	for _, q := range r.Requirements {
		verdicts[q.ID] = q.Verdict
	}
	ids := slices.SortedFunc(maps.Keys(b.Entries), func(x, y string) int { return b.Entries[x].Line - b.Entries[y].Line })
	var out []string
	for _, id := range ids {
		e := b.Entries[id]
		problem := ""
		q, ok := book.Get(id)
		switch {
		case !ok:
			problem = "there is no such requirement; `streamcert explain` finds those that there are, or take it out"
		case !q.Testable():
			problem = "no run has a verdict on this requirement; take it out"
		case verdicts[id] == report.Pass && !e.Campaigns:
			problem = "it passes; take it out, so that it stays so"
		case q.Pack == r.Suite.Pack && strings.TrimSpace(e.Reason) == "":
			problem = "its reason is empty; say why it is known to fail, or take it out"
		}
		if problem != "" {
			out = append(out, fmt.Sprintf("%s:%d: %s: %s", b.File, e.Line, id, problem))
		}
	}
	return out
}

// Notices lists, in the order of the report, remarks on the entries that fail no run: requirements that campaigns broke,
// and that pass now.
func (b *Baseline) Notices(r *report.Report) []string {
	var out []string
	if b == nil {
		return nil
	}
	for _, q := range r.Requirements {
		e, ok := b.Entries[q.ID]
		if !ok || !e.Campaigns || q.Verdict != report.Pass {
			continue
		}
		draw := ""
		if b.Run != nil {
			draw = fmt.Sprintf(" with seed %d", b.Run.Seed)
			if b.Run.Effort != "" {
				draw += " and effort " + b.Run.Effort
			}
		}
		out = append(out, fmt.Sprintf("%s:%d: %s: campaigns broke it%s, and it passes in this run; take it out once it passes with that seed and effort", b.File, e.Line, q.ID, draw))
	}
	return out
}

// sameDraw reports whether a run has the seed and effort of the run that wrote the file.
func (b *Baseline) sameDraw(r *report.Report) bool {
	return b.Run == nil || b.Run.Seed == r.Suite.Seed && (b.Run.Effort == "" || b.Run.Effort == r.Suite.Effort)
}

// with returns the draw, with the broken campaigns of a report of the same draw.
func (d *Draw) with(r *report.Report, same bool) *Draw {
	if !same {
		return d
	}
	played := func(place string) bool {
		return slices.ContainsFunc(r.Scenarios, func(s report.Scenario) bool { return s.Location == place })
	}
	broken := append(slices.DeleteFunc(slices.Clone(d.Broken), played), brokenCampaigns(r)...)
	slices.Sort(broken)
	return &Draw{d.Seed, d.Effort, slices.Compact(broken)}
}

// brokenCampaigns returns the locations of the campaigns in which a report has something broken, sorted; not nil.
func brokenCampaigns(r *report.Report) []string {
	out := []string{}
	for _, q := range r.Requirements {
		for _, f := range q.Findings {
			if isDrawn(f) {
				out = append(out, f.Location)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isDrawn reports whether a campaign found something.
func isDrawn(f record.Finding) bool { return path.Base(path.Dir(f.Location)) == "campaigns" }

// byCampaigns reports whether nothing but campaigns found a requirement broken.
func byCampaigns(q report.Requirement) bool {
	return len(q.Findings) > 0 && !slices.ContainsFunc(q.Findings, func(f record.Finding) bool { return !isDrawn(f) })
}

// Merge returns the baseline for a report: every requirement that fails, with the reason that b has for it, and the entries
// of b without a verdict in the report. Entries that pass, and those of no requirement, are left out; one that campaigns
// broke stays until it passes with the seed and the effort of b. The draw is that of the report, unless it leaves out an
// entry of b.
func (b *Baseline) Merge(book *spec.Book, r *report.Report) *Baseline {
	out := &Baseline{Entries: map[string]Entry{}, Run: &Draw{r.Suite.Seed, r.Suite.Effort, brokenCampaigns(r)}}
	verdicts := map[string]report.Requirement{}
	for _, q := range r.Requirements {
		verdicts[q.ID] = q
	}
	same := true
	if b != nil {
		out.File, same = b.File, b.sameDraw(r)
		for id, e := range b.Entries {
			q, ok := book.Get(id)
			if !ok || !q.Testable() {
				continue
			}
			out.Entries[id] = e
			if _, judged := verdicts[id]; !judged && b.Run != nil {
				out.Run = b.Run.with(r, same)
			}
		}
	}
	for id, q := range verdicts {
		e, there := out.Entries[id]
		switch fails := q.Verdict == report.Fail || q.Verdict == report.Known || q.Verdict == report.Warn && r.Suite.Strict; {
		case fails:
			e.Campaigns = byCampaigns(q) && (!there || e.Campaigns)
			out.Entries[id] = e
		case q.Verdict == report.Pass && (same || !e.Campaigns):
			delete(out.Entries, id)
		}
	}
	return out
}
