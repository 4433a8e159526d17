package mutanttest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/mutant"
)

var (
	kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	block = regexp.MustCompile("(?m)^#### (\\S+)\n> (.+)\n\n((?:`.*\n)+)")
	// unseen matches tags of requirements that no server can be seen to violate.
	unseen = regexp.MustCompile("`(role|untestable|withdrawn): ")
)

// Catalogue fails the test unless the mutants of a pack are sorted, each has a unique name and a sentence, changes
// something and violates requirements that a server can be seen to violate, and each of these is violated by one at least.
func Catalogue[O any](t *testing.T, pack string, all []mutant.Mutant[O], seams func(mutant.Mutant[O]) []string) {
	t.Helper()
	ids, names := requirements(t, pack), map[string]bool{}
	for _, m := range all {
		if !kebab.MatchString(m.Name) || names[m.Name] {
			t.Errorf("mutant %q: the name isn't kebab-case or isn't the only one", m.Name)
		}
		names[m.Name] = true
		for _, requirement := range append([]string{m.Requirement}, m.Also...) {
			if _, ok := ids[requirement]; !ok {
				t.Errorf("mutant %s: there is no testable requirement %q", m.Name, requirement)
			}
		}
		ids[m.Requirement] = true
		if len(m.Also) > 3 || slices.Contains(m.Also, m.Requirement) {
			t.Errorf("mutant %s breaks too much besides: %v", m.Name, m.Also)
		}
		if len(seams(m)) == 0 {
			t.Errorf("mutant %s changes nothing", m.Name)
		}
		if !strings.HasSuffix(m.Summary, ".") || strings.Count(m.Summary, ". ") > 0 {
			t.Errorf("mutant %s: the summary isn't one sentence: %q", m.Name, m.Summary)
		}
	}
	for id, broken := range ids {
		if !broken {
			t.Errorf("no mutant breaks %s", id)
		}
	}
	if !slices.IsSortedFunc(all, mutant.Compare) {
		t.Error("the catalogue isn't sorted by requirement and name")
	}
}

// requirements are the ids that a server can be seen to break; none is broken yet. The folder of the test is that of a
// catalogue.
func requirements(t *testing.T, pack string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../../../spec/" + pack + "/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	ids := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range block.FindAllStringSubmatch(string(text), -1) {
			id, sentence, tags := found[1], found[2], found[3]
			if strings.HasPrefix(id, pack+".") && !unseen.MatchString(tags) && !strings.Contains(sentence, " MAY ") {
				ids[id] = false
			}
		}
	}
	return ids
}

// AThirdIsStateful fails the test unless a third of the mutants, but for a few, misbehave only in some state: bugs that come
// at once are the easier half.
func AThirdIsStateful[O any](t *testing.T, all []mutant.Mutant[O], few int) {
	t.Helper()
	stateful := 0
	for _, m := range all {
		if m.Stateful {
			stateful++
		}
	}
	if 3*stateful < len(all)-few {
		t.Errorf("%d of %d mutants misbehave only in some state, want a third", stateful, len(all))
	}
}

// ExtensionPoints returns the extension points that a mutant uses in a server with these options, each default filled in:
// the options that it replaces, in lower case and in the order of their declaration, and "handler" if it goes around the
// server.
func ExtensionPoints[O any](o O) func(mutant.Mutant[O]) []string {
	return func(m mutant.Mutant[O]) []string {
		places := alter.Replaced(o, m.Applied(o))
		if m.Wrap != nil {
			places = append(places, "handler")
		}
		return places
	}
}
