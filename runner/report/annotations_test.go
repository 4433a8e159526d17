package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

func annotations(t *testing.T, config string, r *report.Report) string {
	t.Helper()
	var b strings.Builder
	if err := (report.Annotations{Config: config}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAnnotations(t *testing.T) {
	golden(t, "annotations.txt", annotations(t, "conf/a, b:50%.yaml", made()))
}

// TestAnnotationsAreTheFirstCauses: at most three, in the order of the console, and warnings only where nothing failed.
func TestAnnotationsAreTheFirstCauses(t *testing.T) {
	r := made()
	for n := range 5 {
		q := r.Requirements[3]
		q.ID = fmt.Sprintf("helix.resume.more-%d", n)
		q.Findings = []record.Finding{{Message: fmt.Sprint("another ", n)}}
		r.Requirements = append(r.Requirements, q)
	}
	shown := ""
	for line := range strings.Lines(console(t, report.Console{}, r)) {
		if id, ok := strings.CutPrefix(line, "FAIL  helix."); ok {
			id, _, _ = strings.Cut(id, " ")
			shown += " helix." + id
		}
	}
	got := ""
	for line := range strings.Lines(annotations(t, "", r)) {
		id, ok := strings.CutPrefix(line, "::error title=")
		if !ok {
			t.Errorf("%q", line)
		}
		id, _, _ = strings.Cut(id, "::")
		got += " " + id
	}
	if strings.Count(got, " ") != 3 || !strings.HasPrefix(shown, got) {
		t.Errorf("annotations of%s, and the console begins with%s", got, shown)
	}
	r.Requirements = r.Requirements[:3]
	if got, want := annotations(t, "", r), "::warning title=helix.wire.retry::Servers SHOULD behave. — no retry — rerun: streamcert certify --only helix.wire.retry\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Suite.Strict = true
	if got := annotations(t, "", r); !strings.HasPrefix(got, "::error ") {
		t.Errorf("a strict run has %q", got)
	}
	r.Fault = "preflight: no answer"
	if got, want := annotations(t, "c.yaml", r), "::error file=c.yaml,title=streamcert::preflight: no answer\n"; got != want {
		t.Errorf("a fault has %q, want %q", got, want)
	}
	r.Fault, r.Requirements = "", r.Requirements[:1]
	if got := annotations(t, "", r); got != "" {
		t.Errorf("a run without findings has %q", got)
	}
}

// TestAnnotationsAreOneCommand: nothing that a server sent ends a command or begins one.
func TestAnnotationsAreOneCommand(t *testing.T) {
	r := made()
	q := &r.Requirements[3]
	q.Findings[0].Message, q.Findings[0].Got = "100%\r\n::set-output name=a::b", "\n::stop-commands::x\n%0A"
	got := annotations(t, "", r)
	if strings.Count(got, "\n") != 1 || strings.ContainsAny(got, "\r") || !strings.Contains(got, "100%25") || !strings.Contains(got, "%250A") {
		t.Errorf("%q", got)
	}
}
