package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/schemas"
)

const esc = "\x1b[2J\x1b]0;owned\a"

// made returns a report with one requirement of every verdict. Values that may come from a server contain control
// characters.
func made() *report.Report {
	r := &report.Report{
		Suite:   report.Suite{Name: "streamcert", Version: "0.1.0", Pack: "helix", Digest: "sha256:0123", Seed: 42},
		Target:  report.Target{URL: "http://127.0.0.1:8080"},
		Started: time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC),
		Classes: []report.Class{
			{Name: "Core", Earned: true},
			{Name: "Resumable", Missing: []report.Missing{{ID: "helix.resume.after-cursor", Verdict: report.Fail}}},
		},
		Scenarios: []report.Scenario{
			{Title: "Resuming", Location: "features/helix/resume/cursor.feature:9", Requirement: "helix.resume.after-cursor", Outcome: report.Fail, Seconds: 0.25},
			{Title: "Resuming again", Location: "features/helix/resume/cursor.feature:9", Requirement: "helix.resume.after-cursor", Outcome: report.Pass, Seconds: 0.5},
		},
		Model: []string{"POST /v1/chat/completions: the body is no JSON" + esc},
		Notes: []report.Note{{Scenario: "Resuming", Golden: "golden/helix/resume/resuming.txt", Where: "exchange 1", Want: "a", Got: esc}},
	}
	add := func(id, chapter, level string, v report.Verdict, reason string, findings ...record.Finding) {
		r.Requirements = append(r.Requirements, report.Requirement{
			ID: id, Level: level, Chapter: chapter, Sentence: "Servers " + level + " behave.", Location: "spec/helix/1.md:5",
			Verdict: v, Reason: reason, Occasions: 1, Findings: findings,
		})
	}
	add("helix.wire.json", "wire", "MUST", report.Pass, "")
	add("helix.wire.retry", "wire", "SHOULD", report.Warn, "", record.Finding{Message: "no retry", Rerun: "streamcert certify --only helix.wire.retry"})
	add("helix.wire.known", "wire", "MUST", report.Known, "in the baseline", record.Finding{Message: "as before"})
	add("helix.resume.after-cursor", "resume", "MUST", report.Fail, "", record.Finding{
		Message: "an event that the client has is sent again " + esc, Want: "event 3", Got: "event 2\nPASS  all is well",
		Scenario: "Resuming", Location: "features/helix/resume/cursor.feature:9", Step: "the client receives event 3", Instance: "/sequence",
		Exchange: "> GET /streams/s/events\n< 200\n< server: " + esc + "\n✗ id: 2\n",
		Rerun:    "streamcert certify --only helix.resume.after-cursor",
	})
	add("helix.resume.b", "resume", "MUST", report.Unprovable, "control call POST /control/x answered 404")
	add("helix.resume.c", "resume", "MUST", report.Unprovable, "control call POST /control/x answered 404")
	add("helix.resume.d", "resume", "MUST", report.NotClaimed, "capability replay")
	add("helix.resume.e", "resume", "MUST", report.Error, "undefined step")
	r.Count()
	r.Summary.Seconds = 1.234
	return r
}

func console(t *testing.T, c report.Console, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestConsole(t *testing.T) {
	golden(t, "console.txt", console(t, report.Console{}, made()))
}

func TestConsoleOfAFault(t *testing.T) {
	r := made()
	r.Fault = "preflight: connection refused" + esc
	got := console(t, report.Console{}, r)
	if !strings.Contains(got, "ERROR  preflight: connection refused") || strings.Contains(got, "helix.resume") || strings.Contains(got, "\x1b") {
		t.Error(got)
	}
}

func TestConsoleNamesTheRequiredClass(t *testing.T) {
	r := made()
	r.Requirements, r.Classes[1].Missing = r.Requirements[:1], nil
	r.Count()
	got := console(t, report.Console{Require: []string{"Resumable"}}, r)
	if !strings.Contains(got, "\nFAIL  1 pass") || !strings.Contains(got, "· required and not earned: Resumable\n") {
		t.Error(got)
	}
	if got := console(t, report.Console{Require: []string{"Core"}}, r); !strings.Contains(got, "\nPASS  1 pass") {
		t.Error(got)
	}
}

// TestConsoleIsShort: a line for each reason, for any number of requirements.
func TestConsoleIsShort(t *testing.T) {
	r := made()
	for i := range 124 {
		q := report.Requirement{ID: fmt.Sprint("helix.runs.r", i), Chapter: "runs", Level: "MUST", Verdict: report.NotClaimed, Reason: "capability runs"}
		r.Requirements = append(r.Requirements, q)
		q.ID, q.Verdict, q.Reason = fmt.Sprint("helix.state.s", i), report.Unprovable, "no script"
		r.Requirements = append(r.Requirements, q)
	}
	r.Count()
	got := console(t, report.Console{}, r)
	if strings.Contains(got, "helix.runs.r") || !strings.Contains(got, "\n  124  capability runs\n") {
		t.Errorf("not claimed:\n%s", got)
	}
	if strings.Contains(got, "helix.state.s9") || !strings.Contains(got, "118 more (--verbose names them)") {
		t.Errorf("unprovable:\n%s", got)
	}
	if all := console(t, report.Console{Verbose: true}, r); !strings.Contains(all, "helix.runs.r123") || !strings.Contains(all, "helix.state.s123") {
		t.Error("the long form leaves some out")
	}
}

func TestConsoleOfASelection(t *testing.T) {
	r := made()
	r.Classes = nil
	for _, class := range []string{"Core", "Resumable", "Recovery"} {
		r.Classes = append(r.Classes, report.Class{Name: class, Missing: []report.Missing{
			{ID: "helix.a.b", Verdict: "not selected"}, {ID: "helix." + class, Verdict: "not selected"},
		}})
	}
	got := console(t, report.Console{}, r)
	if strings.Count(got, "not selected") != 1 || !strings.Contains(got, "CLASSES  none can be earned by a selection; 4 requirements were not selected\n") {
		t.Error(got)
	}
}

// TestConsoleGivesTheReasonWhenNothingRan: a selection of unclaimed requirements is no error.
func TestConsoleGivesTheReasonWhenNothingRan(t *testing.T) {
	r := made()
	r.Scenarios, r.Requirements = nil, r.Requirements[6:7]
	r.Count()
	got := console(t, report.Console{}, r)
	if !strings.Contains(got, "ERROR  nothing ran: 1 requirement was selected, of which 1 not claimed (capability replay)") || strings.Contains(got, "0 error") {
		t.Error(got)
	}
}

func TestConsoleEndsWithTheClasses(t *testing.T) {
	r := made()
	r.Requirements = r.Requirements[:1]
	r.Classes[1].Missing = []report.Missing{{ID: "a", Verdict: report.Unprovable}, {ID: "b", Verdict: report.Unprovable}, {ID: "c", Verdict: report.NotClaimed}}
	r.Count()
	if got, want := console(t, report.Console{}, r), "      classes earned: Core; not earned: Resumable (1 not claimed, 2 unprovable)\n"; !strings.Contains(got, "\nPASS") || !strings.HasSuffix(got, want) {
		t.Error(got)
	}
}

// TestClassesSayOneReason: requirements that were left out for one reason are shown as the reason, without their ids.
func TestClassesSayOneReason(t *testing.T) {
	r := made()
	why := "the server can't be killed"
	a, b := r.Requirements[0], r.Requirements[0]
	a.ID, a.Verdict, a.Reason = "a", report.Unprovable, why
	b.ID, b.Verdict, b.Reason = "b", report.Unprovable, why
	r.Requirements = append(r.Requirements, a, b)
	r.Classes[1].Missing = []report.Missing{{ID: "a", Verdict: report.Unprovable}, {ID: "b", Verdict: report.Unprovable}}
	for name, text := range map[string]string{"console": console(t, report.Console{}, r), "summary": markdown(t, report.Markdown{}, r)} {
		if !strings.Contains(text, "not earned: 2 unprovable, the server can't be killed") {
			t.Errorf("%s: %s", name, text)
		}
	}
	r.Requirements[len(r.Requirements)-1].Reason = "it has no address"
	if text := console(t, report.Console{}, r); !strings.Contains(text, "not earned: a (unprovable), b (unprovable)") {
		t.Error(text)
	}
}

func TestReportsNameTheServer(t *testing.T) {
	r := made()
	r.Target.Introduce("agents/1.4.0 (linux)")
	r.Target.Commit = "abc1234"
	if got := r.Target.Identity(); got != "agents 1.4.0 (abc1234)" {
		t.Errorf("the server is %q", got)
	}
	r.Target.Introduce("proxy/1")
	var junit bytes.Buffer
	if err := report.WriteJUnit(&junit, r); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"console": console(t, report.Console{}, r), "page": page(t, report.HTML{}, r), "summary": markdown(t, report.Markdown{}, r), "junit": junit.String(),
	} {
		if !strings.Contains(text, "agents 1.4.0 (abc1234)") {
			t.Errorf("%s doesn't name the server", name)
		}
	}
}

func TestConsoleShowsEachKindOfFindingOnce(t *testing.T) {
	r := made()
	q := &r.Requirements[3]
	q.Findings = nil
	for _, message := range []string{"one", "one", "two", "three", "four", "one"} {
		q.Findings = append(q.Findings, record.Finding{Message: message})
	}
	got := console(t, report.Console{}, r)
	want := "    ———\n    one\n    ———\n    two\n    ———\n    three\n    … and 3 more findings like these in the JSON report\n"
	if !strings.Contains(got, want) {
		t.Error(got)
	}
}

func TestColorsAreOnlyOurs(t *testing.T) {
	got := console(t, report.Console{Color: true}, made())
	if !strings.Contains(got, "\x1b[31;1mFAIL") {
		t.Errorf("no colour in %q", got)
	}
	for _, theirs := range []string{"\x1b[2J", "\x1b]", "\a"} {
		if strings.Contains(got, theirs) {
			t.Errorf("%q of the server reached the terminal", theirs)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"é 日本 😀\n\ttab":  "é 日本 😀\n\ttab",
		"\x1b[0m\r\x00":  `\x1b[0m\r\x00`,
		"a\u202eb\u200d": `a\u202eb\u200d`,
		"\u009b2J":       `\u009b2J`,
		"cut \xff\xe2":   `cut \xff\xe2`,
		"\ufffd":         "\ufffd",
	} {
		if got := report.Printable(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := report.OneLine("a\nb\tc"), `a\nb\tc`; got != want {
		t.Errorf("OneLine = %q, want %q", got, want)
	}
}

func TestJSONMatchesItsSchema(t *testing.T) {
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*report.Report{"made": made(), "recorded": recorded(), "empty": {Suite: report.Suite{Version: "0"}}} {
		var b bytes.Buffer
		if err := report.WriteJSON(&b, r); err != nil {
			t.Fatal(err)
		}
		for _, f := range kit.Document("report", schemas.Strict, b.Bytes()).Findings {
			t.Errorf("%s: %s: %s", name, f.Instance, f.Message)
		}
	}
	bad := made()
	bad.Requirements[0].Verdict = "passed"
	var b bytes.Buffer
	if err := report.WriteJSON(&b, bad); err != nil {
		t.Fatal(err)
	}
	if kit.Document("report", schemas.Strict, b.Bytes()).OK() {
		t.Error("the schema accepts a verdict that doesn't exist")
	}
}

func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	if err := report.WriteJUnit(&b, made()); err != nil {
		t.Fatal(err)
	}
	golden(t, "junit.xml", b.String())
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestJUnitOfAStrictRunFailsWarnings(t *testing.T) {
	r := made()
	r.Suite.Strict = true
	var b bytes.Buffer
	if err := report.WriteJUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `failures="2"`) {
		t.Error(b.String())
	}
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	d, err := report.Create(dir, report.FolderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Finding(record.Finding{Requirement: "helix.a.b", Message: "<m>"}); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return string(b)
	}
	if got, want := read(report.FindingsFile), `{"requirement":"helix.a.b","message":"<m>"}`+"\n"; got != want {
		t.Errorf("the findings hold %q before the end, want %q", got, want)
	}
	if read(report.JSONFile) != "" {
		t.Error("there is a report before the end")
	}
	if err := d.Close(made(), report.HTML{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(read(report.ConsoleFile), "\x1b") {
		t.Error("a file has colours")
	}
	var names []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{"annotations.txt", "badge.json", "badge.svg", "console.txt", "findings.ndjson", "junit.xml", "report.html", "report.json", "summary.md"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFolderThatCantBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := report.Create(filepath.Join(file, "out"), report.FolderOptions{}); err == nil {
		t.Error("a folder inside a file was made")
	}
}
