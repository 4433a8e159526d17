package site

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/streamcert/streamcert/runner/report"
)

// formatFile is the description of transcripts, as links of the specification name it.
const formatFile = "golden/FORMAT.md"

// document is one Markdown file whose headings have anchors.
type document struct {
	file    string // inside the specification
	source  []byte // with LF line ends, as report.Printable leaves it
	root    ast.Node
	anchors map[string]string // the anchor on the site by that of a code host
	heads   []head            // in the order of the document
}

// head is a heading.
type head struct {
	Level  int
	Anchor string
	Text   string
}

// parse reads a document. A heading that is the id of a requirement has the id as its anchor, every other one the anchor
// that code hosts give it.
func parse(file string, source []byte) *document {
	d := &document{file: file, source: []byte(report.Printable(strings.ReplaceAll(string(source), "\r\n", "\n"))), anchors: map[string]string{}}
	d.root = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(d.source))
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			d.heading(n)
		case *extast.Table:
			d.rows(n)
		}
	}
	return d
}

// heading gives a heading its anchor. Headings with the same text get the numbers that code hosts append.
func (d *document) heading(n *ast.Heading) {
	title := d.text(n)
	base := slug(title)
	name := base
	for i := 1; d.anchors[name] != ""; i++ {
		name = fmt.Sprintf("%s-%d", base, i)
	}
	at := name
	if isID(title) && n.Level == 4 {
		at = title
	}
	d.anchors[name] = at
	n.SetAttributeString("id", []byte(at))
	if n.Level > 1 {
		d.heads = append(d.heads, head{n.Level, at, title})
	}
}

// rows adds an anchor to each row of a table whose first cell is a code, so that decisions can be linked.
func (d *document) rows(table ast.Node) {
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		if row.Kind() != extast.KindTableRow || row.FirstChild() == nil {
			continue
		}
		code := d.text(row.FirstChild())
		if at := "row-" + slug(code); isCode(code) && d.anchors[at] == "" {
			d.anchors[at] = at
			row.SetAttributeString("id", []byte(at))
		}
	}
}

// isCode reports whether the first cell of a row names it: a word with a number, such as "decision 4" or "C-X-07".
func isCode(cell string) bool {
	return len(cell) < 40 && strings.ContainsAny(cell, "0123456789-") && !strings.ContainsAny(cell, ",;.`")
}

// isID reports whether a text has the form of a requirement's id.
func isID(s string) bool {
	parts := strings.Split(s, ".")
	for _, part := range parts {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return len(parts) == 3
}

// slug returns an anchor as code hosts make it: lower case, spaces as hyphens, other punctuation dropped.
func slug(heading string) string {
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

// text returns the text of a node without its markup.
func (d *document) text(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(d.source))
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// title returns the text of the first heading.
func (d *document) title() string {
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindHeading {
			return d.text(n)
		}
	}
	return d.file
}

// block returns the requirement that begins at a heading, if one does: the heading and everything up to the next.
func (d *document) block(n ast.Node) (id string, nodes []ast.Node) {
	h, ok := n.(*ast.Heading)
	if !ok || h.Level != 4 || !isID(d.text(h)) || h.NextSibling() == nil || h.NextSibling().Kind() != ast.KindBlockquote {
		return "", nil
	}
	for n = h.NextSibling(); n != nil && n.Kind() != ast.KindHeading; n = n.NextSibling() {
		nodes = append(nodes, n)
	}
	return d.text(h), nodes
}
