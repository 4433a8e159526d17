package lab

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/golden"
)

// TestExcerptsAreRewritten: a block that differs from its golden is reported, rewritten, and then no longer reported.
func TestExcerptsAreRewritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "# Cycles\n\n<!-- wire: golden/helix/wire/the-head-of-a-stream.txt § The head of a stream -->\n```http\nstale\n```\n<!-- /wire -->\n\nEnd.\n"
	for file, content := range map[string]string{"spec/helix/1-head.md": text, "spec/README.md": "no place\n"} {
		path := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "golden"), golden.FS); err != nil {
		t.Fatal(err)
	}
	drifted, err := driftedExcerpts(os.DirFS(filepath.Join(dir, "spec")), golden.FS)
	if want := []string{"spec/helix/1-head.md:3: the block differs from the golden: run `make golden`"}; err != nil || !slices.Equal(drifted, want) {
		t.Fatalf("drifted %q, %v", drifted, err)
	}
	changed, err := rewriteExcerpts(dir)
	if err != nil || !slices.Equal(changed, []string{"helix/1-head.md"}) {
		t.Fatalf("changed %q, %v", changed, err)
	}
	after, err := os.ReadFile(filepath.Join(dir, "spec", "helix", "1-head.md"))
	if err != nil || strings.Contains(string(after), "stale") || !strings.Contains(string(after), "```http\n== ") || !strings.HasSuffix(string(after), "```\n<!-- /wire -->\n\nEnd.\n") {
		t.Errorf("%v\n%s", err, after)
	}
	if drifted, err := driftedExcerpts(os.DirFS(filepath.Join(dir, "spec")), golden.FS); err != nil || len(drifted) > 0 {
		t.Errorf("drifted %q, %v", drifted, err)
	}
}
