package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
	"github.com/streamcert/streamcert/steps"
)

// Files are the data folders of the kit: embedded, or those of a working copy.
type Files struct {
	Spec, Schemas, Features, Golden fs.FS
	Sources                         trace.Sources // code that names requirements; unknown unless it is needed
}

// Suite is a pack, loaded and ready to run. It is immutable.
type Suite struct {
	Pack       Pack
	Book       *spec.Book
	Schemas    *schemas.Set
	Scenarios  []features.Scenario
	Vocabulary *steps.Vocabulary // the steps that the features may use
	Files      Files
	Digest     string // SHA-256 over the pack's spec, schemas and features, and the common part of all specs
}

// Load reads the folders of a pack. An error names the file, the line and the expected text.
func Load(files Files, p Pack) (*Suite, error) {
	load := func() (folders, error) { return read(files, p.Name) }
	if files.embedded() {
		once, _ := ofBuild.LoadOrStore(p.Name, sync.OnceValues(load))
		load = once.(func() (folders, error))
	}
	f, err := load()
	if err != nil {
		return nil, err
	}
	return &Suite{
		Pack: p, Book: f.book, Schemas: f.schemas, Scenarios: f.scenarios, Vocabulary: p.Vocabulary(), Files: files, Digest: f.digest,
	}, nil
}

// ofBuild caches the parsed folders of this build: by pack, a function that reads them on its first call.
var ofBuild sync.Map

// embedded reports whether the folders are those of this build.
func (f Files) embedded() bool {
	return f.Spec == fs.FS(spec.FS) && f.Schemas == fs.FS(schemas.FS) && f.Features == fs.FS(features.FS)
}

// folders is the parsed content of a pack's folders.
type folders struct {
	book      *spec.Book
	schemas   *schemas.Set
	scenarios []features.Scenario
	digest    string
}

func read(files Files, name string) (f folders, err error) {
	book, problems, err := spec.Load(files.Spec)
	if err != nil {
		return f, fmt.Errorf("reading the spec: %w", err)
	}
	if len(book.Pack(name)) == 0 {
		if len(problems) > 0 {
			return f, fmt.Errorf("the spec has no requirement of pack %s: spec/%s", name, problems[0])
		}
		return f, fmt.Errorf("the spec has no requirement of pack %s", name)
	}
	f.book = book
	if f.schemas, err = schemas.Load(files.Schemas, name); err != nil {
		return f, fmt.Errorf("reading the schemas: %w", err)
	}
	if f.scenarios, err = features.Load(files.Features, name); err != nil {
		return f, err
	}
	f.digest, err = digest(files, name)
	return f, err
}

// Machine makes the judge of one response, which asks the suite's schemas.
func (s *Suite) Machine(o judge.Options) judge.Machine {
	o.Schemas = s.Schemas
	return s.Pack.Machine(o)
}

// Names returns the members that a target calls otherwise than the specification.
func (s *Suite) Names(t *target.Target) record.Names {
	if s.Pack.Names == nil {
		return nil
	}
	return s.Pack.Names(t)
}

// Judge judges an exchange of a run against a target with other names. It disables the judge's heartbeat check: while
// scenarios run concurrently, silence depends more on the machine than on the server; a separate scenario checks it.
func (s *Suite) Judge(e *record.Exchange, names record.Names) ([]record.Finding, map[string]int) {
	o := judge.Options{Schemas: s.Schemas, Names: names}
	if e.Origin == record.Produced {
		if o.State = e.State; o.State == nil {
			o.State = []byte(`{}`) // the initial state in runs of the suite
		}
	}
	return judge.Exchange(judge.Judge{Machine: s.Pack.Machine, Answer: s.Pack.Answer}, o, e)
}

// Version returns the version of the pack.
func (s *Suite) Version() string { return s.Book.Version(s.Pack.Name) }

// releases is the folder of a pack's released versions in its spec, which isn't tested.
const releases = "releases"

// digest hashes the names and contents of everything that defines the tests: the common part of the specifications, and the
// folders of the pack.
func digest(files Files, pack string) (string, error) {
	h := sha256.New()
	for _, part := range []struct {
		name string
		fsys fs.FS
		root string
		flat bool // without the folders below
	}{{"spec", files.Spec, ".", true}, {"spec", files.Spec, pack, false}, {"schemas", files.Schemas, pack, false}, {"features", files.Features, pack, false}} {
		err := fs.WalkDir(part.fsys, part.root, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && (part.flat && name != part.root || d.Name() == releases) {
				return fs.SkipDir
			}
			if err != nil || d.IsDir() || strings.HasSuffix(name, ".go") {
				return err
			}
			b, err := fs.ReadFile(part.fsys, name)
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "%s/%s %d\n", part.name, name, len(b))
			h.Write(b)
			return nil
		})
		if err != nil {
			return "", fmt.Errorf("reading %s: %w", part.name, err)
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}
