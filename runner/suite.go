package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
	"github.com/streamcert/streamcert/steps"
)

// Files are the data folders of the kit: embedded, or those of a working copy.
type Files struct {
	Spec, Schemas, Features, Golden fs.FS
}

// Suite is a pack, loaded and ready to run. It is immutable.
type Suite struct {
	Pack      string
	Book      *spec.Book
	Schemas   *schemas.Set
	Scenarios []features.Scenario
	Files     Files
	Digest    string // SHA-256 over the pack's spec, schemas and features

	pack       Pack
	vocabulary *steps.Vocabulary
}

// Load reads a pack of the registry. An error names the file, the line and what
// was expected.
func Load(files Files, name string) (*Suite, error) {
	p, ok := packNamed(name)
	if !ok {
		return nil, fmt.Errorf("there is no pack %q; the packs are %s", name, strings.Join(Packs(), ", "))
	}
	return LoadPack(files, p)
}

// LoadPack reads a pack that the registry needn't have.
func LoadPack(files Files, p Pack) (*Suite, error) {
	name := p.Name
	book, problems, err := spec.Load(files.Spec)
	if err != nil {
		return nil, fmt.Errorf("reading the spec: %w", err)
	}
	if len(book.Pack(name)) == 0 {
		if len(problems) > 0 {
			return nil, fmt.Errorf("the spec has no requirement of pack %s: spec/%s", name, problems[0])
		}
		return nil, fmt.Errorf("the spec has no requirement of pack %s", name)
	}
	set, err := schemas.Load(files.Schemas, name)
	if err != nil {
		return nil, fmt.Errorf("reading the schemas: %w", err)
	}
	scenarios, err := features.Load(files.Features, name)
	if err != nil {
		return nil, err
	}
	digest, err := digest(files, name)
	if err != nil {
		return nil, err
	}
	return &Suite{
		Pack: name, Book: book, Schemas: set, Scenarios: scenarios, Files: files, Digest: digest,
		pack: p, vocabulary: steps.NewVocabulary(),
	}, nil
}

// Vocabulary is the steps that the suite's features may use.
func (s *Suite) Vocabulary() *steps.Vocabulary { return s.vocabulary }

// Machine makes the judge of the suite's pack.
func (s *Suite) Machine(o judge.Options) judge.Machine {
	o.Schemas = s.Schemas
	return s.pack.Machine(o)
}

// env is what scenarios need of the suite. The judge is told no heartbeat: while
// scenarios run side by side, silence says more about the machine than about the
// server, and a scenario of its own looks at it.
func (s *Suite) env() steps.Env {
	o := judge.Options{Schemas: s.Schemas}
	return steps.Env{
		Schemas: s.Schemas,
		Judge: func(origin judge.Origin) judge.Machine {
			o := o
			o.Origin = origin
			if origin == judge.Produced {
				o.State = []byte(`{}`) // what a run of the suite begins with
			}
			return s.pack.Machine(o)
		},
		Answer: func(a judge.Answer) ([]judge.Finding, map[string]int) { return s.pack.Answer(o, a) },
	}
}

// digest hashes the names and contents of everything that says what is tested.
func digest(files Files, pack string) (string, error) {
	h := sha256.New()
	for _, part := range []struct {
		name string
		fsys fs.FS
		root string
	}{{"spec", files.Spec, "."}, {"schemas", files.Schemas, pack}, {"features", files.Features, pack}} {
		err := fs.WalkDir(part.fsys, part.root, func(name string, d fs.DirEntry, err error) error {
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
