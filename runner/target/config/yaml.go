package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// What a file may hold. The parser's time grows with the square of some inputs,
// and its stack with their depth, so that they are bounded before it sees them.
const (
	maxFile  = 1 << 20 // bytes
	maxDepth = 64      // of nested lists and mappings
	maxMarks = 10_000  // values, keys and marks such as [ and :
)

// form is how a value is written.
type form int

const (
	nothing form = iota
	scalar
	list
	mapping
)

// value is a value as it was written.
type value struct {
	place Place
	form  form
	text  string
	items []value
	pairs []pair
}

type pair struct {
	key   string
	place Place // of the key
	value value
}

// ReadFile reads a file that a config may be: a regular one of 1 MiB at most.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s; `streamcert init %s` writes a config: %w", path, path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the config: %w", err)
	}
	// Opening a pipe waits for its other end, and a device may never end.
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("reading the config: %s is a %s; expected a regular file", path, irregular(info.Mode()))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the config: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1)) // one more, so that Read sees that it is too large
	if err != nil {
		return nil, fmt.Errorf("reading the config: %w", err)
	}
	return text, nil
}

func irregular(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&os.ModeNamedPipe != 0:
		return "pipe"
	case mode&os.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

// parse reads a YAML file as values. Anchors, aliases and tags are refused: what
// they stand for isn't a text that a person can compare with a message.
func parse(name string, text []byte) ([]value, error) {
	whole := Place{File: name}
	if len(text) > maxFile {
		return nil, whole.Errorf("the file is larger than %d bytes", maxFile)
	}
	source := string(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	if err := bounded(whole, lexer.Tokenize(source)); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes([]byte(source), 0)
	if err != nil {
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) && syntax.Token != nil {
			whole.Line = syntax.Token.Position.Line
			return nil, whole.Errorf("the file is not YAML: %s", firstLine(syntax.Message))
		}
		return nil, whole.Errorf("the file is not YAML: %s", firstLine(err.Error()))
	}
	var out []value
	for _, doc := range file.Docs {
		if doc.Body != nil {
			out = append(out, valueOf(name, doc.Body))
		}
	}
	return out, nil
}

// bounded refuses what is too deep or too much for the parser, and what no value
// of a config is.
func bounded(at Place, tokens token.Tokens) error {
	var columns []int // of the open blocks
	flow, line, onLine := 0, 0, 0
	for i, t := range tokens {
		at.Line = t.Position.Line
		if i >= maxMarks {
			return at.Errorf("the file holds more than %d values and marks", maxMarks)
		}
		if t.Position.Line != line {
			line, onLine = t.Position.Line, 0
			for len(columns) > 0 && columns[len(columns)-1] >= t.Position.Column {
				columns = columns[:len(columns)-1]
			}
			columns = append(columns, t.Position.Column)
		}
		switch t.Type {
		case token.AnchorType, token.AliasType:
			return at.Errorf("anchors and aliases (%s) are not read; write the value in its place, in quotes if it begins with %s", t.Value, t.Value)
		case token.TagType:
			return at.Errorf("tags (%s) are not read; write the value without, in quotes if it begins with !", t.Value)
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if flow == 0 {
				onLine++
			}
		}
		if flow+len(columns)+onLine > maxDepth {
			return at.Errorf("the values are nested deeper than %d", maxDepth)
		}
	}
	return nil
}

func valueOf(name string, n ast.Node) value {
	v := value{place: placeOf(name, n)}
	switch n := n.(type) {
	case *ast.MappingNode:
		v.form = mapping
		for _, p := range n.Values {
			v.pairs = append(v.pairs, pairOf(name, p))
		}
		if len(v.pairs) > 0 {
			v.place = v.pairs[0].place
		}
	case *ast.MappingValueNode:
		v.form, v.pairs = mapping, []pair{pairOf(name, n)}
		v.place = v.pairs[0].place
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

func pairOf(name string, n *ast.MappingValueNode) pair {
	return pair{n.Key.GetToken().Value, placeOf(name, n.Key), valueOf(name, n.Value)}
}

func placeOf(name string, n ast.Node) Place {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return Place{File: name}
	}
	return Place{File: name, Line: n.GetToken().Position.Line}
}
