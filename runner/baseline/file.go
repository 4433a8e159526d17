package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/files/yaml"
	"github.com/streamcert/streamcert/spec"
)

// ReadFile reads a baseline from disk: a regular file of 1 MiB at most. Errors are of the file system, or *Error.
func ReadFile(path string) (*Baseline, error) {
	src, err := files.ReadFile(path, yaml.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("reading the baseline: %w", err)
	}
	return Read(path, src)
}

// Read reads a baseline; name is used in errors, which are *Error.
func Read(name string, src []byte) (*Baseline, error) {
	file, err := yaml.Parse(src)
	if err != nil {
		var at *yaml.Error
		if errors.As(err, &at) {
			return nil, &Error{name, at.Line, at.Message}
		}
		return nil, &Error{name, 0, err.Error()}
	}
	r := reader{name: name, out: &Baseline{File: name, Entries: map[string]Entry{}}}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			r.pairs(doc.Body, "the file must be a mapping of requirement ids to entries", r.entry)
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.out, nil
}

type reader struct {
	name string
	out  *Baseline
	err  error
}

func (r *reader) fail(n ast.Node, format string, args ...any) {
	if r.err == nil {
		line := 0
		if n != nil && n.GetToken() != nil {
			line = n.GetToken().Position.Line
		}
		r.err = &Error{r.name, line, fmt.Sprintf(format, args...)}
	}
}

func (r *reader) pairs(n ast.Node, expected string, use func(key *ast.MappingValueNode)) {
	switch m := n.(type) {
	case *ast.MappingNode:
		for _, v := range m.Values {
			use(v)
		}
	case *ast.MappingValueNode:
		use(m)
	case *ast.NullNode, *ast.CommentGroupNode:
	default:
		r.fail(n, "%s", expected)
	}
}

func (r *reader) entry(v *ast.MappingValueNode) {
	id := v.Key.GetToken().Value
	if _, twice := r.out.Entries[id]; twice {
		r.fail(v.Key, "%s stands twice", id)
	}
	e := Entry{Line: v.Key.GetToken().Position.Line}
	r.pairs(v.Value, fmt.Sprintf("%s must have `reason: TEXT` below it", id), func(v *ast.MappingValueNode) {
		if key := v.Key.GetToken().Value; key != "reason" {
			r.fail(v.Key, "%s: unknown key `%s`; expected reason", id, key)
			return
		}
		switch n := v.Value.(type) {
		case *ast.StringNode:
			e.Reason = n.Value
		case *ast.LiteralNode:
			e.Reason = n.Value.Value
		case *ast.NullNode:
		default:
			r.fail(v.Value, "%s: reason must be a text", id)
		}
	})
	r.out.Entries[id] = e
}

const head = `# What this server is known to break. Each entry needs a reason: without one, or once the requirement passes, the run
# fails. A run that is given this file by the baseline key of the config, or by --baseline, reports these as "known".
# It is written by streamcert certify --write-baseline FILE, which keeps the reasons but no other comments.
`

// Write writes the entries in the order of the book, each with the sentence of its
// requirement. What is written can be read again.
func (b *Baseline) Write(w io.Writer, book *spec.Book) error {
	var out strings.Builder
	out.WriteString(head)
	for _, q := range book.Requirements {
		e, ok := b.Entries[q.ID]
		if !ok {
			continue
		}
		fmt.Fprintf(&out, "\n# %s\n%s:\n  reason: %s\n", strings.Join(strings.Fields(q.Sentence), " "), q.ID, quoted(e.Reason))
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("writing the baseline: %w", err)
	}
	return nil
}

// quoted is a text as JSON has it, which YAML reads too.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSpace(b.String())
}
