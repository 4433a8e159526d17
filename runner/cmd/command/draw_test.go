package command

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/report"
)

// TestRunsDrawAsTheirBaseline: the seed and the effort of the run that wrote it, unless the call names others.
func TestRunsDrawAsTheirBaseline(t *testing.T) {
	t.Parallel()
	url, file := cmdtest.Broken(t, "inclusive-resume"), filepath.Join(t.TempDir(), "known.yaml")
	certify := func(more ...string) cmdtest.Ran {
		return streamcert(t, "", append([]string{"certify", "--target", url, "--only", "helix.resume.after-cursor", "--format", "json"}, more...)...)
	}
	certify("--seed", "4711", "--effort", "quick", "--write-baseline", file)
	if text := contents(t, file); !strings.Contains(text, "\nrun:\n  seed: 4711\n  effort: quick\n") {
		t.Fatalf("the baseline is\n%s", text)
	}
	for _, c := range []struct {
		args   []string
		seed   int64
		effort string
	}{
		{[]string{"--baseline", file}, 4711, "quick"},
		{[]string{"--baseline", file, "--seed", "8"}, 8, "quick"},
		{[]string{"--write-baseline", file}, 4711, "quick"},
	} {
		var rep report.Report
		if r := certify(c.args...); json.Unmarshal([]byte(r.Out), &rep) != nil || rep.Suite.Seed != c.seed || rep.Suite.Effort != c.effort {
			t.Errorf("%v: seed %d, effort %s; %s", c.args, rep.Suite.Seed, rep.Suite.Effort, r.Errs)
		}
	}
	bad := cmdtest.Write(t, "b.yaml", "run: {seed: 1, effort: hard}\n")
	certify("--baseline", bad).OneLine(t, misuse, "b.yaml: run", "hard", "standard")
}
