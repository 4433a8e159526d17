package aep_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	model "github.com/streamcert/streamcert/runner/model/aep"
)

var id = regexp.MustCompile(`"(aep\.[a-z]+\.[a-z0-9-]+)"`)

// TestOwnIsWhatTheCodeNames: what the model or the player can find broken, or counts an occasion of, is in the list, and
// nothing else is.
func TestOwnIsWhatTheCodeNames(t *testing.T) {
	var named []string
	for _, folder := range []string{".", "../../campaign/aep"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		for _, file := range files {
			if base := filepath.Base(file); base == "rules.go" || regexp.MustCompile(`_test\.go$`).MatchString(base) {
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
	if diff := cmp.Diff(slices.Compact(named), model.Own()); diff != "" {
		t.Errorf("(-code +list):\n%s", diff)
	}
}
