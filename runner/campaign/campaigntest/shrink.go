package campaigntest

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"
)

// numbers matches the numbers in texts and ids. They count within a program, so that no two texts are the same.
var numbers = regexp.MustCompile(`\d+`)

// Unnumbered returns the JSON of the steps of a script, without the numbers in it.
func Unnumbered[S any](t testing.TB, steps []S) (out []string) {
	t.Helper()
	for _, step := range steps {
		text, err := json.Marshal(step)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, numbers.ReplaceAllString(string(text), "#"))
	}
	return out
}

// Without fails the test unless the steps of a script without one of its operations are those of the complete script, without
// consecutive ones that begin after so many: the others don't change when the program is shrunk.
func Without(t testing.TB, operation string, complete, without []string, after int) {
	t.Helper()
	want := slices.Delete(slices.Clone(complete), after, after+len(complete)-len(without))
	for i := range want {
		if want[i] != without[i] {
			t.Errorf("without %q step %d of the remaining program differs: got %.300s, want %.300s", operation, i, without[i], want[i])
			return
		}
	}
}
