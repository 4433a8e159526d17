package runner_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// examplePack is the pack that is no part of this build, in rooms of the same names.
const (
	examplePack = "beacon"
	exampleRoot = "runner/packs/testdata"
)

// TestNothingKnowsTheExamplePack: it is certified, broken and linted by code that doesn't name it.
func TestNothingKnowsTheExamplePack(t *testing.T) {
	for _, place := range packNames(moduleSources(t), []string{examplePack}) {
		t.Error(place)
	}
}

// TestExamplePackKeepsTheRules: the guide's example satisfies the rules for packs of this build.
func TestExamplePackKeepsTheRules(t *testing.T) {
	sources, err := readSources(os.DirFS(filepath.Join(root, filepath.FromSlash(exampleRoot))))
	if err != nil || len(sources) == 0 {
		t.Fatalf("%d sources: %v", len(sources), err)
	}
	for i := range sources {
		for j, name := range sources[i].imports {
			sources[i].imports[j] = strings.Replace(name, "./"+exampleRoot+"/", "./", 1)
		}
	}
	for _, offender := range slices.Concat(importOffenders(sources), longFiles(sources), longFunctions(sources), undocumented(sources)) {
		t.Error(offender)
	}
}

var relativeLink = regexp.MustCompile(`\]\(([^)#:]+)\)`)

// TestGuideLeadsSomewhere: the links of the guide and of the page that links to it lead to existing files.
func TestGuideLeadsSomewhere(t *testing.T) {
	for _, page := range []string{exampleRoot + "/README.md", ".github/CONTRIBUTING.md"} {
		at := filepath.Join(root, filepath.FromSlash(page))
		text, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		links := relativeLink.FindAllStringSubmatch(string(text), -1)
		if len(links) == 0 {
			t.Errorf("%s leads nowhere", page)
		}
		for _, link := range links {
			if _, err := os.Stat(filepath.Join(filepath.Dir(at), filepath.FromSlash(link[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}
