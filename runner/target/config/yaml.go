package config

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/goccy/go-yaml/ast"

	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/files/yaml"
)

// form is the kind of YAML node that a value is.
type form int

const (
	nothing form = iota
	scalar
	list
	mapping
)

// value is a value as it was written.
type value struct {
	position Position
	form     form    // decides which of the fields below are set
	text     string  // of a scalar
	items    []value // of a list
	pairs    []entry // of a mapping, in the order of the file
}

type entry struct {
	key      string   // as it was written
	position Position // of the key
	value    value
}

// ReadFile reads a file that a config may be: a regular one of 1 MiB at most.
func ReadFile(path string) ([]byte, error) {
	text, err := files.ReadFile(path, yaml.MaxFile)
	var irregular *files.IrregularError
	var tooLarge *files.TooLargeError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s; `streamcert init %s` writes a config: %w", path, path, fs.ErrNotExist)
	case errors.As(err, &irregular):
		return nil, fmt.Errorf("reading the config: %s is a %s; expected a regular file", path, irregular.Is)
	case errors.As(err, &tooLarge):
		return nil, Position{File: path}.Errorf("the file is larger than %d bytes", tooLarge.Most)
	case err != nil:
		return nil, fmt.Errorf("reading the config: %w", err)
	}
	return text, nil
}

// parse reads a YAML file as values.
func parse(name string, text []byte) ([]value, error) {
	file, err := yaml.Parse(text)
	if err != nil {
		whole := Position{File: name}
		var at *yaml.Error
		if !errors.As(err, &at) {
			return nil, whole.Errorf("%v", err)
		}
		whole.Line = at.Line
		return nil, whole.Errorf("%s", at.Message)
	}
	var out []value
	for _, doc := range file.Docs {
		if doc.Body != nil {
			out = append(out, valueOf(name, doc.Body))
		}
	}
	return out, nil
}

func valueOf(name string, n ast.Node) value {
	v := value{position: positionOf(name, n)}
	switch n := n.(type) {
	case *ast.MappingNode:
		v.form = mapping
		for _, p := range n.Values {
			v.pairs = append(v.pairs, entryOf(name, p))
		}
		if len(v.pairs) > 0 {
			v.position = v.pairs[0].position
		}
	case *ast.MappingValueNode:
		v.form, v.pairs = mapping, []entry{entryOf(name, n)}
		v.position = v.pairs[0].position
	case *ast.SequenceNode:
		v.form = list
		for _, item := range n.Values {
			v.items = append(v.items, valueOf(name, item))
		}
	case *ast.NullNode:
	case *ast.LiteralNode:
		v.form, v.text = scalar, n.Value.Value
	default:
		v.form, v.text = scalar, n.GetToken().Value
	}
	return v
}

func entryOf(name string, n *ast.MappingValueNode) entry {
	return entry{n.Key.GetToken().Value, positionOf(name, n.Key), valueOf(name, n.Value)}
}

func positionOf(name string, n ast.Node) Position {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return Position{File: name}
	}
	return Position{File: name, Line: n.GetToken().Position.Line}
}
