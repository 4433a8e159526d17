package site

import (
	"io/fs"
	"maps"
	"slices"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove/listed"
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

// Names lists the paths of the files, sorted.
func (f Files) Names() []string { return slices.Sorted(maps.Keys(f)) }
