package lab

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/prove/killreport"
	"github.com/streamcert/streamcert/runner/report"
)

func TestMutantsWritesTheMatrix(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	r := streamcert(t, "", "mutants", "--only", "sends-end-twice", "--out", dir, "--format", "json")
	if r.Code != 0 {
		t.Fatalf("exit code %d: %s", r.Code, r.Errs)
	}
	var onScreen, inFile bytes.Buffer
	b, err := os.ReadFile(filepath.Join(dir, mutantsFile))
	if err != nil || json.Compact(&inFile, b) != nil || json.Compact(&onScreen, []byte(r.Out)) != nil || inFile.String() != onScreen.String() {
		t.Errorf("the file differs from what was printed (%v):\n%s\n%s", err, b, r.Out)
	}
	page, err := os.ReadFile(filepath.Join(dir, matrixFile))
	if err != nil || !strings.Contains(string(page), "sends-end-twice × helix.lifecycle.one-terminal: killed") {
		t.Errorf("the page doesn't show the kill: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

func TestMutantsRefusesAFolderThatIsAFile(t *testing.T) {
	file := write(t, "file", "")
	streamcert(t, "", "mutants", "--only", "sends-end-twice", "--out", file).OneLine(t, 3, "making the folder")
}

// TestReportsShowMutants: report.html has a tab for the report of mutants that a run is given.
func TestReportsShowMutants(t *testing.T) {
	mutants, dir := t.TempDir(), t.TempDir()
	if r := streamcert(t, "", "mutants", "--only", "inclusive-resume", "--out", mutants); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	r := streamcert(t, "", "certify", "--reference", "--pack", "helix", "--only", "helix.resume.after-cursor", "--out", dir,
		"--mutants", filepath.Join(mutants, mutantsFile))
	page, err := os.ReadFile(filepath.Join(dir, report.HTMLFile))
	if err != nil || r.Code != 0 || !strings.Contains(string(page), `id="mutants"`) || !strings.Contains(string(page), ">inclusive-resume<") {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestMutantsComparesKills: --dominators runs every scenario of a requirement against each of its mutants, and lists which are killed
// alike. A mutant that its first scenario kills is known to be killed by the others too.
func TestMutantsComparesKills(t *testing.T) {
	r := streamcert(t, "", "mutants", "--dominators", "--pack", "merlin", "--only", "merlin.slices.complete", "--format", "json")
	var rep killreport.Report
	if err := json.Unmarshal([]byte(r.Out), &rep); err != nil || r.Code != 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	if d := rep.Dominators; d == nil || len(d.Dominators) == 0 || len(d.Subsumed) == 0 || d.Subsumed[0].Scenarios < 2 {
		t.Errorf("got %+v", d)
	}
	streamcert(t, "", "mutants", "--all", "--deep").OneLine(t, 2, "leave out --out, --all and --format")
}
