package report_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/schemas"
)

// ended returns a report of a run in which the server ended.
func ended(launched bool) *report.Report {
	r := made()
	end := report.End{
		At: r.Started.Add(time.Minute), Why: "dial tcp: connection refused" + esc, Back: !launched, Seconds: 1.25,
		While: []report.Open{{Title: "Resuming" + esc, Location: "features/helix/resume/cursor.feature:9", Request: "POST /x" + esc}},
	}
	if launched {
		end.Launched, end.How, end.Why = true, "exit status 1", ""
		r.ServerLog = report.ServerOutput("up\r\n\x1b[31mred\x1b[0m" + esc + "\xff\n" + strings.Repeat("line\n", 30) + "last")
		end.Output = report.LastLines(r.ServerLog)
	}
	r.Ends = []report.End{end}
	return r
}

// TestTheEndOfTheServerIsFirst: it comes before every requirement, and decides the exit code by who started the server.
func TestTheEndOfTheServerIsFirst(t *testing.T) {
	for _, c := range []struct {
		launched bool
		exit     int
		says     string
	}{
		{true, 1, `FAIL  the server ended (exit status 1) while "Resuming`},
		{false, 3, `ERROR  the server could not be reached any more (dial tcp: connection refused`},
	} {
		r := ended(c.launched)
		r.Summary.Fail, r.Suite.Strict = 0, false
		if got := r.ExitCode(nil); got != c.exit {
			t.Errorf("exit code %d, expected %d", got, c.exit)
		}
		var console, summary, junit, page, js bytes.Buffer
		for _, err := range []error{
			report.Console{}.Write(&console, r), report.Markdown{}.Write(&summary, r), report.WriteJUnit(&junit, r), report.HTML{}.Write(&page, r), report.WriteJSON(&js, r),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range map[string]string{"console": console.String(), "summary": summary.String(), "junit": junit.String(), "page": page.String()} {
			at, rule := strings.Index(text, "the server "), strings.Index(text, "helix.resume.after-cursor")
			if at < 0 || rule >= 0 && rule < at && name != "summary" && name != "page" || strings.ContainsAny(text, "\x1b\a\xff") {
				t.Errorf("%s: the end is at %d, a rule at %d", name, at, rule)
			}
			if c.launched && !strings.Contains(text, "last") {
				t.Errorf("%s has no output of the server", name)
			}
		}
		if !strings.Contains(console.String(), "\n"+c.says) {
			t.Errorf("expected %q in\n%s", c.says, console.String())
		}
		if bad := structure(junit.String()); len(bad) > 0 {
			t.Error(bad)
		}
		kit, err := schemas.Kit(schemas.FS)
		if err != nil {
			t.Fatal(err)
		}
		if bad := kit.Document("report", schemas.Strict, js.Bytes()).Findings; len(bad) > 0 {
			t.Error(bad)
		}
	}
	if lines := ended(true).Ends[0].Output; len(lines) != 20 || lines[19] != "last" {
		t.Errorf("%q", lines)
	}
	if long := report.ServerOutput(strings.Repeat("x", 1<<20) + "end"); len(long) > 17<<10 || !strings.HasSuffix(long, "end") {
		t.Errorf("%d bytes", len(long))
	}
}
