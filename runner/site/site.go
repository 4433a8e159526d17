package site

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/streamcert/streamcert/runner/explain"
	"github.com/streamcert/streamcert/runner/prove/listed"
)

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

// document reads a Markdown file and stores it under another path.
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
