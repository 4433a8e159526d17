package features

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// oneLine matches the error of a file that can't be parsed.
var oneLine = regexp.MustCompile(`\Afeatures/helix/toy/x\.feature:[1-9][0-9]*: [^\n]+\z`)

// FuzzParse reads anything as a feature file: it never panics, an error is one line with a position, and the result is
// consistent.
func FuzzParse(f *testing.F) {
	scenarios, err := Load(FS, "helix")
	if err != nil {
		f.Fatal(err)
	}
	seen := map[string]bool{}
	for _, sc := range scenarios {
		if seen[sc.Chapter] { // one file a chapter has all there is
			continue
		}
		seen[sc.Chapter] = true
		src, err := fs.ReadFile(FS, sc.File)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	for _, seed := range []string{
		"", "\ufeff", outline, strings.ReplaceAll(outline, "\n", "\r\n"), outline[:400], "Feature: f\n@a\n",
		"Feature: f\nScenario Outline: <a>\nGiven <b>\nExamples:\n|a|\n|\\|<a>\\n|\n",
		"# language: fr\nFonctionnalité: f\nScénario: s\n* a\n",
		"Feature: f\nRule: a\nBackground:\n* x\nRule: b\nExample: e\nAnd y\n\"\"\"\n<z>\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		scenarios, err := parse("helix", textFile, src)
		if err != nil {
			var mistake *ParseError
			if !errors.As(err, &mistake) || !oneLine.MatchString(err.Error()) {
				t.Errorf("the error %q", err)
			}
			return
		}
		for _, sc := range scenarios {
			if sc.Line < 1 || sc.Pack != "helix" || sc.Chapter != "toy" || strings.ContainsAny(sc.Slug(), "/\\ <>") {
				t.Errorf("%+v", sc)
			}
			for _, row := range sc.Rows {
				if len(row.Steps) != 0 && len(row.Steps) != len(sc.Steps) {
					t.Errorf("%q has %d steps and a row of %d", sc.Title, len(sc.Steps), len(row.Steps))
				}
			}
		}
	})
}
