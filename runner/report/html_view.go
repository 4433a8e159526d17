package report

import (
	"cmp"
	"fmt"
	"html/template"
	"path"
	"slices"
	"strings"
)

// The room of a page, in bytes: a page of some megabytes opens at once on a
// phone, and a server that breaks everything at length must not make it larger.
const (
	pageRoom     = 1900 << 10 // for findings, transcripts and tabs; the table of requirements takes the rest
	findingsRoom = 768 << 10
	leastRoom    = 256 << 10 // for transcripts, whatever else there is
	valueRoom    = 4 << 10   // for one value that was wanted or got
	wordsRoom    = 120       // for one where there is no room left
	articleRoom  = 1500      // for what stands around the findings of a requirement
)

// view is what the page shows.
type view struct {
	*Report
	Require  string
	Verdict  Verdict // of the run as a whole
	Word     string
	Counts   []count
	Broken   []requirementView
	Chapters []chapterView
	Columns  []Verdict
	Open     []openView
	Groups   []groupView
	ByGolden []goldenView
}

type count struct {
	Verdict Verdict
	N       int
}

type chapterView struct {
	Name         string
	Counts       map[Verdict]int
	Requirements []requirementView
}

type requirementView struct {
	Requirement
	Why      template.HTML
	Hint     string // what it has in common with others that failed
	Findings []findingView
	More     int // findings that aren't shown
	Rerun    string
	Runs     []*scenarioView
}

type findingView struct {
	Finding
	Wire template.HTML
	Run  *scenarioView // nil if it isn't known
}

// openView is a reason for which requirements were not proven.
type openView struct {
	Verdict      Verdict
	Reason       string
	Requirements []Requirement
}

type groupView struct {
	Name string
	Runs []*scenarioView
}

type scenarioView struct {
	Scenario
	Anchor    string
	Exchanges []exchangeView
	Full      bool // there was no room for what went over the wire
}

type exchangeView struct {
	Heading string
	Wire    template.HTML
}

type goldenView struct {
	Golden string
	Notes  []Note
}

func viewed(r *Report, h HTML) *view {
	v := &view{Report: r, Require: h.Require, Verdict: Pass, Word: "PASS"}
	switch r.ExitCode(h.Require) {
	case 1:
		v.Verdict, v.Word = Fail, "FAIL"
	case 3:
		v.Verdict, v.Word = Error, "ERROR"
	}
	total := map[Verdict]int{}
	for _, q := range r.Requirements {
		total[q.Verdict]++
	}
	for _, c := range columns {
		if total[c] > 0 {
			v.Counts = append(v.Counts, count{c, total[c]})
			v.Columns = append(v.Columns, c)
		}
	}
	runs := v.scenarios()
	left := pageRoom - v.requirements(runs, h.Why)
	for _, t := range h.Tabs {
		left -= len(t.Body)
	}
	v.transcripts(max(left, leastRoom))
	v.open()
	for _, n := range r.Notes {
		if k := len(v.ByGolden); k == 0 || v.ByGolden[k-1].Golden != n.Golden {
			v.ByGolden = append(v.ByGolden, goldenView{Golden: n.Golden})
		}
		last := &v.ByGolden[len(v.ByGolden)-1]
		last.Notes = append(last.Notes, n)
	}
	return v
}

// filterView is a form that chooses among the rows of a part.
type filterView struct {
	Part    string
	Columns []Verdict
}

// Filter makes the form of a part with the verdicts that occur in it.
func (v *view) Filter(part string) filterView {
	if part == "requirements" {
		return filterView{part, v.Columns}
	}
	f := filterView{Part: part}
	for _, c := range columns {
		if slices.ContainsFunc(v.Scenarios, func(s Scenario) bool { return s.Outcome == c }) {
			f.Columns = append(f.Columns, c)
		}
	}
	return f
}

func (v *view) unproven() int {
	n := 0
	for _, o := range v.Open {
		n += len(o.Requirements)
	}
	return n
}

// scenarios makes the list of scenarios, a group a folder of features.
func (v *view) scenarios() map[scenarioKey]*scenarioView {
	out := map[scenarioKey]*scenarioView{}
	for i, s := range v.Scenarios {
		run := &scenarioView{Scenario: s, Anchor: fmt.Sprintf("scenario-%d", i+1)}
		out[scenarioKey{s.Place, s.Title}] = run
		file, _, _ := strings.Cut(s.Place, ":")
		name := strings.TrimPrefix(path.Dir(file), "features/"+v.Suite.Pack+"/")
		if n := len(v.Groups); n == 0 || v.Groups[n-1].Name != name {
			v.Groups = append(v.Groups, groupView{Name: name})
		}
		last := &v.Groups[len(v.Groups)-1]
		last.Runs = append(last.Runs, run)
	}
	return out
}

// transcripts fills in what went over the wire, of the scenarios that failed
// first.
func (v *view) transcripts(room int) {
	var all []*scenarioView
	for _, g := range v.Groups {
		all = append(all, g.Runs...)
	}
	slices.SortStableFunc(all, func(a, b *scenarioView) int { return cmp.Compare(urgency(a.Outcome), urgency(b.Outcome)) })
	for _, run := range all {
		run.transcripts(&room)
	}
}

func urgency(v Verdict) int {
	if at := slices.Index([]Verdict{Fail, Error, Warn, Known}, v); at >= 0 {
		return at
	}
	return len(columns)
}

// requirements fills in the requirements and returns what their findings take.
func (v *view) requirements(runs map[scenarioKey]*scenarioView, why func(string) string) int {
	of := map[string][]*scenarioView{}
	for _, g := range v.Groups {
		for _, run := range g.Runs {
			of[run.Requirement] = append(of[run.Requirement], run)
		}
	}
	at, order := map[string]int{}, map[string]int{}
	room := findingsRoom
	failed, causes := byCause(v.Report, Fail)
	for i, q := range failed {
		order[q.ID] = i
	}
	for _, q := range v.Report.Requirements {
		seen := requirementView{Requirement: q, Runs: of[q.ID], Hint: causes[q.ID].hint(q.ID)}
		if why != nil {
			seen.Why = Prose(why(q.ID))
		}
		if urgency(q.Verdict) < len(columns) {
			seen.findings(runs, &room)
			v.Broken = append(v.Broken, seen)
		}
		i, ok := at[q.Chapter]
		if !ok {
			i = len(v.Chapters)
			at[q.Chapter] = i
			v.Chapters = append(v.Chapters, chapterView{Name: q.Chapter, Counts: map[Verdict]int{}})
		}
		v.Chapters[i].Counts[q.Verdict]++
		v.Chapters[i].Requirements = append(v.Chapters[i].Requirements, seen)
	}
	byUrgency := func(a, b requirementView) int {
		return cmp.Or(cmp.Compare(urgency(a.Verdict), urgency(b.Verdict)), cmp.Compare(order[a.ID], order[b.ID]))
	}
	slices.SortStableFunc(v.Broken, byUrgency)
	for _, c := range v.Chapters {
		slices.SortStableFunc(c.Requirements, byUrgency)
	}
	return findingsRoom - room
}

// findings chooses what is shown of a requirement that did not pass. The first is
// always shown, in a few words if there is no room for more.
func (q *requirementView) findings(runs map[scenarioKey]*scenarioView, room *int) {
	all := q.Requirement.Findings
	*room -= articleRoom
	for _, f := range telling(all) {
		seen := findingView{Finding: f, Run: runs[scenarioKey{f.Place, f.Scenario}]}
		size := seen.clip(valueRoom)
		if *room < size && len(q.Findings) > 0 {
			break
		}
		if *room < size {
			size = seen.clip(wordsRoom)
		}
		*room -= size
		if wire := wireHTML(clipped(f.Exchange, 2*valueRoom)); f.Exchange != "" && len(wire) <= *room {
			seen.Wire = wire
			*room -= len(wire)
		}
		q.Findings = append(q.Findings, seen)
	}
	q.More = len(all) - len(q.Findings)
	if len(all) > 0 {
		q.Rerun = all[0].Rerun
	}
}

// clip cuts every value of a finding and returns what they take on the page.
func (f *findingView) clip(most int) int {
	size := 0
	for _, value := range []*string{&f.Message, &f.Want, &f.Got, &f.Curl, &f.Instance, &f.Step} {
		*value = clipped(*value, most)
		size += len(template.HTMLEscapeString(Plain(*value)))
	}
	return size
}

// open groups what was not proven by what stands in its way, the most of it
// first.
func (v *view) open() {
	for _, verdict := range []Verdict{Unprovable, NotClaimed} {
		at := map[string]int{}
		var groups []openView
		for _, q := range v.Report.Requirements {
			if q.Verdict != verdict {
				continue
			}
			reason := cmp.Or(q.Reason, "no reason given")
			i, ok := at[reason]
			if !ok {
				i = len(groups)
				at[reason] = i
				groups = append(groups, openView{Verdict: verdict, Reason: reason})
			}
			groups[i].Requirements = append(groups[i].Requirements, q)
		}
		slices.SortStableFunc(groups, func(a, b openView) int {
			return cmp.Compare(len(b.Requirements), len(a.Requirements))
		})
		v.Open = append(v.Open, groups...)
	}
}
