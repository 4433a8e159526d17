package generated

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// inReadme asks of the README to have the number of a pack's generated mutants, in its place among those of all packs.
func inReadme(t *testing.T, place, total int) {
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
	row := regexp.MustCompile(`\| ([\d,]+) \+ ([\d,]+) \| generated mutants`).FindSubmatch(text)
	want := fmt.Sprintf("%d,%03d", total/1000, total%1000)
	if row == nil || string(row[place]) != want {
		t.Errorf("the row of README.md for generated mutants is %q, want %s as number %d", row, want, place)
	}
}
