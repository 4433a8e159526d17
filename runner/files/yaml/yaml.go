package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits of a file.
const (
	MaxFile  = 1 << 20 // bytes
	MaxDepth = 64      // of nested lists and mappings
	MaxMarks = 20_000  // values, keys, comments and marks such as [ and :
)

// Error is a mistake in a file. Error gives one line, without the file.
type Error struct {
	Line    int // 1-based; 0 for the complete file
	Message string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Message)
}

// Parse parses the documents of a file, without its comments. Errors are *Error.
func Parse(text []byte) (*ast.File, error) {
	if len(text) > MaxFile {
		return nil, &Error{0, fmt.Sprintf("the file is larger than %d bytes", MaxFile)}
	}
	source := string(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	if err := bounded(lexer.Tokenize(source)); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes([]byte(source), 0)
	if err != nil {
		return nil, mistake(err, "the file is not YAML: ")
	}
	return file, nil
}

// Decode reads the first document of a file into a value, as the library does it. Errors are *Error.
func Decode(text []byte, into any) error {
	file, err := Parse(text)
	if err != nil {
		return err
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil
	}
	if err := yaml.NodeToValue(file.Docs[0].Body, into); err != nil {
		return mistake(err, "")
	}
	return nil
}

// mistake extracts line and message from an error of the library, which also shows a piece of the file.
func mistake(err error, begin string) *Error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		return &Error{at.GetToken().Position.Line, begin + firstLine(at.GetMessage())}
	}
	return &Error{0, begin + firstLine(err.Error())}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// bounded rejects tokens with too many levels or too many tokens for the parser, and anchors, aliases and tags.
func bounded(tokens token.Tokens) error {
	var columns []int // of the open blocks
	flow, line, onLine := 0, 0, 0
	for i, t := range tokens {
		wrong := func(format string, args ...any) error {
			return &Error{t.Position.Line, fmt.Sprintf(format, args...)}
		}
		if i >= MaxMarks {
			return wrong("the file holds more than %d values and marks", MaxMarks)
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
			return wrong("anchors and aliases (%s) are not read; write the value in its place, in quotes if it begins with %s", t.Value, t.Value)
		case token.TagType:
			return wrong("tags (%s) are not read; write the value without, in quotes if it begins with !", t.Value)
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if flow == 0 {
				onLine++
			}
		}
		if flow+len(columns)+onLine > MaxDepth {
			return wrong("the values are nested deeper than %d", MaxDepth)
		}
	}
	return nil
}
