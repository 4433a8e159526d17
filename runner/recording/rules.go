package recording

import (
	"fmt"
	"io/fs"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// Rules is the part of one pack that judges recordings.
type Rules struct {
	Pack    string         // its name
	Book    *spec.Book     // with the requirements of the pack
	Schemas *schemas.Set   // of the pack
	Judge   judge.Protocol // of the pack
}

// Load reads the rules of packs from the folders spec and schemas, in the order of the judges. An error names the file
// that can't be read.
func Load(specs, schemata fs.FS, judges []judge.Protocol) ([]Rules, error) {
	book, _, err := spec.Load(specs) // its problems are the business of lint
	if err != nil {
		return nil, fmt.Errorf("reading the spec: %w", err)
	}
	var out []Rules
	for _, j := range judges {
		set, err := schemas.Load(schemata, j.Name)
		if err != nil {
			return nil, fmt.Errorf("reading the schemas of %s: %w", j.Name, err)
		}
		out = append(out, Rules{Pack: j.Name, Book: book, Schemas: set, Judge: j})
	}
	return out, nil
}

// Testable lists the ids of the requirements that a server can be judged by.
func (r Rules) Testable() []string {
	var out []string
	for _, q := range r.Book.Pack(r.Pack) {
		if q.Testable() {
			out = append(out, q.ID)
		}
	}
	return out
}
