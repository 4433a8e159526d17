package baseline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/spec"
)

// Entry is one requirement that is known to fail.
type Entry struct {
	Reason string // why that is known; "" is a problem
	Line   int    // 1-based, in the file
}

// Baseline is a file of entries by requirement id. Nil is one without entries.
type Baseline struct {
	File    string
	Entries map[string]Entry
}

// Error is a mistake in the file. Error gives one line: file, line, what is wrong
// and what was expected.
type Error struct {
	File    string
	Line    int // 1-based; 0 when the whole file is meant
	Message string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Known is the reason by id of every entry that has one.
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

// Problems lists what is wrong with the entries, in the order of the file, after a
// run: each names the file, the line and what to do.
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
		case verdicts[id] == report.Pass:
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

// Merge is the baseline that fits a report: every requirement that fails, with the
// reason that b has for it, and those entries of b on which the report says
// nothing. Entries that pass, and those of no requirement, are left out.
func (b *Baseline) Merge(book *spec.Book, r *report.Report) *Baseline {
	out := &Baseline{Entries: map[string]Entry{}}
	silent := map[string]bool{}
	if b != nil {
		out.File = b.File
		for id, e := range b.Entries {
			if q, ok := book.Get(id); ok && q.Testable() {
				out.Entries[id], silent[id] = e, true
			}
		}
	}
	for _, q := range r.Requirements {
		switch fails := q.Verdict == report.Fail || q.Verdict == report.Known || q.Verdict == report.Warn && r.Suite.Strict; {
		case fails && !silent[q.ID]:
			out.Entries[q.ID] = Entry{}
		case q.Verdict == report.Pass:
			delete(out.Entries, q.ID)
		}
	}
	return out
}
