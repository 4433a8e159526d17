package modeltest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// IsWhatTheCodeNames fails a test unless a list has, in order, each requirement that the model or the player of a pack can
// find broken or count an occasion of, and nothing else. The test runs in the folder of the model.
func IsWhatTheCodeNames(t *testing.T, pack string, list []string) {
	t.Helper()
	id := regexp.MustCompile(`"(` + regexp.QuoteMeta(pack) + `\.[a-z]+\.[a-z0-9-]+)"`)
	var named []string
	for _, folder := range []string{".", filepath.Join("..", "..", "campaign", pack)} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("reading the code of %s: %d files: %v", folder, len(files), err)
		}
		for _, file := range files {
			if base := filepath.Base(file); base == "rules.go" || strings.HasSuffix(base, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range id.FindAllStringSubmatch(string(text), -1) {
				named = append(named, m[1])
			}
		}
	}
	slices.Sort(named)
	if diff := cmp.Diff(slices.Compact(named), list); diff != "" {
		t.Errorf("(-code +list):\n%s", diff)
	}
}
