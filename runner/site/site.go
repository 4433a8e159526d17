package site

import (
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/streamcert/streamcert/runner/explain"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove/listed"
	"github.com/streamcert/streamcert/spec"
)

// Input is the content from which a site is generated.
type Input struct {
	Packs []Pack // at least one, all of the same folders
	// Changes are the differences of spec versions from the ones before them; nil shows only the change logs.
	Changes []Change
	// Judge contains the program of the playground, judge.wasm.gz, and wasm_exec.js, which starts it; nil for a site
	// without a playground.
	Judge fs.FS
}

// Pack is a protocol with its catalogues.
type Pack struct {
	Suite    *pack.Suite
	Mutants  []listed.Mutant
	Variants []listed.Variant
}

// Change is one difference between two versions of a pack, as a comparison of versions finds it.
type Change struct {
	Version           string // that brought it
	Pack, Requirement string // Requirement is its id, "" for a change of no single one
	Class             string // such as additive, in the words of the comparison
	Summary           string // a sentence, Markdown
}

// Files are the files of a site by their slash-separated path.
type Files map[string][]byte

// book is everything that pages are made of.
type book struct {
	in       Input
	spec     *spec.Book
	packs    []Pack
	docs     map[string]*document // by path inside the specification; also "golden/FORMAT.md"
	known    map[string]explain.Explanation
	variants map[string][]listed.Variant // by id of the requirement
	reasons  map[string][]reason         // by code of an origin, and by id of a requirement
	schemas  map[string]string           // address of a schema by its file, such as "schemas/<pack>/frames/end.json"
	index    []entry                     // of the search
	files    Files
	layouts  *template.Template // of the page laid, nil before the first
	laid     string
}

// Build makes a site. Its error names the file that can't be read or the page that can't be made.
func Build(in Input) (Files, error) {
	b := &book{
		in: in, spec: in.Packs[0].Suite.Book, packs: in.Packs, docs: map[string]*document{}, known: map[string]explain.Explanation{},
		variants: map[string][]listed.Variant{}, reasons: map[string][]reason{}, schemas: map[string]string{}, files: Files{},
	}
	if err := b.read(); err != nil {
		return nil, err
	}
	for _, add := range []func(*book) error{start, chapters, rationales, tables, sentences, coverage, versions, transcripts, playgroundPage, assets} {
		if err := add(b); err != nil {
			return nil, err
		}
	}
	return b.files, b.indexed()
}

// read collects the documents and the data of every requirement.
func (b *book) read() error {
	files := b.packs[0].Suite.Files
	for _, pattern := range []string{"*.md", "*/*.md"} {
		names, err := fs.Glob(files.Spec, pattern)
		if err != nil {
			return fmt.Errorf("reading the spec: %w", err)
		}
		for _, name := range names {
			if err := b.document(files.Spec, name, name); err != nil {
				return err
			}
		}
	}
	if err := b.document(files.Golden, "FORMAT.md", formatFile); err != nil {
		return err
	}
	for _, p := range b.packs {
		all, err := explain.Find(p.Suite, p.Mutants, "*")
		if err != nil {
			return fmt.Errorf("explaining the requirements of %s: %w", p.Suite.Pack.Name, err)
		}
		for _, e := range all {
			b.known[e.Requirement.ID] = e
		}
		for _, v := range p.Variants {
			b.uses(v)
		}
		b.readRationale(p.Suite.Pack.Name)
		for _, name := range p.Suite.Schemas.Names() {
			file := path.Join("schemas", p.Suite.Pack.Name, name+".json")
			b.schemas[file] = p.Suite.Pack.Name + "/schemas.html#" + schemaAnchor(name)
		}
	}
	return nil
}

func (b *book) document(fsys fs.FS, name, as string) error {
	source, err := fs.ReadFile(fsys, name)
	if err != nil {
		return fmt.Errorf("reading a page: %w", err)
	}
	b.docs[as] = parse(as, source)
	return nil
}

// uses files a variant below the requirements that allow it or that it leaves.
func (b *book) uses(v listed.Variant) {
	ids := slices.Concat([]string{v.Freedom}, v.Warns)
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		b.variants[id] = append(b.variants[id], v)
	}
}

// address returns the page of the site that shows a file of the kit, "" for none.
func (b *book) address(file string) string {
	if to, ok := b.schemas[file]; ok {
		return to
	}
	dir, name := path.Split(file)
	switch {
	case (name == "VERSION" || name == logFile) && b.docs[dir+logFile] != nil:
		return dir + "versions/index.html"
	case file == "README.md":
		return "index.html"
	case file == formatFile:
		return "transcripts.html"
	case b.docs[file] == nil || dir == "":
		return ""
	}
	if name == "README.md" {
		return dir + "index.html"
	}
	for _, c := range b.spec.Chapters(path.Clean(dir)) {
		if c.File == file {
			return dir + c.Name + ".html"
		}
	}
	if name == "rationale.md" {
		return dir + "rationale.html"
	}
	return ""
}

// requirement returns the address of a requirement by its id, "" if nothing has it.
func (b *book) requirement(id string) string {
	q, ok := b.spec.Get(id)
	if !ok {
		return ""
	}
	return b.address(q.File) + "#" + q.ID
}

// Names lists the paths of the files, sorted.
func (f Files) Names() []string { return slices.Sorted(maps.Keys(f)) }
