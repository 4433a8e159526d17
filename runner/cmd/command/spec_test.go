package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

func TestSpecBuild(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "site")
	if r := streamcert(t, "", "spec", "build", "--out", dir); r.Code != 0 || !strings.Contains(r.Out, " files in "+dir) {
		t.Fatal(r)
	}
	for _, name := range []string{"index.html", "assets/index.js", "assets/site.css"} {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r := streamcert(t, "", "spec", "build", "--out", dir, "--dir", cmdtest.Repository); r.Code != 0 {
		t.Errorf("a folder that holds a site is refused: %v", r)
	}
}

func TestSpecBuildRefuses(t *testing.T) {
	t.Parallel()
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "mine.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	streamcert(t, "", "spec", "build").OneLine(t, 2, "--out is missing")
	streamcert(t, "", "spec", "build", "--out", foreign).OneLine(t, 2, "no site is made of, such as mine.txt", "expected an empty folder")
	streamcert(t, "", "spec", "built").OneLine(t, 2, "built")
}

// TestSpecBuildShowsHistory: the page of a version lists the changes since the release before it, as diff does.
func TestSpecBuildShowsHistory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "site")
	if r := streamcert(t, "", "spec", "build", "--out", dir, "--dir", cmdtest.Repository); r.Code != 0 {
		t.Fatal(r)
	}
	page, err := os.ReadFile(filepath.Join(dir, "helix", "versions", "0-5-0.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Changes since 0.4.0", "helix.durable.kept</a></td><td>breaking for servers"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page of 0.5.0 doesn't say %q", want)
		}
	}
}
