package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/lint"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// repository is the folder of all folders.
const repository = "../../.."

// workingCopy writes the data folders down and returns where. Its goldens, most of the files, are links to those of the
// repository where the file system has such: a test may add some, and edits none in place.
func workingCopy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, fsys := range map[string]fs.FS{"spec": spec.FS, "schemas": schemas.FS, "features": features.FS} {
		if err := os.CopyFS(filepath.Join(dir, name), fsys); err != nil {
			t.Fatal(err)
		}
	}
	err := fs.WalkDir(golden.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		file := filepath.Join("golden", filepath.FromSlash(name))
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(dir, file), 0o755)
		case os.Link(filepath.Join(repository, file), filepath.Join(dir, file)) == nil:
			return nil
		}
		text, err := fs.ReadFile(golden.FS, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, file), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTheThreadIsWhole holds the kit itself to every check, with every pack and catalogue that the program lists.
func TestTheThreadIsWhole(t *testing.T) {
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

func TestLintNamesThePlace(t *testing.T) {
	t.Parallel()
	dir := workingCopy(t)
	bad := filepath.Join(dir, "features", "helix", "wire", "added.feature")
	if err := os.WriteFile(bad, []byte("Feature: Added\n\n  Scenario: Added\n    Given a new stream\n    Than it breaks\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := streamcert(t, "", "lint", "--dir", dir)
	if want := "\nfeatures/helix/wire/added.feature:5: "; r.code != broken || r.errs != "" || !strings.Contains("\n"+r.out, want) {
		t.Errorf("exit code %d, %s\n%s", r.code, r.errs, r.out)
	}
	if lines := strings.Split(strings.TrimSpace(r.out), "\n"); !strings.Contains(lines[len(lines)-1], " untestable, ") {
		t.Errorf("the last line counts nothing: %s", lines[len(lines)-1])
	}
}

func TestLintJSONIsAsDescribed(t *testing.T) {
	t.Parallel()
	dir := workingCopy(t)
	if err := os.Remove(filepath.Join(dir, "spec", "helix", "VERSION")); err != nil {
		t.Fatal(err)
	}
	r := streamcert(t, "", "lint", "--dir", dir, "--format", "json")
	if r.code != broken || r.errs != "" {
		t.Errorf("exit code %d, %s", r.code, r.errs)
	}
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	if got := kit.Document("lint", schemas.Strict, []byte(r.out)); !got.OK() {
		t.Errorf("%+v in\n%s", got.Findings, r.out)
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
		r.oneLine(t, misuse, test.want)
		if r.out != "" {
			t.Errorf("%q: standard output is %q", test.args, r.out)
		}
	}
}

func TestExplainShowsARequirement(t *testing.T) {
	r := streamcert(t, "", "explain", "resume.after-cursor")
	if r.code != 0 || r.errs != "" || !strings.HasPrefix(r.out, "helix.resume.after-cursor · MUST") || !strings.Contains(r.out, "mutants that break it") {
		t.Errorf("exit code %d, %s\n%s", r.code, r.errs, r.out)
	}
	r = streamcert(t, "", "explain", "helix.resume.after-*")
	if r.code != 0 || !strings.Contains(r.out, "\n\nhelix.resume.after-idle · SHOULD") {
		t.Errorf("exit code %d\n%s", r.code, r.out)
	}
}
