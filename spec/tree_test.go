package spec

import (
	"fmt"
	"slices"
	"testing"
)

// TestTreeHasNoProblems checks the real text by everything that Load checks.
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

// TestTreeNamesEveryDecision counts what the rationale of each pack has to speak of.
func TestTreeNamesEveryDecision(t *testing.T) {
	for _, pack := range []struct {
		name      string
		conflicts string
		count     int
		decisions []int
		questions []int
	}{
		{"helix", "C-H", 49, numbers(1, 10), numbers(1, 32)},
		{"aep", "C-A", 16, []int{5, 9, 10, 11, 15}, append([]int{1, 16, 17, 18, 22, 24}, numbers(32, 39)...)},
		{"merlin", "C-M", 24, []int{5, 9, 10, 12}, append([]int{1, 16, 46}, numbers(40, 43)...)},
	} {
		file := pack.name + "/rationale.md"
		source, err := FS.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ra, _ := readRationale(parseDocument(file, source))
		var want []string
		for _, i := range numbers(1, pack.count) {
			want = append(want, fmt.Sprintf("%s-%02d", pack.conflicts, i))
		}
		for _, i := range pack.decisions {
			want = append(want, fmt.Sprintf("decision %d", i))
		}
		for _, i := range pack.questions {
			want = append(want, fmt.Sprintf("Q-%02d", i))
		}
		for _, code := range want {
			if ra.named[code] == 0 {
				t.Errorf("%s does not speak of %s", file, code)
			}
		}
	}
}

// numbers gives the integers from first to last.
func numbers(first, last int) []int {
	var out []int
	for i := first; i <= last; i++ {
		out = append(out, i)
	}
	return out
}

// TestTreeSentences contains what a parser of single blocks cannot see: two requirements of one pack with one sentence are
// one. Packs may well say the same of two protocols.
func TestTreeSentences(t *testing.T) {
	book, _, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	sentences := map[[2]string]string{}
	for _, r := range book.Requirements {
		key := [2]string{r.Pack, r.Sentence}
		if first, twice := sentences[key]; twice {
			t.Errorf("%s and %s have the same sentence", first, r.ID)
		}
		sentences[key] = r.ID
	}
}

// TestTreeClasses checks that the classes of helix hold those that they include, and that optional capabilities
// never become mandatory in a class that doesn't name them.
func TestTreeClasses(t *testing.T) {
	book, _, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	includes := map[string]string{"Resumable": "Core", "Recovery": "Resumable", "Runtime": "Recovery", "Snapshot": "Resumable"}
	classes := map[string]Class{}
	var names []string
	for _, c := range book.Classes("helix") {
		names = append(names, c.Name)
		classes[c.Name] = c
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
		for _, id := range classes[includes[c.Name]].Requirements {
			if !slices.Contains(c.Requirements, id) {
				t.Errorf("class %s lacks %s of %s", c.Name, id, includes[c.Name])
			}
		}
	}
	if want := []string{"Core", "Resumable", "Recovery", "Runtime", "Snapshot", "Durable", "Replicated"}; !slices.Equal(names, want) {
		t.Errorf("classes %q, want %q", names, want)
	}
	for _, id := range classes["Core"].Requirements {
		if r, _ := book.Get(id); slices.Contains(r.Capabilities, "runtime") {
			t.Errorf("Core asks for %s, which a server without a runtime can't prove", id)
		}
	}
	for _, want := range []struct{ class, id string }{
		{"Runtime", "helix.errors.classified"}, {"Runtime", "helix.tools.reported"}, {"Snapshot", "helix.snapshot.complete"},
	} {
		if !slices.Contains(classes[want.class].Requirements, want.id) {
			t.Errorf("class %s doesn't ask for %s", want.class, want.id)
		}
	}
	for _, want := range []struct{ class, id string }{
		{"Core", "helix.errors.classified"}, {"Runtime", "helix.approval.granted"}, {"Snapshot", "helix.snapshot.messages"},
	} {
		if !slices.Contains(classes[want.class].Conditional, want.id) {
			t.Errorf("%s isn't a condition of class %s", want.id, want.class)
		}
	}
}
