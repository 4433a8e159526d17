package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/judge"
)

// withCode adds the folders of code to a working copy.
func withCode(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(dir, "reference"), reference.FS); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "runner", "judge"), judge.FS); err != nil {
		t.Fatal(err)
	}
}

// TestLintReadsCode: the code is that of the program, or that of the working copy, which may have none.
func TestLintReadsCode(t *testing.T) {
	t.Parallel()
	dir := cmdtest.WorkingCopy(t)
	for _, args := range [][]string{{"lint"}, {"lint", "--dir", dir}} {
		r := streamcert(t, "", args...)
		if without := len(args) > 1; r.Code != 0 || strings.Contains(r.Out, ", sources not read, ") != without {
			t.Errorf("%q: exit code %d, %s\n%s", args, r.Code, r.Errs, r.Out)
		}
	}

	withCode(t, dir)
	name := filepath.Join(dir, "reference", "helix", "encoder.go")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "helix.wire.blank-line", "helix.wire.blank-lines", 1)
	if err := os.WriteFile(name, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	r := streamcert(t, "", "lint", "--dir", dir)
	for _, want := range []string{
		": the comment names helix.wire.blank-lines, which is no requirement\n",
		": helix.wire.blank-line: no line of reference/ names it; comment the line that keeps it\n",
		" source files, 2 problems\n",
	} {
		if r.Code != command.Broken || !strings.Contains(r.Out, want) {
			t.Errorf("%q is missing: exit code %d, %s\n%s", want, r.Code, r.Errs, r.Out)
		}
	}
}

func TestExplainShowsCode(t *testing.T) {
	r := streamcert(t, "", "explain", "helix.wire.blank-line")
	for _, want := range []string{"\nkept by\n  reference/helix/encoder.go:", "\nheld by\n  runner/judge/helix/"} {
		if r.Code != 0 || !strings.Contains(r.Out, want) {
			t.Errorf("%q is missing: exit code %d, %s\n%s", want, r.Code, r.Errs, r.Out)
		}
	}
}

// TestExplainRefusesBadCode: a working copy whose code can't be parsed is a mistake that is named.
func TestExplainRefusesBadCode(t *testing.T) {
	t.Parallel()
	dir := cmdtest.WorkingCopy(t)
	withCode(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "reference", "bad.go"), []byte("package"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := streamcert(t, "", "--dir", dir, "explain", "helix.wire.blank-line")
	r.OneLine(t, misuse, "reference/bad.go:1:8: expected 'IDENT'")
}
