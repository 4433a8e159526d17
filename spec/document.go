package spec

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// document is one parsed Markdown file, able to say on which line a node stands.
type document struct {
	file   string
	source []byte
	root   ast.Node
	starts []int // offset of the first byte of each line
}

// mostLevels bounds quotes and lists in one another: the time of the parser grows with the square of their depth.
const mostLevels = 100

// exceedsDepth returns the 1-based line that begins more quotes and lists than may be nested, 0 if none does.
func exceedsDepth(source []byte) int {
	n := 0
	for line := range bytes.Lines(source) {
		n++
		levels := 0
		for i := 0; i < len(line) && bytes.IndexByte([]byte(" \t>-*+"), line[i]) >= 0; i++ {
			// A marker of a list has a blank after it, a rule of dashes has not.
			if line[i] == '>' || line[i] > ' ' && i+1 < len(line) && line[i+1] <= ' ' {
				levels++
			}
		}
		if levels > mostLevels {
			return n
		}
	}
	return 0
}

func parseDocument(file string, source []byte) *document {
	// A checkout with CRLF must read the same as one with LF.
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	d := &document{file: file, source: source, starts: []int{0}}
	for i, c := range source {
		if c == '\n' {
			d.starts = append(d.starts, i+1)
		}
	}
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table))
	d.root = markdown.Parser().Parse(text.NewReader(source))
	return d
}

// line gives the 1-based line of an offset.
func (d *document) line(offset int) int {
	return sort.SearchInts(d.starts, offset+1)
}

// lineOf gives the 1-based line on which a node begins.
func (d *document) lineOf(n ast.Node) int {
	for m := n; m != nil; m = m.Parent() {
		if at := position(m); at >= 0 {
			return d.line(at)
		}
	}
	return 1
}

// position gives the offset of a node or of the first of its descendants that has one, -1 if none does.
func position(n ast.Node) int {
	if n.Kind() != ast.KindDocument && n.Pos() >= 0 {
		return n.Pos()
	}
	if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
		return n.Lines().At(0).Start
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if at := position(c); at >= 0 {
			return at
		}
	}
	return -1
}

func (d *document) problem(n ast.Node, format string, args ...any) Problem {
	return Problem{File: d.file, Line: d.lineOf(n), Message: fmt.Sprintf(format, args...)}
}

// text gives the text of a node without its markup, line breaks as single spaces.
func (d *document) text(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(d.source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// raw gives the Markdown of a block's lines, joined by single spaces.
func (d *document) raw(n ast.Node) string {
	var words []string
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		words = append(words, strings.TrimSpace(string(segment.Value(d.source))))
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// title returns the text of the first heading, empty if there is none.
func (d *document) title() string {
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindHeading {
			return d.text(n)
		}
	}
	return ""
}

// row is one row of a table: the text of its cells, and its line.
type row struct {
	cells []string
	line  int
}

// cell gives the text of a column, empty when the row is shorter.
func (r row) cell(i int) string {
	if i < len(r.cells) {
		return r.cells[i]
	}
	return ""
}

// tables gives the body rows of all tables below the heading with this text, down to the next heading of the same
// or a higher rank. ok is false when there is no such heading.
func (d *document) tables(heading string) (rows []row, ok bool) {
	level := 0
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, isHeading := n.(*ast.Heading); isHeading {
			switch {
			case ok && h.Level <= level:
				return rows, true
			case !ok && d.text(h) == heading:
				ok, level = true, h.Level
			}
			continue
		}
		if ok && n.Kind() == extast.KindTable {
			rows = append(rows, d.rows(n)...)
		}
	}
	return rows, ok
}

func (d *document) rows(table ast.Node) []row {
	var rows []row
	for n := table.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != extast.KindTableRow { // the header row is of another kind
			continue
		}
		r := row{line: d.lineOf(n)}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			r.cells = append(r.cells, d.text(c))
		}
		rows = append(rows, r)
	}
	return rows
}

// list splits text at commas and drops what is empty.
func list(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// anchors gives the fragments that the headings of the document can be linked by, made the way that GitHub makes
// them: lower case, spaces as hyphens, other punctuation dropped, a counter on repeats.
func (d *document) anchors() map[string]bool {
	out := map[string]bool{}
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Kind() == ast.KindHeading {
			base := anchor(d.text(n))
			name := base
			for i := 1; out[name]; i++ {
				name = fmt.Sprintf("%s-%d", base, i)
			}
			out[name] = true
		}
		return ast.WalkContinue, nil
	})
	return out
}

func anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}
