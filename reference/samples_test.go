package reference_test

import (
	"os"
	"strings"
	"testing"
)

// TestSamplesEarnTheStatedClass: the classes that reference/README.md lists for a sample are those that its make target
// requires.
func TestSamplesEarnTheStatedClass(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	asked := map[string]string{}
	for line := range strings.Lines(read("../Makefile")) {
		if name, classes, ok := strings.Cut(line, ":="); ok {
			asked[strings.TrimSpace(name)] = strings.Join(strings.Fields(classes), ", ")
		}
	}
	for target, variable := range map[string]string{"certify-node": "CLASSES", "certify-workerd": "KEPT"} {
		row := "| `make " + target + "` | " + asked[variable] + " |\n"
		if asked[variable] == "" || !strings.Contains(read("README.md"), row) {
			t.Errorf("README.md has no row that ends with %q", row)
		}
	}
}
