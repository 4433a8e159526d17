package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
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
			r.pairs(doc.Body, "the file must be a mapping of requirement ids to entries", r.top)
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

// top reads one key of the file with its value: the draw of its run, or an entry.
func (r *reader) top(v *ast.MappingValueNode) {
	if v.Key.GetToken().Value != "run" {
		r.entry(v)
		return
	}
	r.out.Run = &Draw{}
	r.pairs(v.Value, "run must have `seed` and `effort` below it", func(v *ast.MappingValueNode) {
		text := v.Value.GetToken().Value
		switch list, isList := v.Value.(*ast.SequenceNode); {
		case v.Key.GetToken().Value != "broken":
		case !isList:
			r.fail(v.Value, "run: broken must be a list of places, such as [features/…/x.feature:7]")
			return
		default:
			r.out.Run.Broken = []string{}
			for _, place := range list.Values {
				r.out.Run.Broken = append(r.out.Run.Broken, place.GetToken().Value)
			}
			return
		}
		switch key := v.Key.GetToken().Value; key {
		case "seed":
			seed, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				r.fail(v.Value, "run: seed must be a whole number, got %q", text)
			}
			r.out.Run.Seed = seed
		case "effort":
			r.out.Run.Effort = text
		default:
			r.fail(v.Key, "run: unknown key `%s`; expected seed, effort or broken", key)
		}
	})
}

func (r *reader) entry(v *ast.MappingValueNode) {
	id := v.Key.GetToken().Value
	if _, twice := r.out.Entries[id]; twice {
		r.fail(v.Key, "%s stands twice", id)
	}
	e := Entry{Line: v.Key.GetToken().Position.Line}
	r.pairs(v.Value, fmt.Sprintf("%s must have `reason: TEXT` below it", id), func(v *ast.MappingValueNode) {
		switch key := v.Key.GetToken().Value; key {
		case "reason":
		case "found":
			if e.Campaigns = v.Value.GetToken().Value == "campaigns"; !e.Campaigns {
				r.fail(v.Value, "%s: found must be campaigns, or left out", id)
			}
			return
		default:
			r.fail(v.Key, "%s: unknown key `%s`; expected reason or found", id, key)
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
# Runs take the seed and the effort of "run" unless the call names others; what only campaigns found may pass with others.
# With the same ones a campaign that isn't among the "broken" must not break anything.
# It is written by streamcert certify --write-baseline FILE, which keeps the reasons but no other comments.
`

// quotedAll is each text as YAML reads it.
func quotedAll(all []string) []string {
	var out []string
	for _, s := range all {
		out = append(out, quoted(s))
	}
	return out
}

// Write writes the entries in the order of the book, each with the sentence of its requirement. The result can be read
// again.
func (b *Baseline) Write(w io.Writer, book *spec.Book) error {
	var out strings.Builder
	out.WriteString(head)
	if b.Run != nil {
		fmt.Fprintf(&out, "\nrun:\n  seed: %d\n", b.Run.Seed)
		if b.Run.Effort != "" {
			fmt.Fprintf(&out, "  effort: %s\n", b.Run.Effort)
		}
		if b.Run.Broken != nil {
			fmt.Fprintf(&out, "  broken: [%s]\n", strings.Join(quotedAll(b.Run.Broken), ", "))
		}
	}
	for _, q := range book.Requirements {
		e, ok := b.Entries[q.ID]
		if !ok {
			continue
		}
		found := ""
		if e.Campaigns {
			found = "  found: campaigns\n"
		}
		fmt.Fprintf(&out, "\n# %s\n%s:\n%s  reason: %s\n", strings.Join(strings.Fields(q.Sentence), " "), q.ID, found, quoted(e.Reason))
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("writing the baseline: %w", err)
	}
	return nil
}

// quoted returns a text in JSON, which is also YAML.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSpace(b.String())
}
