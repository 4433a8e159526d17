package lab

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

const (
	scriptsInATest = 6 // mutants, without STREAMCERT_SOAK
	leastShown     = 9 // of ten findings that have commands
)

// TestCommandsShowTheFault: the shell commands of a report end, and show the fault that the report describes.
func TestCommandsShowTheFault(t *testing.T) {
	for _, tool := range []string{"sh", "curl", "grep", "mktemp"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s", tool)
		}
	}
	drawn := slices.DeleteFunc(drawnMutants(t), func(m drawnMutant) bool { return m.line != quickly })
	if os.Getenv("STREAMCERT_SOAK") == "" {
		drawn = drawn[:scriptsInATest]
	}
	var lines, scripts, shown int
	for _, m := range drawn {
		f, missing := m.commands(t)
		lines, scripts = lines+count(f.Curl != ""), scripts+count(f.Script != "")
		if f.Curl+f.Script != "" && missing == "" {
			shown++
		}
	}
	t.Logf("of %d mutants %d have a line of curl and %d a script; %d show the fault", len(drawn), lines, scripts, shown)
	if shown*10 < (lines+scripts)*leastShown || lines+scripts < len(drawn)/2 || scripts == 0 {
		t.Errorf("expected commands for half, and %d of 10 to show the fault", leastShown)
	}
}

// commands certifies a mutant by the requirement that it breaks and passes the commands of the first finding to a shell.
// missing lists the parts that they don't show.
func (m drawnMutant) commands(t *testing.T) (f record.Finding, missing string) {
	t.Helper()
	url, stop, err := m.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	cfg := m.lab.Config
	cfg.URL, cfg.Timing.Deadline = url, time.Second
	at, err := target.New(cfg, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	result, err := certify.Run(t.Context(), m.suite, certify.Options{Target: at, Seed: 1, Only: []string{m.Requirement}})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range result.Report.InOrder() {
		if q.ID == m.Requirement {
			f = q.Findings[0]
		}
	}
	if f.Curl+f.Script == "" {
		t.Logf("%s: no command", m.Name)
		return f, ""
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	sh := exec.CommandContext(ctx, "sh", "-c", f.Curl+f.Script)
	sh.Env = append(os.Environ(), "AUTHORIZATION="+cfg.Headers["Authorization"], "X_STREAMCERT_CONTROL="+cfg.ControlToken)
	out, err := sh.CombinedOutput()
	if ctx.Err() != nil {
		t.Errorf("%s: the commands do not end:\n%s%s", m.Name, f.Curl, f.Script)
	}
	if missing = unseen(f, report.Printable(string(out))); missing != "" {
		t.Logf("%s: %v: %q is not shown by\n%s%s\n--- which prints\n%.1500s\n--- where the report has\n%s", m.Name, err, missing, f.Curl, f.Script, out, f.Exchange)
	}
	return f, missing
}

// unseen returns the first accused line of an exchange that a text lacks, or the status where no line is accused; "" for
// none.
func unseen(f record.Finding, out string) string {
	const begin = 20 // bytes of a line; ids of the server come later
	accused := false
	for line := range strings.Lines(f.Exchange) {
		text, found := strings.CutPrefix(strings.TrimRight(line, "\n"), "✗ ")
		accused = accused || found
		if found && !strings.HasPrefix(text, "id:") && !strings.Contains(out, text[:min(len(text), begin)]) {
			return text
		}
	}
	if _, status, found := strings.Cut(f.Exchange, "\n< "); found && !accused && len(status) > 3 && !strings.Contains(out, " "+status[:3]+" ") {
		return "the status " + status[:3]
	}
	return ""
}
