package command

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/schemas"
)

// changed returns a working copy in which text of files is replaced: file, old, new, and so on.
func changed(t *testing.T, edits ...string) string {
	t.Helper()
	dir := cmdtest.WorkingCopy(t)
	for i := 0; i < len(edits); i += 3 {
		file := filepath.Join(dir, filepath.FromSlash(edits[i]))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(text), edits[i+1]) != 1 {
			t.Fatalf("%s doesn't hold %q once", edits[i], edits[i+1])
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), edits[i+1], edits[i+2], 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const statusSchema = "schemas/helix/frames/status.json"

// draining adds a word that readers had to take.
var draining = []string{statusSchema, `"enum": ["paused", "active"]`, `"enum": ["paused", "active", "draining"]`}

// TestDiffOfFolders: two working copies are compared, one pack or all, in each form.
func TestDiffOfFolders(t *testing.T) {
	t.Parallel()
	old, now := cmdtest.Repository, changed(t, draining...)
	r := streamcert(t, "", "diff", old, now)
	if r.Code != 0 || r.Errs != "" || !strings.Contains(r.Out, ": additive\n") || !strings.Contains(r.Out, "aep: ") || !strings.Contains(r.Out, ": nothing changed\n") {
		t.Errorf("%+v", r)
	}
	r = streamcert(t, "", "diff", old, "--dir", now, "--pack", "helix", "--format", "json")
	set, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	if got := set.Document("diff", schemas.Strict, []byte(r.Out)); r.Code != 0 || !got.OK() {
		t.Errorf("exit code %d, %+v\n%s", r.Code, got.Findings, r.Out)
	}
	var report struct{ Class, Pack string }
	if err := json.Unmarshal([]byte(r.Out), &report); err != nil || report.Class != "additive" || report.Pack != "helix" {
		t.Errorf("%+v, %v", report, err)
	}
	r = streamcert(t, "", "diff", cmdtest.Repository, now, "--pack", "helix", "--format", "markdown")
	if r.Code != 0 || !strings.Contains(r.Out, "### Additive\n") {
		t.Errorf("%+v", r)
	}
	r = streamcert(t, "", "diff", cmdtest.Repository, now, "--pack", "helix", "--format", "changelog")
	if r.Code != 0 || r.Out != "- additive: `helix.wire.status-frame`\n" {
		t.Errorf("%+v", r)
	}
}

// TestGateOfAWorkingCopy: a change that lacks a version or an entry fails with its name, and a complete one passes.
func TestGateOfAWorkingCopy(t *testing.T) {
	t.Parallel()
	r := streamcert(t, "", "diff", "--gate", cmdtest.Repository, "--dir", changed(t, draining...), "--pack", "helix")
	if r.Code != broken || r.Errs != "" || !strings.Contains(r.Out, "GATE  ") || !strings.Contains(r.Out, "helix/VERSION: the change since") {
		t.Errorf("%+v", r)
	}
	if r := streamcert(t, "", "diff", "--gate", cmdtest.Repository, "--dir", cmdtest.Repository); r.Code != 0 {
		t.Errorf("nothing changed: %+v", r)
	}
}

// TestDiffMistakes: each mistake of a call is one line.
func TestDiffMistakes(t *testing.T) {
	for line, word := range map[string]string{
		"diff":                          "diff needs OLD",
		"diff a b c":                    `no place for "c"`,
		"diff a b --servers":            `no place for "b"`,
		"diff --gate released b":        `no place for "b"`,
		"diff released --format xml":    "expected console, json, markdown or changelog",
		"diff released --pack hellix":   "did you mean helix?",
		"diff 9.9.9 --pack helix":       "has no release 9.9.9",
		"diff there-is-no-such-version": "neither a folder nor a released version",
		"diff released schemas":         "there is no folder spec in it",
	} {
		if line == "diff released schemas" {
			line = "diff released " + t.TempDir()
		}
		streamcert(t, "", strings.Fields(line)...).OneLine(t, misuse, word)
	}
}

// TestServersOfYesterday: a sample of the last release is certified by a suite that asks for more, and fails just that.
func TestServersOfYesterday(t *testing.T) {
	t.Parallel() // it waits for heartbeats
	if testing.Short() {
		t.Skip("it certifies a server")
	}
	if _, err := exec.LookPath(runtimeOf); err != nil {
		t.Skip("there is no node on the PATH")
	}
	dir := changed(t, "schemas/aep/frames/metadata.json", `"required": ["threadId", "agentId"]`, `"required": ["threadId", "agentId", "model"]`)
	r := streamcert(t, "", "diff", "0.4.0", "--servers", "--dir", dir, "--pack", "aep", "--format", "json")
	var report struct {
		Servers []struct {
			Name, Skipped string
			Passed        int
			Failed        []string
		}
	}
	if err := json.Unmarshal([]byte(r.Out), &report); err != nil || r.Code != 0 || len(report.Servers) != 1 {
		t.Fatalf("%v, %+v", err, r)
	}
	s := report.Servers[0]
	if s.Name != "reference/node-aep" || s.Skipped != "" || s.Passed < 100 || !slices.Equal(s.Failed, []string{"aep.flow.metadata-members"}) {
		t.Errorf("%+v", s)
	}
}

// TestServersWithoutNode: where nothing can run the samples, the report mentions it.
func TestServersWithoutNode(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r := streamcert(t, "", "diff", "0.4.0", "--servers", "--pack", "aep")
	if r.Code != 0 || !strings.Contains(r.Out, "SERVER  reference/node-aep: skipped: there is no node on the PATH") {
		t.Errorf("%+v", r)
	}
}

// TestSampleOfADiff: the sample in the spec is the program's output for these two changes.
func TestSampleOfADiff(t *testing.T) {
	t.Parallel()
	_, shown, _ := strings.Cut(contents(t, "../../../spec/samples.md"), "## A change between two versions")
	_, shown, _ = strings.Cut(shown, "\n```\n")
	shown, _, _ = strings.Cut(shown, "```\n")
	now := changed(t, append([]string{
		"schemas/helix/frames/truncated.json", `    "atSequence": {
      "description": "The highest sequence at that moment.",
      "type": "integer",
      "minimum": 0,
      "allOf": [{"$ref": "../common.json#/$defs/safe"}]
    },
`, "",
	}, draining...)...)
	got := streamcert(t, "", "diff", cmdtest.Repository, now, "--pack", "helix").Out
	same := regexp.MustCompile(`helix: .*: breaking|\d+ documents`)
	if want := same.ReplaceAllString(shown, "…"); same.ReplaceAllString(got, "…") != want {
		t.Errorf("the spec shows\n%s\nand the program prints\n%s", shown, got)
	}
}
