package certify

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/similar"
)

// isLocation reports whether a pattern of [Options].Only selects scenarios by location: requirement ids have no slash.
func isLocation(pattern string) bool { return strings.ContainsRune(pattern, '/') }

// atLocation adds the scenarios that a pattern selects by their location as reports print it, features/<pack>/….feature:34. The
// folder features/ and the line may be left out, and the pattern may be a glob. The error is a *[pack.SelectionError].
func atLocation(s *pack.Suite, pattern string, locations map[string]bool) error {
	short := strings.TrimPrefix(path.Clean(pattern), "features/")
	found := false
	for _, sc := range s.Scenarios {
		glob, err := path.Match(short, sc.Location())
		if err != nil {
			return unclosed(pattern)
		}
		if glob || short == sc.File {
			locations[sc.Location()], found = true, true
		}
	}
	if found {
		return nil
	}
	out := &pack.SelectionError{Message: fmt.Sprintf("no scenario of pack %s is at %q", s.Pack.Name, pattern)}
	if near := nearestLocation(s.Scenarios, short); near != "" {
		out.Near = true
		out.Message += fmt.Sprintf("; did you mean features/%s?", near)
	}
	return out
}

// nearestLocation suggests a location for one without a scenario, "" for none: the scenario around the line, else the first of
// the file, else a location with a similar spelling.
func nearestLocation(all []features.Scenario, wrong string) string {
	file, digits, _ := strings.Cut(wrong, ":")
	line, _ := strconv.Atoi(digits) // 0 is before the first
	around, alike, least := "", "", 4
	for _, sc := range all { // in the order of files and lines
		if sc.File == file && (around == "" || sc.Line <= line) {
			around = sc.Location()
		}
		if d := similar.Distance(wrong, sc.Location(), least); d < least {
			alike, least = sc.Location(), d
		}
	}
	if around != "" {
		return around
	}
	return alike
}

func unclosed(pattern string) error {
	return &pack.SelectionError{Message: fmt.Sprintf("%q is not a pattern: a [ is not closed", pattern)}
}
