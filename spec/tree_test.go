package spec

import (
	"fmt"
	"slices"
	"testing"
)

// TestTreeHasNoProblems holds the real text to everything that Load checks.
func TestTreeHasNoProblems(t *testing.T) {
	book, problems, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("spec/%s", p)
	}
	if len(book.Requirements) == 0 {
		t.Error("the specification holds no requirement")
	}
}

// TestTreeNamesEveryDecision counts what the rationale of helix has to speak of.
func TestTreeNamesEveryDecision(t *testing.T) {
	source, err := FS.ReadFile("helix/rationale.md")
	if err != nil {
		t.Fatal(err)
	}
	ra, _ := readRationale(parseDocument("helix/rationale.md", source))
	var want []string
	for i := range 49 {
		want = append(want, fmt.Sprintf("C-H-%02d", i+1))
	}
	for i := range 10 {
		want = append(want, fmt.Sprintf("decision %d", i+1))
	}
	for i := range 32 {
		want = append(want, fmt.Sprintf("Q-%02d", i+1))
	}
	for _, code := range want {
		if ra.named[code] == 0 {
			t.Errorf("helix/rationale.md does not speak of %s", code)
		}
	}
}

// TestTreeSentences holds what a parser of single blocks cannot see: two requirements with one sentence are one.
func TestTreeSentences(t *testing.T) {
	book, _, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	sentences := map[string]string{}
	for _, r := range book.Requirements {
		if first, twice := sentences[r.Sentence]; twice {
			t.Errorf("%s and %s have the same sentence", first, r.ID)
		}
		sentences[r.Sentence] = r.ID
	}
}

// TestTreeClasses checks that the classes of helix nest, and that optional capabilities never become mandatory in
// a class that doesn't name them.
func TestTreeClasses(t *testing.T) {
	book, _, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	classes := book.Classes("helix")
	var names []string
	for i, c := range classes {
		names = append(names, c.Name)
		if len(c.Requirements) == 0 {
			t.Errorf("class %s is earned by nothing", c.Name)
		}
		for _, id := range c.Requirements {
			r, _ := book.Get(id)
			for _, name := range r.Capabilities {
				if !slices.Contains(c.Capabilities, name) {
					t.Errorf("class %s asks for %s, which needs %s", c.Name, id, name)
				}
			}
		}
		if i == 0 {
			continue
		}
		for _, id := range classes[i-1].Requirements {
			if !slices.Contains(c.Requirements, id) {
				t.Errorf("class %s lacks %s of %s", c.Name, id, classes[i-1].Name)
			}
		}
	}
	if want := []string{"Core", "Resumable", "Recovery"}; !slices.Equal(names, want) {
		t.Errorf("classes %q, want %q", names, want)
	}
}
