package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"github.com/streamcert/streamcert/runner/record"
)

// The limits of a page, in bytes: a page of some megabytes opens at once on a
// phone, and a server that breaks everything at length must not make it larger.
const (
	pageBytes          = 1900 << 10 // for findings, transcripts and tabs; the table of requirements takes the remainder
	findingsBytes      = 768 << 10
	minTranscriptBytes = 256 << 10 // minimum for transcripts
	valueBytes         = 4 << 10   // for one value that was wanted or got
	wordsBytes         = 120       // for one above the limit
	articleBytes       = 1500      // for the text around the findings of a requirement
)

// view is the data of the template of the HTML report.
type view struct {
	*Report
	Unearned []string      // required classes that the run did not earn
	Verdict  Verdict       // of the complete run
	Word     string        // of Verdict, in capitals
	Counts   []count       // of requirements, without verdicts that none has
	Broken   []cardView    // those to repair first come first
	Chapters []chapterView // in the order of the spec
	Columns  []Verdict     // verdicts that occur
	Open     []openView    // reasons for which requirements weren't proven
	Groups   []groupView   // in the order of the spec
	ByGolden []goldenView  // in the order of the notes
}

type count struct {
	Verdict Verdict
	N       int // at least 1
}

// chapterView is a chapter of the spec with its requirements.
type chapterView struct {
	Name         string
	Counts       []count           // of its requirements
	Requirements []requirementView // in the order of the spec
}

type requirementView struct {
	Requirement
	Why      template.HTML   // why the rule exists, from the spec; "" for none
	Findings []findingView   // shown ones
	More     int             // findings that aren't shown
	Rerun    string          // the command that runs it again; "" for none
	Runs     []*scenarioView // of its scenarios
}

// cardView is the data of one failed requirement with those that the same cause breaks.
type cardView struct {
	requirementView
	Cause string            // a sentence; "" if no common cause is known
	Also  []requirementView // requirements that the same cause breaks
}

type findingView struct {
	record.Finding
	Wire template.HTML // the exchange, escaped
	Same bool          // the transcript is that of the finding before
	Run  *runView      // nil if it isn't known
}

// Sum returns the text below a heading: the numbers of findings and requirements.
func (c cardView) Sum() string {
	text := number(len(c.Requirement.Findings), "finding")
	if n := len(c.Also); n > 0 {
		text += ", breaks also " + number(n, "requirement")
	}
	return text
}

// openView is a reason for which requirements were not proven.
type openView struct {
	Verdict      Verdict
	Reason       string
	Requirements []Requirement // in the order of the spec
}

// groupView is a chapter of the spec with its scenarios.
type groupView struct {
	Name   string
	Counts []count         // of runs
	Runs   []*scenarioView // in the order of the feature files
}

// scenarioView is a scenario with its examples, or the only run of it.
type scenarioView struct {
	Title, Steps string
	Location     string
	Requirement  string     // its id
	Outcome      Verdict    // the worst
	Seconds      float64    // sum of all runs
	Examples     []*runView // at least one
}

// Anchor returns the anchor of the scenario on the page.
func (s *scenarioView) Anchor() string { return s.Examples[0].Anchor }

// runView is one run of a scenario.
type runView struct {
	Scenario
	Anchor    string         // id of its element on the page
	Exchanges []exchangeView // neighbours with one heading are one
	Full      bool           // its exchanges exceeded the size of the page
}

type exchangeView struct {
	Heading string        // the step that began it
	Wire    template.HTML // escaped
}

type goldenView struct {
	Golden string // path of its file
	Notes  []Note // in the order of the report
}

func viewed(r *Report, h HTML) *view {
	seen := *r
	seen.Scenarios = r.agreed()
	v := &view{Report: &seen, Unearned: r.Unearned(h.Require), Verdict: Pass, Word: "PASS"}
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
	if r.Fault != "" && total[Error] == 0 {
		v.Counts = append(v.Counts, count{Error, 1})
	}
	runs := v.scenarios(h.Outline)
	left := pageBytes - v.requirements(runs, h.Why)
	for _, t := range h.Tabs {
		left -= len(t.Body)
	}
	v.transcripts(max(left, minTranscriptBytes))
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
	Part    string    // id of the tab
	Columns []Verdict // verdicts that can be chosen
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

// scenarios makes the list of scenarios, by chapter in the order of the spec, those of
// an outline adjacent.
func (v *view) scenarios(outline func(string) (string, string)) map[scenarioKey]*runView {
	chapters, order := map[string]string{}, map[string]int{}
	for i, q := range v.Report.Requirements {
		chapters[q.ID], order[q.ID] = q.Chapter, i
	}
	all := slices.Clone(v.Scenarios)
	slices.SortStableFunc(all, func(a, b Scenario) int { return cmp.Compare(order[a.Requirement], order[b.Requirement]) })
	out := map[scenarioKey]*runView{}
	counts := map[string]map[Verdict]int{}
	for i, s := range all {
		run := &runView{Scenario: s, Anchor: fmt.Sprintf("scenario-%d", i+1)}
		out[scenarioKey{s.Location, s.Title}] = run
		name := cmp.Or(chapters[s.Requirement], "other")
		at := slices.IndexFunc(v.Groups, func(g groupView) bool { return g.Name == name })
		if at < 0 {
			at = len(v.Groups)
			v.Groups = append(v.Groups, groupView{Name: name})
			counts[name] = map[Verdict]int{}
		}
		counts[name][s.Outcome]++
		v.Groups[at].add(run, outline)
	}
	for i, g := range v.Groups {
		v.Groups[i].Counts = countsOf(counts[g.Name])
	}
	return out
}

// add takes in one more run, of a new scenario or as one more example.
func (g *groupView) add(run *runView, outline func(string) (string, string)) {
	if n := len(g.Runs); n > 0 && g.Runs[n-1].Location == run.Location && g.Runs[n-1].Requirement == run.Requirement {
		last := g.Runs[n-1]
		last.Examples = append(last.Examples, run)
		last.Seconds += run.Seconds
		if urgency(run.Outcome) < urgency(last.Outcome) {
			last.Outcome = run.Outcome
		}
		return
	}
	s := &scenarioView{
		Title: run.Title, Location: run.Location, Requirement: run.Requirement, Outcome: run.Outcome, Seconds: run.Seconds, Examples: []*runView{run},
	}
	if outline != nil {
		if title, steps := outline(run.Location); title != "" {
			s.Title, s.Steps = title, steps
		}
	}
	g.Runs = append(g.Runs, s)
}

// countsOf returns the verdicts with a count above zero, in the order of the columns.
func countsOf(of map[Verdict]int) []count {
	var out []count
	for _, v := range columns {
		if of[v] > 0 {
			out = append(out, count{v, of[v]})
		}
	}
	return out
}

// transcripts adds the exchanges of scenarios with findings, failed ones first. Those of passed scenarios are only in the
// JSON report.
func (v *view) transcripts(remainingBytes int) {
	var all []*runView
	for _, g := range v.Groups {
		for _, s := range g.Runs {
			all = append(all, s.Examples...)
		}
	}
	slices.SortStableFunc(all, func(a, b *runView) int { return cmp.Compare(urgency(a.Outcome), urgency(b.Outcome)) })
	for _, run := range all {
		if urgency(run.Outcome) < len(columns) {
			run.transcripts(&remainingBytes)
		}
	}
}

// urgent lists the verdicts that need action, in this order.
var urgent = []Verdict{Fail, Error, Warn, Known}

func urgency(v Verdict) int {
	if at := slices.Index(urgent, v); at >= 0 {
		return at
	}
	return len(columns)
}

// requirements adds the requirements, in the order of the spec, and the cards, and returns the size of their findings.
func (v *view) requirements(runs map[scenarioKey]*runView, why func(string) string) int {
	of := map[string][]*scenarioView{}
	for _, g := range v.Groups {
		for _, s := range g.Runs {
			of[s.Requirement] = append(of[s.Requirement], s)
		}
	}
	at := map[string]int{}
	counts := map[string]map[Verdict]int{}
	for _, q := range v.Report.Requirements {
		seen := requirementView{Requirement: q, Runs: of[q.ID], More: len(q.Findings)}
		if why != nil {
			seen.Why = Prose(why(q.ID))
		}
		i, ok := at[q.Chapter]
		if !ok {
			i = len(v.Chapters)
			at[q.Chapter] = i
			v.Chapters = append(v.Chapters, chapterView{Name: q.Chapter})
			counts[q.Chapter] = map[Verdict]int{}
		}
		counts[q.Chapter][q.Verdict]++
		v.Chapters[i].Requirements = append(v.Chapters[i].Requirements, seen)
	}
	for i, c := range v.Chapters {
		v.Chapters[i].Counts = countsOf(counts[c.Name])
	}
	remainingBytes := findingsBytes
	for _, verdict := range urgent {
		for _, c := range cards(v.Report, verdict) {
			seen := cardView{requirementView: requirementView{Requirement: c.Requirement}, Cause: c.cause}
			seen.findings(runs, &remainingBytes)
			for _, q := range c.also {
				other := requirementView{Requirement: q}
				other.findings(runs, &remainingBytes)
				seen.Also = append(seen.Also, other)
			}
			v.Broken = append(v.Broken, seen)
		}
	}
	return findingsBytes - remainingBytes
}

// Fixes returns the number of requirements of all cards.
func (v *view) Fixes() int {
	n := 0
	for _, c := range v.Broken {
		n += 1 + len(c.Also)
	}
	return n
}

// findings selects the findings that are shown of a requirement that did not pass. The first is always shown, clipped if
// the page is full.
func (q *requirementView) findings(runs map[scenarioKey]*runView, remainingBytes *int) {
	all := q.Requirement.Findings
	*remainingBytes -= articleBytes
	for _, f := range telling(all) {
		seen := findingView{Finding: f, Run: runs[scenarioKey{f.Location, f.Scenario}]}
		size := seen.clip(valueBytes)
		if *remainingBytes < size && len(q.Findings) > 0 {
			break
		}
		if *remainingBytes < size {
			size = seen.clip(wordsBytes)
		}
		*remainingBytes -= size
		seen.Same = f.Exchange != "" && len(q.Findings) > 0 && q.Findings[len(q.Findings)-1].Exchange == f.Exchange
		if wire := wireHTML(clipped(f.Exchange, 2*valueBytes)); f.Exchange != "" && !seen.Same && len(wire) <= *remainingBytes {
			seen.Wire = wire
			*remainingBytes -= len(wire)
		}
		q.Findings = append(q.Findings, seen)
	}
	q.More = len(all) - len(q.Findings)
	if len(all) > 0 {
		q.Rerun = all[0].Rerun
	}
}

// clip clips every value of a finding and returns its size on the page.
func (f *findingView) clip(most int) int {
	size := 0
	for _, value := range []*string{&f.Message, &f.Want, &f.Got, &f.Curl, &f.Script, &f.Instance, &f.Step, &f.Alone, &f.History} {
		*value = clipped(*value, most)
		size += len(template.HTMLEscapeString(Printable(*value)))
	}
	return size
}

// open groups the unproven requirements by their reason.
func (v *view) open() {
	for _, verdict := range []Verdict{Skipped, Unprovable, NotClaimed} {
		v.Open = append(v.Open, byReason(v.Report, verdict)...)
	}
}
