package schemas

import (
	"embed"
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// FS is the schemas that this build was made with: one folder a pack, and the kit's documents at the root.
//
//go:embed *.json */*.json */*/*.json
var FS embed.FS

// MaxDepth limits the nesting of arrays and objects in a document.
const MaxDepth = 1000

// Profile selects how strictly a document is checked.
type Profile int

const (
	// Strict is the form that a certified server sends.
	Strict Profile = iota
	// Lenient is the form that a reader accepts: some members optional, some nulls tolerated.
	Lenient
)

// profiles is their number.
const profiles = 2

// String returns the profile's name in reports.
func (p Profile) String() string {
	if p == Lenient {
		return "lenient"
	}
	return "strict"
}

// Finding is one thing that is wrong with a document.
type Finding struct {
	Requirement string // id of the requirement that is broken; empty in the kit's documents
	Message     string // a sentence for people, without a full stop
	Instance    string // JSON pointer into the document, "" for the document itself
	Schema      string // file#/pointer of the keyword; empty when the JSON itself is at fault
}

// Result is the type of one document, its value and the findings about it.
type Result struct {
	Type       string    // the discriminator's value, "" if it has none
	Known      bool      // the pack has a schema for Type
	ChunkType  string    // for a frame that carries a chunk: that chunk's discriminator
	ChunkKnown bool      // the pack has a schema for ChunkType
	Value      any       // decoded: map[string]any, []any, string, json.Number, bool, nil; nil if it is no JSON
	Findings   []Finding // in the order of the document; nil for a valid one
}

// OK is true if nothing was found.
func (r Result) OK() bool { return len(r.Findings) == 0 }

// Example is a document that a schema file shows.
type Example struct {
	Name        string          // its title; "example n" for a valid one
	Value       json.RawMessage // the document
	Requirement string          // "" for a valid one, else the requirement that it breaks
	Lenient     bool            // the tolerant profile accepts it (always true for a valid one)
}

// Set is the compiled schemas of one pack. It is immutable and safe for concurrent use.
type Set struct {
	pack     string            // name
	manifest manifest          // of pack.json
	files    map[string]*file  // by path from the root: <pack>/chunks/error.json
	entries  map[string]*entry // by name: chunks/error
	chunks   map[string]*entry // by discriminator
	frames   map[string]*entry // by discriminator, or event name
	anyChunk *entry            // for a chunk of unknown type; nil if the pack has no chunks
	anyFrame *entry            // for a frame of unknown type
	interned map[string]string // member names that the schemas mention
}

// Load compiles the pack's schemas. fsys is rooted where FS is. Nothing outside fsys is ever read.
// The error names the file that can't be read or isn't a valid schema.
func Load(fsys fs.FS, pack string) (*Set, error) {
	if fsys != fs.FS(FS) {
		return compile(fsys, pack)
	}
	once, _ := compiled.LoadOrStore(pack, sync.OnceValues(func() (*Set, error) { return compile(FS, pack) }))
	return once.(func() (*Set, error))()
}

// compiled caches, by pack, a function that compiles its schemas in FS on its first call: they never change, and compiling
// takes longer than judging thousands of frames.
var compiled sync.Map

func compile(fsys fs.FS, pack string) (*Set, error) {
	files, err := readPack(fsys, pack)
	if err != nil {
		return nil, err
	}
	m, err := readManifest(fsys, pack)
	if err != nil {
		return nil, err
	}
	return newSet(pack, m, files, fsys == fs.FS(FS))
}

// Kit compiles the schemas of the kit's documents: config, report, lint, mutants.
func Kit(fsys fs.FS) (*Set, error) {
	files, err := readRoot(fsys)
	if err != nil {
		return nil, err
	}
	return newSet("", manifest{}, files, fsys == fs.FS(FS))
}

// Pack returns the name of the pack, "" for the kit's documents.
func (s *Set) Pack() string { return s.pack }

// Names lists every schema, sorted: chunks/error, control/end, frames/chunk, stream-info.
func (s *Set) Names() []string { return slices.Sorted(maps.Keys(s.entries)) }

// Types lists the known chunk types, sorted.
func (s *Set) Types() []string { return slices.Sorted(maps.Keys(s.chunks)) }

// FrameTypes lists the known frame types, sorted.
func (s *Set) FrameTypes() []string { return slices.Sorted(maps.Keys(s.frames)) }

// Discriminator returns the member that names the type of a frame or chunk of the pack.
func (s *Set) Discriminator() string { return s.manifest.Discriminator }

// Nested returns the member of a frame that contains its chunk, "" if frames contain none.
func (s *Set) Nested() string { return s.manifest.Nested.Member }

// Who sends a document.
const (
	SentByServer = "server"
	SentByClient = "client" // or its replacement in a test
	SentByReader = "reader" // to the suite, as a report of the content that it parsed
)

// Sender returns the sender of the named document from the manifest.
func (s *Set) Sender(name string) string {
	sender, longest := SentByServer, ""
	for pattern, by := range s.manifest.Senders {
		if ok, _ := path.Match(pattern, name); ok && len(pattern) > len(longest) { // the pattern was looked at when it was read
			sender, longest = by, pattern
		}
	}
	return sender
}

// Requirements lists every requirement id that a schema or the manifest names, sorted.
func (s *Set) Requirements() []string {
	ids := map[string]bool{}
	for _, f := range s.files {
		walk(f.doc, "", func(_ string, object map[string]any) {
			if id, ok := requirementOf(object); ok {
				ids[id] = true
			}
		})
	}
	for _, a := range []area{s.manifest.Requirements.Frame, s.manifest.Requirements.Chunk} {
		for _, id := range []string{a.Syntax, a.Duplicate, a.Number, a.UTF8} {
			if id != "" {
				ids[id] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// Examples lists the valid documents that the named schema shows, in the order of the file; nil if there is no
// such schema.
func (s *Set) Examples(name string) []Example {
	e, ok := s.entries[name]
	if !ok {
		return nil
	}
	return e.file.valid
}

// Invalid lists the documents that the named schema shows as broken.
func (s *Set) Invalid(name string) []Example {
	e, ok := s.entries[name]
	if !ok {
		return nil
	}
	return e.file.invalid
}

// requirementOf reads the requirement id from a schema object's comment.
func requirementOf(object map[string]any) (string, bool) {
	comment, _ := object["$comment"].(string)
	return strings.CutPrefix(comment, "requirement ")
}
