package compare

import (
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/report"
)

// Named is a report with a name for readers, such as that of its file.
type Named struct {
	Name string
	*report.Report
}

// Change is a change of one requirement's verdict or finding. A verdict is "" if the report doesn't contain the
// requirement.
type Change struct {
	ID, Level     string
	Before, After report.Verdict
	Was, Is       string // the fault, or the reason; "" for a pass
}

// Result lists the differences between two reports, each list in the order of the specification.
type Result struct {
	Before, After Named
	Broke         []Change // it is broken, and was not
	Mended        []Change // it passes, and was broken
	Words         []Change // it is broken as before, and the first finding differs
	Unproven      []Change // it passed, and isn't proven any more
	Proven        []Change // it passes, and wasn't proven
	Lost, Earned  []string // classes
	Notes         []string // differences that make the two less comparable
}

// Two compares two reports. The error explains why they can't be compared.
func Two(before, after Named) (*Result, error) {
	if before.Suite.Pack != after.Suite.Pack {
		return nil, fmt.Errorf("%s is a report of pack %s and %s one of %s; expected two of one pack", before.Name, before.Suite.Pack, after.Name, after.Suite.Pack)
	}
	r := &Result{Before: before, After: after}
	r.notes()
	was := map[string]report.Requirement{}
	for _, q := range before.Requirements {
		was[q.ID] = q
	}
	for _, q := range after.Requirements {
		r.add(was[q.ID], q)
		delete(was, q.ID)
	}
	for _, q := range before.Requirements {
		if _, gone := was[q.ID]; gone {
			r.add(q, report.Requirement{ID: q.ID, Level: q.Level})
		}
	}
	for _, c := range after.Classes {
		switch held := before.Earned(c.Name); {
		case held && !c.Earned:
			r.Lost = append(r.Lost, c.Name)
		case !held && c.Earned:
			r.Earned = append(r.Earned, c.Name)
		}
	}
	return r, nil
}

// broken are the verdicts of a violated requirement.
var broken = []report.Verdict{report.Fail, report.Warn, report.Known}

func (r *Result) add(was, is report.Requirement) {
	c := Change{ID: is.ID, Level: is.Level, Before: was.Verdict, After: is.Verdict, Was: was.Fault(), Is: is.Fault()}
	bad, worse := slices.Contains(broken, was.Verdict), slices.Contains(broken, is.Verdict)
	switch {
	case worse && !bad:
		r.Broke = append(r.Broke, c)
	case worse && !was.Alike(is):
		r.Words = append(r.Words, c)
	case bad && is.Verdict == report.Pass:
		r.Mended = append(r.Mended, c)
	case was.Verdict == report.Pass && is.Verdict != report.Pass, bad && !worse:
		r.Unproven = append(r.Unproven, c)
	case is.Verdict == report.Pass && was.Verdict != report.Pass:
		r.Proven = append(r.Proven, c)
	}
}

// notes lists other differences, which may be the cause of a change instead of the server.
func (r *Result) notes() {
	differ := func(what, before, after string) {
		if before != after {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: %s, then %s", what, or(before), or(after)))
		}
	}
	a, b := r.Before.Suite, r.After.Suite
	differ("version of the suite", a.Version, b.Version)
	if a.Version == b.Version {
		differ("digest of the suite", a.Digest, b.Digest)
	}
	differ("seed", fmt.Sprint(a.Seed), fmt.Sprint(b.Seed))
	differ("effort", a.Effort, b.Effort)
	for _, n := range []Named{r.Before, r.After} {
		switch {
		case n.Fault != "":
			r.Notes = append(r.Notes, n.Name+" could not find out anything: "+n.Fault)
		case n.Interrupted || n.Ended != "":
			r.Notes = append(r.Notes, n.Name+" is of a run that ended early")
		}
	}
}

func or(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// Worse reports whether something broke, or a class was lost.
func (r *Result) Worse() bool { return len(r.Broke) > 0 || len(r.Lost) > 0 }

// list is one list of a result under its heading.
type list struct {
	ID, Title string
	Changes   []Change
}

func (r *Result) lists() []list {
	return []list{
		{"broke", "Broke", r.Broke}, {"mended", "Mended", r.Mended}, {"words", "Broken in other words", r.Words},
		{"unproven", "No longer proven", r.Unproven}, {"proven", "Proven now", r.Proven},
	}
}
