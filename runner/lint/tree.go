package lint

import (
	"errors"
	"fmt"
	"go/scanner"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// tree is everything that was read, and the problems so far.
type tree struct {
	in       Input       // without Sources if they can't be read
	book     *spec.Book  // nil if it can't be read
	packs    []*pack     // in the order of the input
	code     trace.Index // empty if the sources aren't known
	goldens  []string    // their names
	unlisted error       // why the goldens have no list
	problems []Problem   // in the order of the checks; Run sorts them
}

// pack contains the files of one protocol.
type pack struct {
	Pack
	schemas   *schemas.Set        // nil if they can't be read
	scenarios []features.Scenario // of the files that can be read, in their order
	outlines  []outline           // of the same files
	partial   bool                // a feature file can't be read, so lint can't say which scenarios are missing
}

// report adds a problem. check is the name of the check that found it, file the path from the root of the kit, and line 0 for
// the complete file.
func (t *tree) report(check, file string, line int, format string, args ...any) {
	t.problems = append(t.problems, Problem{File: file, Line: line, Message: fmt.Sprintf(format, args...), Check: check})
}

// load reads everything. What can't be read is a problem, and its field of the tree is empty: checks that need it are left
// out.
func load(in Input) *tree {
	t := &tree{in: in}
	t.goldens, t.unlisted = golden.Names(in.Golden)
	book, problems, err := spec.Load(in.Spec)
	if err != nil {
		t.report("spec", "spec", 0, "%s", oneLine(err))
	}
	t.book = book
	for _, p := range problems {
		t.report("spec", "spec/"+p.File, p.Line, "%s", p.Message)
	}
	names := make([]string, 0, len(in.Packs))
	for _, p := range in.Packs {
		t.packs = append(t.packs, t.pack(p))
		names = append(names, p.Name)
	}
	t.code, err = trace.Read(in.Sources, names)
	if err != nil {
		t.unread(err)
		t.code, t.in.Sources = trace.Index{}, trace.Sources{}
	}
	return t
}

// pack reads the schemas and feature files of a pack.
func (t *tree) pack(declared Pack) *pack {
	p := &pack{Pack: declared}
	set, err := schemas.Load(t.in.Schemas, p.Name)
	if err != nil {
		t.report("schemas", "schemas/"+p.Name, 0, "%s", oneLine(err))
	} else {
		p.schemas = set
	}
	files, err := featureFiles(t.in.Features, p.Name)
	if err != nil {
		t.report("features", "features/"+p.Name, 0, "%s", oneLine(err))
		p.partial = true
	}
	for _, file := range files {
		// A file is a tree of one, so that an error in it doesn't hide the others.
		scenarios, err := features.Load(t.in.Features, file)
		if err != nil {
			t.parseError(file, err)
			p.partial = true
			continue
		}
		for i := range scenarios {
			scenarios[i].Pack = p.Name
		}
		p.scenarios = append(p.scenarios, scenarios...)
		p.outlines = append(p.outlines, readOutline(t.in.Features, file))
	}
	return p
}

// unread reports why the sources can't be read.
func (t *tree) unread(err error) {
	file, line, message := trace.ReferenceFolder, 0, oneLine(err)
	var syntax scanner.ErrorList
	if errors.As(err, &syntax) && len(syntax) > 0 {
		file, line, message = syntax[0].Pos.Filename, syntax[0].Pos.Line, syntax[0].Msg
	}
	t.report("sources", file, line, "%s", message)
}

// featureFiles lists the feature files of a pack.
func featureFiles(fsys fs.FS, pack string) ([]string, error) {
	var files []string
	err := fs.WalkDir(fsys, pack, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ".feature" {
			files = append(files, name)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = errors.New("there is no feature file")
	}
	return files, err
}

// parseError reports why a feature file can't be read.
func (t *tree) parseError(file string, err error) {
	line, message := 0, oneLine(err)
	var syntax *features.ParseError
	if errors.As(err, &syntax) {
		line, message = syntax.Line, strings.Join(strings.Fields(syntax.Message), " ")
	}
	t.report("features", "features/"+file, line, "%s", message)
}

// oneLine returns an error in one line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// requirement returns the block of an id; ok is false too if the spec can't be read.
func (t *tree) requirement(id string) (spec.Requirement, bool) {
	if t.book == nil {
		return spec.Requirement{}, false
	}
	return t.book.Get(id)
}

// partial reports that a feature file of some pack can't be read.
func (t *tree) partial() bool {
	return slices.ContainsFunc(t.packs, func(p *pack) bool { return p.partial })
}

// packFolders compares the packs that the runner knows with those that have folders.
func packFolders(t *tree) {
	if t.book == nil {
		return
	}
	for _, p := range t.packs {
		if !slices.Contains(t.book.Packs(), p.Name) {
			t.report("pack", "spec/"+p.Name, 0, "the pack %s has no spec", p.Name)
		}
	}
	missing := t.book.Packs()
	for _, found := range []struct {
		in      fs.FS
		pattern string
	}{{t.in.Features, "*/*/*.feature"}, {t.in.Features, "*/*.feature"}, {t.in.Schemas, "*/pack.json"}} {
		names, err := fs.Glob(found.in, found.pattern)
		if err != nil {
			t.report("pack", packList, 0, "%s", oneLine(err))
		}
		for _, name := range names {
			missing = append(missing, packOf(name))
		}
	}
	slices.Sort(missing)
	for _, name := range slices.Compact(missing) {
		if !t.listed(name) {
			t.report("pack", packList, 0, "%s isn't in the list of packs, so nothing of it is checked; add its value to All", name)
		}
	}
}

// packList is the file that lists the packs.
const packList = "runner/packs/packs.go"

// packOf returns the pack whose folder contains a file.
func packOf(file string) string {
	pack, _, _ := strings.Cut(file, "/")
	return pack
}

// listed reports whether a pack is in the list of packs.
func (t *tree) listed(name string) bool {
	return slices.ContainsFunc(t.packs, func(p *pack) bool { return p.Name == name })
}

// mutantFolder is reported as the file of a mutant, which is code.
const mutantFolder = "reference/mutant"
