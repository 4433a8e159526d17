package runner_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/packs"
)

// lists are the files that may name packs, because they list them, or serve the servers of tests.
var lists = []string{
	"runner/packs/packs.go", "runner/judges/judges.go", "runner/cmd/command/servers.go", "runner/cmd/catalogues/catalogues.go", "reference/reference.go", "reference/sources.go", "runner/certify/certifytest/certifytest.go",
}

// naming finds where a source names a pack, alone or at the beginning of a word or of a hump.
func naming(names []string) *regexp.Regexp {
	var words []string
	for _, name := range names {
		title := strings.ToUpper(name[:1]) + name[1:]
		words = append(words, `\b(?i:`+name+`)`, `[a-z0-9](?:`+title+`|`+strings.ToUpper(name)+`)`)
	}
	return regexp.MustCompile(strings.Join(words, "|"))
}

var id = regexp.MustCompile(`\b[a-z]+\.[a-z-]+\.[a-z0-9-]+`)

// withoutIDs removes the requirement ids of a line's comment: the code that implements or checks a requirement names it.
func withoutIDs(line string) string {
	code, comment, ok := strings.Cut(line, "//")
	if !ok {
		return line
	}
	return code + "//" + id.ReplaceAllString(comment, "")
}

// packNames lists the files that name a pack though they are neither of a pack nor a list.
func packNames(sources []source, names []string) []string {
	pattern := naming(names)
	var out []string
	for _, s := range sources {
		of := strings.Split(s.dir(), "/")
		if s.isTest() || slices.Contains(lists, s.name) || slices.ContainsFunc(of, func(part string) bool { return slices.Contains(names, part) }) {
			continue
		}
		for i, line := range strings.Split(string(s.text), "\n") {
			if pattern.MatchString(withoutIDs(line)) {
				out = append(out, fmt.Sprintf("%s:%d: names a pack: %s", s.name, i+1, strings.TrimSpace(line)))
			}
		}
	}
	slices.Sort(out)
	return out
}

// TestOnlyPacksNamePacks: a pack is its folders, its value and a line in each list. Nothing else knows it.
func TestOnlyPacksNamePacks(t *testing.T) {
	for _, place := range packNames(moduleSources(t), packs.Names()) {
		t.Error(place)
	}
}

// TestPackNamesAreSeen: the check above must be able to fail.
func TestPackNamesAreSeen(t *testing.T) {
	text := func(line string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("package p\n\n" + line + "\n")}
	}
	sources, err := readSources(fstest.MapFS{
		"runner/check/a.go":      text("// of toy streams"),
		"runner/check/b.go":      text("var toyMachine = 1"),
		"runner/check/c.go":      text("func newTOYStage() {}"),
		"runner/check/d.go":      text(`const id = "toy.words.all"`),
		"runner/check/e.go":      text("var destroyed, stoyed = 1, 2"),
		"reference/store/a.go":   text("var v int // toy.words.all: nothing is lost"),
		"reference/store/b.go":   text("var v int // toy.words.all: nothing of a toy is lost"),
		"runner/check/a_test.go": text("// of toy streams"),
		"runner/judge/toy/a.go":  text("// of toy streams"),
		"runner/packs/packs.go":  text("// toy"),
		"steps/a.go":             text("// toy"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"reference/store/b.go:3: names a pack: var v int // toy.words.all: nothing of a toy is lost",
		"runner/check/a.go:3: names a pack: // of toy streams",
		"runner/check/b.go:3: names a pack: var toyMachine = 1",
		"runner/check/c.go:3: names a pack: func newTOYStage() {}",
		`runner/check/d.go:3: names a pack: const id = "toy.words.all"`,
		"steps/a.go:3: names a pack: // toy",
	}
	got := packNames(sources, []string{"toy"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
