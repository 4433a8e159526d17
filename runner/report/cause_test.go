package report_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// headless returns the report of a server that sends no heads, and has
// another fault.
func headless() *report.Report {
	r := &report.Report{Suite: report.Suite{Name: "streamcert", Pack: "helix"}}
	late := func(want, wire string) record.Finding {
		return record.Finding{Message: "waiting timed out", Want: want, Got: "nothing within 5s", Exchange: wire}
	}
	const silent = "> GET /streams/s/events\n< no head within 5s; the connection was open\n"
	for _, q := range []struct {
		id, chapter string
		finding     record.Finding
	}{
		{"helix.lifecycle.one", "lifecycle", late("event 1", "> GET /x\n< 200\n")},
		{"helix.resume.a", "resume", late("the response head", silent)},
		{"helix.resume.other", "resume", record.Finding{Message: "m", Want: "event 2", Got: `"a" 1`}},
		{"helix.resume.b", "resume", late("event 4", silent)},
		{"helix.wire.head", "wire", late("the response head", silent)},
		{"helix.security.auth", "security", record.Finding{Message: "x", Want: "401", Got: "401 nothing else", Exchange: "> GET /x\n< 401\n"}},
		{"helix.security.other", "security", record.Finding{Message: "y", Want: "401 or 403", Got: "401", Exchange: "> GET /x\n< 401\n"}},
		{"helix.status.like", "status", record.Finding{Message: "m", Want: "event 3", Got: `"b" 2`}},
	} {
		r.Requirements = append(r.Requirements, report.Requirement{
			ID: q.id, Chapter: q.chapter, Level: "MUST", Verdict: report.Fail, Sentence: "It MUST.", Findings: []record.Finding{q.finding},
		})
	}
	r.Count()
	return r
}

// TestFailuresOfOneCause: failures with a common cause are one card with the cause first, in every report that is read from
// top to bottom.
func TestFailuresOfOneCause(t *testing.T) {
	r := headless()
	const head = "the server sends the head of a stream only with its first event"
	for name, write := range map[string]func(*bytes.Buffer) error{
		"console":  func(b *bytes.Buffer) error { return report.Console{}.Write(b, r) },
		"markdown": func(b *bytes.Buffer) error { return report.Markdown{}.Write(b, r) },
		"html":     func(b *bytes.Buffer) error { return report.HTML{}.Write(b, r) },
		"junit":    func(b *bytes.Buffer) error { return report.WriteJUnit(b, r) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		cards := 1
		if name == "junit" { // a test case each, in the order of the spec
			cards = 3
		}
		if n := strings.Count(text, head); n != cards {
			t.Errorf("%s: the head is named %d times, want %d:\n%s", name, n, cards, text)
		}
		if strings.Contains(text, "refuses the credential") {
			t.Errorf("%s: a 401 that was wanted is a cause", name)
		}
		if name == "junit" {
			continue
		}
		if n := strings.Count(strings.ToLower(text), "the same cause breaks also"); n != 2 {
			t.Errorf("%s: %d cards stand for others, want 2", name, n)
		}
		rest, title := text, map[string]string{"console": "%", "markdown": "`%`", "html": `id="fix-%"`}[name]
		for _, id := range []string{"wire.head", "resume.a", "resume.b", "resume.other", "status.like", "security.auth", "security.other", "lifecycle.one"} {
			_, after, found := strings.Cut(rest, strings.Replace(title, "%", "helix."+id, 1))
			if !found {
				t.Errorf("%s: %s is not where it belongs", name, id)
				break
			}
			rest = after
		}
	}
}

// TestOneBugIsOneCard: a violation that the judge finds wherever another rule is broken explains that, unless it is broken
// nearly everywhere.
func TestOneBugIsOneCard(t *testing.T) {
	r := &report.Report{Suite: report.Suite{Name: "streamcert", Pack: "helix"}}
	add := func(id, step string, scenarios ...string) {
		q := report.Requirement{ID: id, Chapter: "resume", Level: "MUST", Verdict: report.Fail}
		for _, s := range scenarios {
			q.Findings = append(q.Findings, record.Finding{Message: id, Got: id, Scenario: s, Location: "f", Step: step})
		}
		r.Requirements = append(r.Requirements, q)
	}
	add("helix.resume.complete", "the client has everything", "b")
	add("helix.resume.after", "", "a", "b", "c")
	add("helix.resume.cycles", "the cuts change nothing", "a", "c")
	add("helix.resume.alone", "the client has everything", "a", "z")
	r.Count()
	const together = "the same cause breaks also:\n      helix.resume.cycles    helix.resume.cycles; got helix.resume.cycles\n      helix.resume.complete "
	if got := console(t, report.Console{}, r); !strings.Contains(got, together) || strings.Count(got, "FAIL  helix") != 2 {
		t.Error(got)
	}
	for _, title := range []string{"a", "b", "c", "d", "e"} {
		r.Scenarios = append(r.Scenarios, report.Scenario{Title: title})
	}
	if got := console(t, report.Console{}, r); strings.Count(got, "FAIL  helix") != 4 {
		t.Errorf("what is broken in most scenarios explains others:\n%s", got)
	}
}

// TestWhatNeverCameIsOneCard: a requirement that only lacks an event of another rule is grouped under that rule.
func TestWhatNeverCameIsOneCard(t *testing.T) {
	r := &report.Report{Suite: report.Suite{Name: "streamcert", Pack: "helix"}}
	for id, owed := range map[string][]string{
		"helix.wire.gzip": {"helix.resume.tail", "helix.resume.tail"}, "helix.resume.tail": {"helix.resume.tail"}, "helix.text.sum": {"helix.resume.tail", ""},
	} {
		q := report.Requirement{ID: id, Chapter: strings.Split(id, ".")[1], Level: "MUST", Verdict: report.Fail}
		for i, o := range owed {
			q.Findings = append(q.Findings, record.Finding{Message: id, Got: "the end", DemandedBy: o, Step: "s", Location: "f", Scenario: fmt.Sprint(id, i)})
		}
		r.Requirements = append(r.Requirements, q)
	}
	slices.SortFunc(r.Requirements, func(a, b report.Requirement) int { return strings.Compare(b.ID, a.ID) })
	r.Count()
	if got := console(t, report.Console{}, r); !strings.Contains(got, "FAIL  helix.resume.tail") || !strings.Contains(got, "FAIL  helix.text.sum") || strings.Contains(got, "FAIL  helix.wire.gzip") {
		t.Error(got)
	}
}

// TestStrongestHeadsTheReport: what never came speaks for the rule that asks for it, what the judge finds in a response with
// another status than a step wanted speaks for the rule of the step, and a rule that fails in all of its scenarios comes
// before one that fails in more, which pass elsewhere. A step that prepares a scenario, and one that shows nothing that came,
// speak for no rule, and of equals a cause that breaks several rules comes first.
func TestStrongestHeadsTheReport(t *testing.T) {
	finding := func(step, want, got, owed, scenario string) record.Finding {
		return record.Finding{Message: "m " + step + want, Want: want, Got: got, DemandedBy: owed, Step: step, Location: "f", Scenario: scenario}
	}
	missed := "nothing within 1s"
	prepares := finding("s", "a 2xx answer", "409", "", "b")
	prepares.Setup = true
	for name, failed := range map[string]map[string][]record.Finding{
		"helix.text.live": {
			"helix.text.live":    {finding("s", "text", missed, "helix.text.live", "a")},
			"helix.replay.once":  {finding("s", "what the agent does", missed, "helix.text.live", "b")},
			"helix.mapping.part": {finding("s", "a part", "none", "", "c")},
		},
		"helix.resume.nothing": {
			"helix.resume.nothing": {finding("s", "204", "200 nothing", "", "a")},
			"helix.wire.type":      {finding("", "text/event-stream", "", "", "a"), finding("", "text/event-stream", "", "", "b"), finding("", "text/event-stream", "", "", "d")},
			"helix.resume.unknown": {finding("s", "204", "200 nothing", "", "b")}, // a warning
		},
		"helix.slices.whole": {
			"helix.slices.whole": {finding("s", "ab", "a", "", "a"), finding("s", "ab", "a", "", "b")},
			"helix.upstream.cut": {finding("s", "cd", "c", "", "c"), finding("s", "cd", "c", "", "d"), finding("s", "cd", "c", "", "e")},
		},
		"helix.lifecycle.close": {
			"helix.lifecycle.close": {finding("s", "a 2xx answer", "409 finished", "", "a")},
			"helix.replicas.fenced": {prepares},
		},
		"helix.lifecycle.stall": {
			"helix.lifecycle.stall": {finding("s", "an answer", "none", "", "a")},
			"helix.resume.late":     {finding("s", "", "", "", "b")},
		},
		"helix.threads.foreign": {
			"helix.threads.foreign": {finding("s", "a refusal", "200", "", "a")},
			"helix.cancel.foreign":  {finding("s", "a refusal", "200", "", "b")},
			"helix.http.limit":      {finding("s", "429", "200", "", "c")},
		},
	} {
		r := &report.Report{Suite: report.Suite{Name: "streamcert", Pack: "helix"}}
		for range 20 { // what is broken in one scenario of four explains nothing
			r.Scenarios = append(r.Scenarios, report.Scenario{Requirement: "helix.upstream.cut", Title: fmt.Sprint(len(r.Scenarios)), Outcome: report.Pass})
		}
		for id, findings := range failed {
			q := report.Requirement{ID: id, Chapter: strings.Split(id, ".")[1], Level: "MUST", Verdict: report.Fail, Findings: findings}
			if id == "helix.resume.unknown" {
				q.Verdict = report.Warn
			}
			if id == "helix.upstream.cut" || id == "helix.wire.type" {
				q.Occasions = 10
			}
			for _, f := range findings {
				r.Scenarios = append(r.Scenarios, report.Scenario{Requirement: id, Location: f.Location, Title: f.Scenario, Outcome: report.Fail})
			}
			r.Requirements = append(r.Requirements, q)
		}
		slices.SortFunc(r.Requirements, func(a, b report.Requirement) int { return strings.Compare(b.ID, a.ID) })
		r.Count()
		if got := r.InOrder()[0].ID; got != name {
			t.Errorf("%s heads the report, expected %s", got, name)
		}
	}
}

func TestDescribe(t *testing.T) {
	r := headless()
	r.Requirements[4].Findings[0].Curl, r.Requirements[4].Findings[0].Rerun = "curl -i http://x", "streamcert certify --seed 1"
	text := r.Describe(r.Requirements[4])
	for _, want := range []string{"FAIL  helix.wire.head (MUST)", "see helix.resume.a, helix.resume.b", "want   the response head", "curl   curl -i http://x", "rerun  streamcert"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestRoots: a requirement that is broken only with a deeper one is explained by it.
func TestRoots(t *testing.T) {
	r := &report.Report{Suite: report.Suite{Name: "streamcert", Pack: "helix"}}
	for _, q := range []struct {
		id, chapter string
		scenarios   []string
	}{
		{"helix.tools.in", "tools", []string{"a"}},
		{"helix.tools.out", "tools", []string{"a", "z"}},
		{"helix.ordering.root", "ordering", []string{"a", "b"}},
		{"helix.state.in", "state", []string{"b", "a"}},
	} {
		var findings []record.Finding
		for _, title := range q.scenarios {
			findings = append(findings, record.Finding{Message: q.id, Got: "x", Scenario: title, Location: "features/f.feature:1"})
		}
		r.Requirements = append(r.Requirements, report.Requirement{ID: q.id, Chapter: q.chapter, Level: "MUST", Verdict: report.Fail, Findings: findings})
	}
	for i, want := range []string{
		"probably only because helix.ordering.root is broken in the same scenarios", "",
		"probably the cause of others that fail: helix.state.in, helix.tools.in", "probably only because helix.ordering.root",
	} {
		text := strings.Join(strings.Fields(r.Describe(r.Requirements[i])), " ")
		if !strings.Contains(text, want) || want == "" && strings.Contains(text, "probably") {
			t.Errorf("%s: no %q in %s", r.Requirements[i].ID, want, text)
		}
	}
}
