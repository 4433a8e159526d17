package generated

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// inReadme asks of the README to have the number of a pack's generated mutants, in the place of its name among those of all
// packs.
func inReadme(t *testing.T, pack string, total int) {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for { // up to the root of the module
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`\| ([\d,+ ]+) \| generated mutants of ([a-z, -]+):`).FindSubmatch(text)
	if row == nil {
		t.Fatal("README.md has no row of generated mutants")
	}
	place := slices.Index(strings.Split(strings.ReplaceAll(string(row[2]), " and ", ", "), ", "), pack)
	want := fmt.Sprint(total)
	if total >= 1000 {
		want = fmt.Sprintf("%d,%03d", total/1000, total%1000)
	}
	if all := strings.Split(string(row[1]), " + "); place < 0 || place >= len(all) || all[place] != want {
		t.Errorf("the row of README.md for generated mutants is %q, want %s for %s", row[0], want, pack)
	}
}
