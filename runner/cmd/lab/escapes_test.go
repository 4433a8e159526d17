package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

// TestTextsOfAWorkingCopyStayText: texts of an untrusted spec reach a terminal, a review comment and a page without control
// characters or changes of text direction.
func TestTextsOfAWorkingCopyStayText(t *testing.T) {
	t.Parallel()
	dir := cmdtest.WorkingCopy(t)
	hostile := "\x1b]0;title\x07\u202e\u009b31m"
	for name, before := range map[string]string{"spec/aep/1-events.md": "send every event", "features/aep/actions/asking.feature": "Scenario: "} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), before, before+" "+hostile+" ", 1)
		if changed == string(text) {
			t.Fatalf("%s doesn't say %s", name, before)
		}
		if err := os.WriteFile(name, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"lint"}, {"lint", "--format", "json"}, {"diff", "released", "--pack", "aep"}, {"diff", "released", "--pack", "aep", "--format", "json"},
		{"diff", "released", "--pack", "aep", "--format", "markdown"}, {"certify", "--list", "--pack", "aep", "--target", "http://127.0.0.1:1"},
		{"explain", "aep.*"},
	} {
		r := streamcert(t, "", append(args, "--dir", dir)...)
		if at := strings.IndexAny(r.Out+r.Errs, "\x1b\x07\u202e\u009b"); at >= 0 {
			t.Errorf("%v: %q", args, (r.Out + r.Errs)[max(0, at-60):min(len(r.Out+r.Errs), at+20)])
		}
	}
}
