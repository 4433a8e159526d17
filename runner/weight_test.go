package runner_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/spec"
)

// The folders with the code of packs, each in a folder of the pack's name: what certifies servers and what is certified first,
// and what shows that the suite is right.
var (
	productFolders = []string{"runner/judge", "steps", "runner/target", "runner/pack", "reference"}
	proofFolders   = []string{"reference/mutant", "reference/variant", "reference/idle", "reference/alter", "runner/campaign", "runner/model"}
	catalogue      = proofFolders[:2]
)

// uncommented is the share of lines that hold no comment, which has a limit as lines have.
const uncommented = "lines without a comment, of 1000"

// proseWords is the number of words below the sentences of requirements.
const proseWords = "words of prose below sentences"

// notProse matches what readers don't read as prose: fenced blocks, rows of tables and comments.
var notProse = regexp.MustCompile("(?ms)^```.*?^```$|^\\|.*?$|<!--.*?-->")

// countProse returns the words of prose of requirements, which readers have to read before they know what a rule demands.
func countProse(requirements []spec.Requirement) int {
	n := 0
	for _, q := range requirements {
		n += len(strings.Fields(notProse.ReplaceAllString(q.Why, "")))
	}
	return n
}

// weight counts lines of Go that aren't tests.
type weight struct {
	totals  map[string]int // by the names of testdata/weight.txt
	folders map[string]int // by folder, of packs only: "steps/toy" includes what is below it
	largest string         // the package with the most lines
}

func weigh(sources []source, packs []string) weight {
	w := weight{totals: map[string]int{}, folders: map[string]int{}}
	packages, comments := map[string]int{}, 0
	for _, s := range sources {
		if s.isTest() {
			continue
		}
		lines := bytes.Count(s.text, []byte("\n"))
		w.totals["lines"] += lines
		packages[s.dir()] += lines
		for _, g := range s.file.Comments {
			comments += s.set.Position(g.End()).Line - s.set.Position(g.Pos()).Line + 1
		}
		for _, pack := range packs {
			count := func(name string, folders []string) {
				for _, folder := range folders {
					if folder += "/" + pack; strings.HasPrefix(s.name, folder+"/") {
						w.folders[folder] += lines
						w.totals[name] += lines
					}
				}
			}
			count("product "+pack, productFolders)
			count("proof "+pack, proofFolders)
			for _, folder := range catalogue {
				if strings.HasPrefix(s.name, folder+"/"+pack+"/") {
					w.totals["mutants and variants"] += lines
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		if packages[name] > w.totals["largest package"] {
			w.totals["largest package"], w.largest = packages[name], name
		}
	}
	w.totals[uncommented] = 1000 - 1000*comments/max(1, w.totals["lines"])
	return w
}

// page shows a weight, and by how much each number differs from that of a release; nil for none.
func (w weight) page(release map[string]int) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(w.totals)) {
		fmt.Fprintf(&b, "%-34s%8d", name, w.totals[name])
		if release != nil {
			fmt.Fprintf(&b, " %+7d", w.totals[name]-release[name])
		}
		of := productFolders
		kind, pack, found := strings.Cut(name, " ")
		if kind == "proof" {
			of = proofFolders
		}
		for _, folder := range of {
			if n := w.folders[folder+"/"+pack]; found && n > 0 {
				fmt.Fprintf(&b, "  %s %d", path.Base(folder), n)
			}
		}
		switch name {
		case "largest package":
			b.WriteString("  " + w.largest)
		case uncommented:
			fmt.Fprintf(&b, "  comments %.1f %%", float64(1000-w.totals[name])/10)
		}
		b.WriteString("\n")
	}
	if release == nil {
		b.WriteString("since the last release: no release has a tag, so there is nothing to compare with\n")
	}
	return b.String()
}

// slack is by how many thousandths a limit may be above what is measured: a smaller gain is nothing to lower it for.
const slack = 20

// overweight compares totals with limits, a line each: the name, what it is at most, what the house wants at most, and why it is
// more, with bars between.
func overweight(totals map[string]int, limits string) []string {
	var out []string
	listed := map[string]bool{}
	for line := range strings.Lines(limits) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := append(strings.Split(line, "|"), "", "", "")
		name := strings.TrimSpace(cells[0])
		most, err := strconv.Atoi(strings.TrimSpace(cells[1]))
		house, err2 := strconv.Atoi(strings.TrimSpace(cells[2]))
		n, measured := totals[name]
		listed[name] = true
		switch {
		case err != nil || err2 != nil:
			out = append(out, fmt.Sprintf("%s: no number: %v", line, errors.Join(err, err2)))
		case !measured:
			out = append(out, name+" is measured nowhere: remove its line")
		case n > most:
			out = append(out, fmt.Sprintf("%s: %d, expected at most %d: remove lines, or raise the limit and say why", name, n, most))
		case most > house && strings.TrimSpace(cells[3]) == "":
			out = append(out, fmt.Sprintf("%s: the limit %d is above %d without a reason", name, most, house))
		case 1000*most > (1000+slack)*n+1000:
			out = append(out, fmt.Sprintf("%s: %d, and the limit is %d: lower it", name, n, most))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(totals)) {
		if !listed[name] {
			out = append(out, name+" has no limit")
		}
	}
	return out
}

// TestWeight prints the weight of the module, with -v, and compares it with its limits.
func TestWeight(t *testing.T) {
	limits, err := os.ReadFile("testdata/weight.txt")
	if err != nil {
		t.Fatal(err)
	}
	w := weigh(moduleSources(t), packs.Names())
	book, _, err := spec.Load(spec.FS)
	if err != nil {
		t.Fatal(err)
	}
	w.totals[proseWords] = countProse(book.Requirements)
	if testing.Verbose() {
		fmt.Print(w.page(released(t)))
	}
	for _, problem := range overweight(w.totals, string(limits)) {
		t.Error(problem)
	}
}

// released returns the totals of the newest tag; nil if there is none.
func released(t *testing.T) map[string]int {
	t.Helper()
	git := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = root
		return cmd.Output()
	}
	tag, err := git("describe", "--tags", "--abbrev=0")
	if err != nil {
		return nil
	}
	archive, err := git("archive", strings.TrimSpace(string(tag)))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(r); err == nil && path.Ext(h.Name) == ".go" {
			files[h.Name] = &fstest.MapFile{Data: text}
		}
	}
	sources, err := readSources(files)
	if err != nil {
		t.Fatal(err)
	}
	return weigh(sources, packs.Names()).totals
}

func TestWeightIsMeasured(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	sources, err := readSources(fstest.MapFS{
		"steps/toy/a.go":                  file("package toy\n\n// A is one.\nvar A = 1\n"),
		"steps/toys/a.go":                 file("package toys\n"),
		"steps/toy/a_test.go":             file("package toy\n"),
		"reference/mutant/toy/deep/a.go":  file("package deep\n\nvar B = 1\n"),
		"reference/variant/toy/doc.go":    file("package toy\n"),
		"reference/mutant/of_every.go":    file("package mutant\n"),
		"runner/campaign/toy/play/all.go": file("package play\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	w := weigh(sources, []string{"toy"})
	want := map[string]int{
		"lines": 11, "product toy": 4, "proof toy": 5, "mutants and variants": 4, "largest package": 4, uncommented: 910,
	}
	if diff := cmp.Diff(want, w.totals); diff != "" || w.largest != "steps/toy" {
		t.Errorf("%s: %s", w.largest, diff)
	}
	for _, line := range []string{"proof toy                                5      +2  mutant 3  variant 1  campaign 1\n", "comments 9.0 %\n", "largest package                          4      +4  steps/toy\n"} {
		if page := w.page(map[string]int{"proof toy": 3}); !strings.Contains(page, line) {
			t.Errorf("no %q in\n%s", line, page)
		}
	}
	if page := w.page(nil); !strings.Contains(page, "no release has a tag") {
		t.Errorf("got\n%s", page)
	}
}

func TestProseIsCounted(t *testing.T) {
	why := "Some words,\n`and code`.\n\n| a | table |\n|---|---|\n\n<!-- wire: x -->\n```http\nGET /\n```\n<!-- /wire -->\n\nThe last one.\n"
	if n := countProse([]spec.Requirement{{Why: why}, {Why: "One."}}); n != 8 {
		t.Errorf("got %d words, want 8", n)
	}
}

func TestOverweight(t *testing.T) {
	const limits = "# comment\n\nfits | 100 | 90 | grows\nheavy | 99 | 200\nunexplained | 100 | 90 |\nslack | 104 | 200\ngone | 1 | 1\nno number | x | 1\n"
	got := overweight(map[string]int{"fits": 100, "heavy": 100, "unexplained": 100, "slack": 100, "unlisted": 1, "no number": 1}, limits)
	want := []string{
		"heavy: 100, expected at most 99: remove lines, or raise the limit and say why",
		"unexplained: the limit 100 is above 90 without a reason",
		"slack: 100, and the limit is 104: lower it",
		"gone is measured nowhere: remove its line",
		`no number | x | 1: no number: strconv.Atoi: parsing "x": invalid syntax`,
		"unlisted has no limit",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
