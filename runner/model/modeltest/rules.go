package modeltest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// IsWhatTheCodeNames fails a test unless a list has, in order, each requirement that the model or the player of a pack can
// find broken or count an occasion of, and nothing else. The test runs in the folder of the model; the folders below it and
// below the player belong to them.
func IsWhatTheCodeNames(t *testing.T, pack string, list []string) {
	t.Helper()
	id := regexp.MustCompile(`"(` + regexp.QuoteMeta(pack) + `\.[a-z]+\.[a-z0-9-]+)"`)
	var named []string
	for _, folder := range []string{".", filepath.Join("..", "..", "campaign", pack)} {
		files := 0
		err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
			base := filepath.Base(file)
			if err != nil || d.IsDir() || filepath.Ext(base) != ".go" || base == "rules.go" || strings.HasSuffix(base, "_test.go") {
				return err
			}
			files++
			text, err := os.ReadFile(file)
			for _, m := range id.FindAllStringSubmatch(string(text), -1) {
				named = append(named, m[1])
			}
			return err
		})
		if err != nil || files == 0 {
			t.Fatalf("reading the code of %s: %d files: %v", folder, files, err)
		}
	}
	slices.Sort(named)
	if diff := cmp.Diff(slices.Compact(named), list); diff != "" {
		t.Errorf("(-code +list):\n%s", diff)
	}
}
