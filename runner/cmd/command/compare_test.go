package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/schemas"
)

// TestCompare certifies a broken server and a right one, and compares them in both orders.
func TestCompare(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("several runs of the command")
	}
	dir := t.TempDir()
	wrong, right, page := filepath.Join(dir, "wrong"), filepath.Join(dir, "right"), filepath.Join(dir, "page.html")
	for out, url := range map[string]string{wrong: cmdtest.Broken(t, "inclusive-resume"), right: healthy(t)} {
		streamcert(t, "", "certify", "--target", url, "--only", "helix.resume.after-cursor", "--seed", "1", "--out", out)
	}
	r := streamcert(t, "", "compare", right, filepath.Join(wrong, "report.json"), "--page", page)
	if r.Code != broken || !strings.Contains(r.Out, "BROKE (1)\n  helix.resume.after-cursor (MUST)  pass, then fail\n") || r.Errs != "" {
		t.Errorf("%+v", r)
	}
	if text := contents(t, page); !strings.Contains(text, `id="broke"`) || !strings.Contains(text, "helix.resume.after-cursor") {
		t.Errorf("the page is\n%.2000s", text)
	}
	r = streamcert(t, "", "compare", wrong, right, "--page", page)
	if r.Code != 0 || !strings.Contains(r.Out, "MENDED (1)\n") || !strings.Contains(contents(t, page), `id="mended"`) {
		t.Errorf("%+v", r)
	}
	for _, args := range [][]string{{wrong, right}, {wrong, right, right}} {
		r = streamcert(t, "", append([]string{"compare", "--format", "json"}, args...)...)
		validDocument(t, "compare", r.Out)
		if mended := strings.Contains(r.Out, `"change": "mended"`); r.Code != 0 || mended != (len(args) == 2) || strings.Count(r.Out, `"server": `) != len(args) {
			t.Errorf("%+v", r)
		}
	}
	if !strings.Contains(contents(t, filepath.Join(right, "report.json")), `"program": "`+Version()+`"`) {
		t.Error("report.json doesn't say the version of the program")
	}
	r = streamcert(t, "", "compare", wrong, right, right)
	if r.Code != 0 || strings.Count(r.Out, "\n") != 4 || !strings.Contains(r.Out, "Replicated") {
		t.Errorf("%+v", r)
	}
}

// validDocument fails the test unless a text is valid by one of the kit's schemas.
func validDocument(t *testing.T, schema, text string) {
	t.Helper()
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	if found := kit.Document(schema, schemas.Strict, []byte(text)); !found.Known || !found.OK() {
		t.Errorf("%+v\n%s", found, text)
	}
}

func TestCompareRefuses(t *testing.T) {
	t.Parallel()
	report := func(pack string) string {
		return cmdtest.Write(t, "report.json", `{"suite":{"version":"1","pack":"`+pack+`"},"target":{},"summary":{"pass":0,"fail":0,"warn":0,"notClaimed":0,"unprovable":0,"known":0,"error":0,"scenarios":0,"seconds":0},"classes":[],"requirements":[]}`)
	}
	a, b, mine := report("helix"), report("aep"), cmdtest.Write(t, "mine.html", "<title>my page</title>")
	for _, c := range []struct {
		args  []string
		words []string
	}{
		{[]string{a}, []string{"two reports", "--help"}},
		{[]string{a, "nowhere.json"}, []string{"there is no file nowhere.json"}},
		{[]string{a, mine}, []string{"mine.html"}},
		{[]string{a, t.TempDir()}, []string{"report.json"}},
		{[]string{a, a, "--format", "yaml"}, []string{"--format", "yaml", "console or json"}},
		{[]string{a, b}, []string{"pack helix", "aep", "expected two of one pack"}},
		{[]string{a, a, "--page", mine}, []string{"mine.html", "--force"}},
	} {
		streamcert(t, "", append([]string{"compare"}, c.args...)...).OneLine(t, misuse, c.words...)
	}
	if contents(t, mine) != "<title>my page</title>" {
		t.Error("a foreign file was replaced")
	}
	if r := streamcert(t, "", "compare", a, a, "--page", mine, "--force"); r.Code != 0 || !strings.Contains(contents(t, mine), "streamcert compare") {
		t.Errorf("%+v", r)
	}
	if entries, err := os.ReadDir(filepath.Dir(mine)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
