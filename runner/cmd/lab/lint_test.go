package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/lint"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// TestThreadIsComplete runs every check on the kit itself, with every pack and catalogue of the program.
func TestThreadIsComplete(t *testing.T) {
	t.Parallel()
	r := lint.Run(testApp().linted(pack.Files{
		Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS,
		Sources: trace.Sources{Reference: reference.FS, Judge: judge.FS},
	}))
	for _, p := range r.Problems {
		t.Errorf("%s (%s)", p, p.Check)
	}
	if r.Requirements == 0 || r.Scenarios == 0 || r.Mutants == 0 || r.Sources == 0 {
		t.Errorf("nothing was read: %+v", r)
	}
}

func TestLintNamesTheLocation(t *testing.T) {
	t.Parallel()
	dir := cmdtest.WorkingCopy(t)
	bad := filepath.Join(dir, "features", "helix", "wire", "added.feature")
	if err := os.WriteFile(bad, []byte("Feature: Added\n\n  Scenario: Added\n    Given a new stream\n    Than it breaks\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := streamcert(t, "", "lint", "--dir", dir)
	if want := "\nfeatures/helix/wire/added.feature:5: "; r.Code != command.Broken || r.Errs != "" || !strings.Contains("\n"+r.Out, want) {
		t.Errorf("exit code %d, %s\n%s", r.Code, r.Errs, r.Out)
	}
	if lines := strings.Split(strings.TrimSpace(r.Out), "\n"); !strings.Contains(lines[len(lines)-1], " untestable, ") {
		t.Errorf("the last line counts nothing: %s", lines[len(lines)-1])
	}
}

func TestLintJSONIsAsDescribed(t *testing.T) {
	t.Parallel()
	dir := cmdtest.WorkingCopy(t)
	if err := os.Remove(filepath.Join(dir, "spec", "helix", "VERSION")); err != nil {
		t.Fatal(err)
	}
	r := streamcert(t, "", "lint", "--dir", dir, "--format", "json")
	if r.Code != command.Broken || r.Errs != "" {
		t.Errorf("exit code %d, %s", r.Code, r.Errs)
	}
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	if got := kit.Document("lint", schemas.Strict, []byte(r.Out)); !got.OK() {
		t.Errorf("%+v in\n%s", got.Findings, r.Out)
	}
}

func TestLintAndExplainRefuseMistakes(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"lint", "--format", "xml"}, `--format "xml"`},
		{[]string{"lint", "--dir", t.TempDir()}, "there is no folder spec in it"},
		{[]string{"lint", "extra"}, `no place for "extra"`},
		{[]string{"explain"}, "needs the ID"},
		{[]string{"explain", "helix.resume.after-curser"}, "did you mean helix.resume.after-cursor"},
		{[]string{"explain", "--pack", "nothing", "x"}, `no pack "nothing"`},
	} {
		r := streamcert(t, "", test.args...)
		r.OneLine(t, misuse, test.want)
		if r.Out != "" {
			t.Errorf("%q: standard output is %q", test.args, r.Out)
		}
	}
}

func TestExplainShowsARequirement(t *testing.T) {
	r := streamcert(t, "", "explain", "resume.after-cursor")
	if r.Code != 0 || r.Errs != "" || !strings.HasPrefix(r.Out, "helix.resume.after-cursor · MUST") || !strings.Contains(r.Out, "mutants that break it") {
		t.Errorf("exit code %d, %s\n%s", r.Code, r.Errs, r.Out)
	}
	r = streamcert(t, "", "explain", "helix.resume.after-*")
	if r.Code != 0 || !strings.Contains(r.Out, "\n\nhelix.resume.after-idle · SHOULD") {
		t.Errorf("exit code %d\n%s", r.Code, r.Out)
	}
}
