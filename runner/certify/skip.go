package certify

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/similar"
	"github.com/streamcert/streamcert/spec"
)

// skips lists requirements and rows that were selected and that the caller excludes.
type skips struct {
	requirements map[string]bool // by id
	rows         map[rowKey]bool // by location and title
}

// newSkips resolves patterns to exclude: requirements by id, scenarios by title or by location, such as
// features/<pack>/resume/edges.feature:12. A pattern may be a glob. The error is a *[pack.SelectionError] for one that
// matches nothing.
func newSkips(s *pack.Suite, patterns []string) (skips, error) {
	out := skips{map[string]bool{}, map[rowKey]bool{}}
	for _, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil {
			return out, unclosed(pattern)
		}
		if !out.add(s, pattern) {
			return out, &pack.SelectionError{Message: fmt.Sprintf("nothing of pack %s to skip matches %q%s", s.Pack.Name, pattern, nearest(s, pattern))}
		}
	}
	return out, nil
}

// add takes in a pattern and reports whether it matched anything.
func (k skips) add(s *pack.Suite, pattern string) bool {
	found := false
	for _, q := range s.Book.Pack(s.Pack.Name) {
		if q.Role == spec.RoleServer && q.Withdrawn == "" && pack.Matches(pattern, q.ID) {
			k.requirements[q.ID], found = true, true
		}
	}
	for _, sc := range s.Scenarios {
		for _, row := range sc.Rows {
			if names(sc, row).match(pattern) {
				k.rows[rowKey{sc.Location(), row.Title}], found = true, true
			}
		}
	}
	return found
}

// row reports whether a row of a scenario is left out.
func (k skips) row(sc features.Scenario, title string) bool {
	return k.requirements[sc.Requirement] || k.rows[rowKey{sc.Location(), title}]
}

// named lists the names of a row by which a caller can skip it.
type named []string

func names(sc features.Scenario, row features.Row) named {
	return named{row.Title, sc.Title, sc.Location(), "features/" + sc.Location()}
}

func (n named) match(pattern string) bool {
	return slices.ContainsFunc(n, func(name string) bool {
		if name == pattern {
			return true
		}
		// A star spans everything in a title.
		ok, err := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
		return ok && err == nil
	})
}

// nearest suggests a correction for a pattern that matches nothing.
func nearest(s *pack.Suite, pattern string) string {
	best, at := "", max(4, len(pattern)/3)
	consider := func(name string) {
		if d := similar.Distance(strings.ToLower(pattern), strings.ToLower(name), at); d < at {
			best, at = name, d
		}
	}
	for _, q := range s.Book.Pack(s.Pack.Name) {
		consider(q.ID)
	}
	for _, sc := range s.Scenarios {
		for _, row := range sc.Rows {
			for _, name := range names(sc, row) {
				consider(name)
			}
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// CheckSkips reports by a *[pack.SelectionError] whether a pattern of [Options].Skip
// matches nothing in a suite.
func CheckSkips(s *pack.Suite, patterns []string) error {
	_, err := newSkips(s, patterns)
	return err
}

// rowKey names a row of a scenario.
type rowKey struct{ location, title string }
