package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/lint"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/spec"
)

// readmeFile is the page whose table shows the size of the suite.
const readmeFile = "README.md"

// actionPage is the page of the action, which cites a release.
const actionPage = ".github/actions/certify/README.md"

// samplesFile shows the output of the program.
const samplesFile = "spec/samples.md"

// citations are the patterns that cite the release of the program: a URL, an archive, an image, a module or an action.
var citations = regexp.MustCompile(`(streamcert/releases/download/v|streamcert_|streamcert/streamcert:|@v|released \(v)\d+\.\d+\.\d+`)

// cited returns a page that cites the present version of the program.
func cited(page []byte) []byte {
	return citations.ReplaceAll(page, []byte("${1}"+command.Version()))
}

// readme returns the README of a working copy with the numbers of the suite and the version of the program, nil if there
// is none.
func (a *app) readme(dir string) ([]byte, error) {
	text, err := readCopied(dir, readmeFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the numbers of %s: %w", readmeFile, err)
	}
	if !bytes.Contains(text, []byte(" | requirements |")) {
		return nil, nil // a page without the table, as that of a folder of packs
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
	return cited(text), nil
}

// indexes returns the appendix of each pack, in which a table of the pack's requirements replaces what follows the heading
// "Index". A pack without such an appendix has none.
func (a *app) indexes(dir string) ([]derivedFile, error) {
	const heading = "\n## Index\n\n"
	copied, err := a.Files()
	if err != nil {
		return nil, err
	}
	book, _, err := spec.Load(copied.Spec)
	if err != nil {
		return nil, err
	}
	var out []derivedFile
	for _, pack := range book.Packs() {
		name := path.Join("spec", pack, "appendix.md")
		text, err := readCopied(dir, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading the appendix of %s: %w", pack, err)
		}
		if before, _, found := strings.Cut(string(text), heading); found {
			out = append(out, derivedFile{name, []byte(before + heading + book.Index(pack))})
		}
	}
	return out, nil
}

// readCopied reads a file of a working copy.
func readCopied(dir, name string) ([]byte, error) {
	copied, err := files.Open(dir)
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(copied, name)
}

// numbers returns the sizes of the suite, by the label of each row of the README.
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

// runSample finds the run that the samples show, between the two lines around it.
var runSample = regexp.MustCompile("(?s)(`streamcert certify --reference --seed 7`:\n\n```\n).*?(\n```\n)")

// sample returns the samples of a working copy with a run of this build, nil if there are none. Digests are left out: they
// change with every comma.
func (a *app) sample(ctx context.Context) (*derivedFile, error) {
	text, err := readCopied(a.WorkingCopy(), samplesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the samples: %w", err)
	}
	if len(runSample.FindAll(text, 2)) != 1 {
		return nil, fmt.Errorf("%s has no place for a run, or two; expected a line that ends with `streamcert certify --reference --seed 7`: and a block", samplesFile)
	}
	var out, errs bytes.Buffer
	program := command.New(command.Program{Name: "streamcert"}, a.Packs(), a.Servers())
	if code := program.Run(ctx, []string{"certify", "--reference", "--seed", "7", "--dir", a.WorkingCopy()}, strings.NewReader(""), &out, &errs); code != 0 {
		return nil, fmt.Errorf("certifying the reference for the samples: exit code %d: %s", code, errs.String())
	}
	run := regexp.MustCompile(`sha256:\S+`).ReplaceAllString(strings.TrimSpace(out.String()), "sha256:…")
	return &derivedFile{samplesFile, runSample.ReplaceAll(text, []byte("${1}"+strings.ReplaceAll(run, "$", "$$")+"${2}"))}, nil
}
