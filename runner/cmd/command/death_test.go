package command

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/report"
)

// dying runs the suite against a launched server that dies, with its reports.
func dying(t *testing.T, env string, args ...string) (got cmdtest.Ran, rep *report.Report, dir string) {
	t.Helper()
	config, pid, _ := launching(t, env)
	dir = t.TempDir()
	got = streamcert(t, "", append([]string{"certify", "--config", config, "--out", dir}, args...)...)
	ended(t, pid)
	rep = &report.Report{}
	if err := json.Unmarshal([]byte(contents(t, filepath.Join(dir, report.JSONFile))), rep); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{report.JSONFile, report.ConsoleFile, report.HTMLFile, report.JUnitFile, report.SummaryFile, report.AnnotationsFile} {
		text := contents(t, filepath.Join(dir, name))
		if strings.Contains(text, "very-secret") || strings.ContainsAny(text, "\x1b\a") {
			t.Errorf("%s has a secret, or what a terminal obeys", name)
		}
		if name != report.JSONFile && !strings.Contains(text, "the server ended (exit status 5)") {
			t.Errorf("%s doesn't say that the server ended", name)
		}
		if name != report.AnnotationsFile && !strings.Contains(text, "the token is ***") {
			t.Errorf("%s doesn't have what the server wrote", name)
		}
	}
	return got, rep, dir
}

// TestAServerThatDies: its death is no failure of a rule, and fails the run.
func TestAServerThatDies(t *testing.T) {
	once := filepath.Join(t.TempDir(), "died")
	ran, rep, dir := dying(t, fmt.Sprintf(", DIES: '%s'", once), "--only", "helix.chunks.*", "--seed", "1")
	s := rep.Summary
	if ran.Code != broken || s.Fail+s.Warn+s.Error > 0 || len(rep.Ends) != 1 || rep.Ends[0].How != "exit status 5" || !rep.Ends[0].Launched || !rep.Ends[0].Back ||
		len(rep.Ends[0].While) == 0 || rep.Fault != "" || rep.Ended != "" {
		t.Errorf("%+v %+v\n%s", ran, s, ran.Errs)
	}
	head, _, _ := strings.Cut(ran.Out, "\n  chapter")
	t.Log(head)
	if !strings.Contains(head, "\nFAIL  the server ended (exit status 5) while ") || !strings.Contains(head, "\n        | panic with ***") {
		t.Errorf("the death isn't the first thing:\n%s", head)
	}
	if again := streamcert(t, "", "verify", filepath.Join(dir, report.JSONFile)); again.Code != 0 {
		t.Errorf("%+v", again)
	}
}

// TestAServerThatDiesOfAScenario: running the open scenarios again, each alone, shows which one ends the server.
func TestAServerThatDiesOfAScenario(t *testing.T) {
	ran, rep, _ := dying(t, ", DIES: 'always', DIES_AT: '30'", "--only", "helix.chunks.*", "--concurrency", "1", "--seed", "1")
	if ran.Code != broken || rep.Summary.Fail > 0 || len(rep.Ends) < 2 || len(rep.Ends) > 11 || !strings.Contains(ran.Out, `FAIL  the server ended (exit status 5) while "`) {
		t.Errorf("%+v %+v", rep.Summary, rep.Ends)
	}
}

// TestAServerThatDiesAtOnce: a failed preflight also shows the server's output.
func TestAServerThatDiesAtOnce(t *testing.T) {
	ran, rep, _ := dying(t, ", DIES: 'always', DIES_AT: '1'", "--only", few)
	if ran.Code != broken || rep.Fault == "" || len(rep.Ends) != 2 || rep.Ends[0].While[0].Title != "preflight" {
		t.Errorf("%+v %+v", ran, rep.Ends)
	}
	lines := strings.Split(strings.TrimSpace(ran.Errs), "\n")
	if last := lines[len(lines)-1]; !strings.Contains(ran.Errs, "  | panic with ***") || !strings.Contains(last, "preflight: the server ended (exit status 5), twice") || ran.Out != "" {
		t.Errorf("%+v", ran)
	}
	t.Log(ran.Errs)
	once := filepath.Join(t.TempDir(), "died")
	ran, rep, _ = dying(t, fmt.Sprintf(", DIES: '%s', DIES_AT: '1'", once), "--only", few)
	if ran.Code != broken || rep.Fault != "" || len(rep.Ends) != 1 || rep.Summary.Error > 0 {
		t.Errorf("%+v %+v", ran, rep.Ends)
	}
}
