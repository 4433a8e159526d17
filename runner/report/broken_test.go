package report_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// TestPageBeginsWithItsHeadings: each leads to its article, and states how much is below it.
func TestPageBeginsWithItsHeadings(t *testing.T) {
	text := page(t, report.HTML{}, recorded())
	list, _, ok := strings.Cut(text[strings.Index(text, `<ol class="contents"`):], "</ol>")
	articles := regexp.MustCompile(`<h3 id="(fix-[^"]*)">`).FindAllStringSubmatch(text, -1)
	if !ok || strings.Count(list, "<li>") != len(articles) || len(articles) != 4 {
		t.Fatalf("%d articles, listed as\n%s", len(articles), list)
	}
	for _, a := range articles {
		if !strings.Contains(list, `href="#`+a[1]+`"`) {
			t.Errorf("%s isn't listed", a[1])
		}
	}
	for _, want := range []string{"1 finding<", `id="fix-helix.resume.after-cursor-1"`, `href="#fix-helix.resume.after-cursor-1"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	r := recorded()
	r.Requirements = slices.DeleteFunc(r.Requirements, func(q report.Requirement) bool { return len(q.Findings) > 0 })
	if strings.Contains(page(t, report.HTML{}, r), `class="contents"`) {
		t.Error("one heading is listed")
	}
}

// TestCommandsCanBeCopied: each has a button, which only a script shows.
func TestCommandsCanBeCopied(t *testing.T) {
	r := recorded()
	r.Requirements[3].Findings[0].History = "Scenario: x"
	text := bare(page(t, report.HTML{}, r))
	if n, want := strings.Count(text, `<button type="button" class="copy" hidden>Copy</button>`), 4; n != want { // curl, history and two commands
		t.Errorf("%d buttons, want %d", n, want)
	}
}

// TestLongHeadersAreFolded: a cookie of 3 kB doesn't displace the important lines.
func TestLongHeadersAreFolded(t *testing.T) {
	r := recorded()
	value := strings.Repeat("<b>", 100)
	r.Requirements[3].Findings[0].Exchange = "> GET /\n< 200\n< set-cookie: " + value + "\n< short: x\n✗ id: " + value + "\n"
	text := page(t, report.HTML{}, r)
	if n := strings.Count(text, `<span class="long" tabindex="0">`); n != 1 || !strings.Contains(text, `tabindex="0">&lt; set-cookie: &lt;b&gt;`) {
		t.Errorf("%d lines are folded", n)
	}
}

// TestPageShowsTheConfig: the config of the server, and its build.
func TestPageShowsTheConfig(t *testing.T) {
	r := recorded()
	r.Target.Commit, r.Target.Settings = "abc123", []string{"timing.deadline: 2s", "headers: (not shown)"}
	text := page(t, report.HTML{}, r)
	for _, want := range []string{"<dt>Commit of the server</dt><dd><code>abc123</code>", "<summary>2 keys are set</summary><pre>timing.deadline: 2s\nheaders: (not shown)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestScenariosAgreeWithRequirements: a scenario is shown with the verdict of its findings.
func TestScenariosAgreeWithRequirements(t *testing.T) {
	r := &report.Report{Suite: report.Suite{Name: "streamcert", Pack: "helix"}}
	for i, c := range []struct {
		steps, of, want report.Verdict
		found           bool
	}{
		{report.Pass, report.Fail, report.Fail, true}, // the judge's
		{report.Pass, report.Warn, report.Warn, true},
		{report.Fail, report.Known, report.Known, true},
		{report.Fail, report.Warn, report.Warn, true},
		{report.Error, report.Warn, report.Error, true},
		{report.Unprovable, report.Fail, report.Fail, true},
		{report.Pass, report.Fail, report.Pass, false},
	} {
		title := fmt.Sprintf("%d is %s", i, c.want)
		q := report.Requirement{ID: fmt.Sprintf("helix.a.r%d", i), Chapter: "a", Verdict: c.of}
		if c.found {
			q.Findings = []record.Finding{{Message: "x", Location: "p", Scenario: title}}
		}
		r.Requirements = append(r.Requirements, q)
		r.Scenarios = append(r.Scenarios, report.Scenario{Title: title, Location: "p", Requirement: q.ID, Outcome: c.steps})
	}
	text := page(t, report.HTML{}, r)
	rows := regexp.MustCompile(`data-v="([a-z-]*)"><summary><b [^>]*>[a-z]*</b><span>\d is ([a-z]*)</span>`).FindAllStringSubmatch(text, -1)
	if len(rows) != len(r.Scenarios) {
		t.Fatalf("%d of %d scenarios are shown", len(rows), len(r.Scenarios))
	}
	for _, row := range rows {
		if row[1] != row[2] {
			t.Errorf("%s, want %s", row[1], row[2])
		}
	}
	if r.Scenarios[0].Outcome != report.Pass {
		t.Error("the page changed the report")
	}
}

// TestReadLines: they lead users without a checkout to the rule.
func TestReadLines(t *testing.T) {
	const want = "streamcert explain helix.a.b, or https://streamcert.github.io/streamcert/helix/a.html#helix.a.b"
	if got := report.Read("helix.a.b"); got != want {
		t.Errorf("got %s", got)
	}
	if got := report.Address("nonsense"); got != "" {
		t.Errorf("got %s", got)
	}
}
