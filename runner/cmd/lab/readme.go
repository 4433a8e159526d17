package lab

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/lint"
	"github.com/streamcert/streamcert/runner/prove"
)

// readmeFile is the page whose table tells how large the suite is.
const readmeFile = "README.md"

// readme returns the README of a working copy with the numbers of the suite, nil if there is none.
func (a *app) readme(dir string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, readmeFile))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the numbers of %s: %w", readmeFile, err)
	}
	numbers, err := a.numbers()
	if err != nil {
		return nil, err
	}
	for _, label := range slices.Sorted(maps.Keys(numbers)) {
		number := numbers[label]
		row := regexp.MustCompile(`(?m)^\| [^|]* (\| ` + regexp.QuoteMeta(label) + `[ :])`)
		if len(row.FindAll(text, 2)) != 1 {
			return nil, fmt.Errorf("%s has no row, or two, for the number of %s; expected one: | %s | %s | … |", readmeFile, label, number, label)
		}
		text = row.ReplaceAll(text, []byte("| "+number+" $1"))
	}
	return text, nil
}

// numbers tells how large the suite is, by the label of each row of the README.
func (a *app) numbers() (map[string]string, error) {
	files, err := a.Files()
	if err != nil {
		return nil, err
	}
	whole := lint.Run(a.linted(files))
	variants, idle := 0, 0
	var generated []string
	for _, name := range a.Packs().Names() {
		variants += len(a.altered.Variants(name))
		idle += len(a.altered.Idle(name))
		suite, err := a.Suite(name)
		if err != nil {
			return nil, err
		}
		made, err := prove.Generated(suite)
		if err != nil {
			return nil, err
		}
		generated = append(generated, grouped(made.Total))
	}
	return map[string]string{
		"requirements": grouped(whole.Requirements), "scenario rows": grouped(whole.Rows), "mutants": grouped(whole.Mutants),
		"generated mutants": strings.Join(generated, " + "), "variants": grouped(variants), "idle servers": grouped(idle),
	}, nil
}

// grouped writes a number with commas between its thousands.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
