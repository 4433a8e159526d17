package spec

import (
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// keywords finds the RFC 2119 keywords in capitals, in order, a following NOT included.
func keywords(s string) []string {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' })
	var found []string
	for i, w := range words {
		switch w {
		case "MUST", "SHALL", "SHOULD":
			if i+1 < len(words) && words[i+1] == "NOT" {
				w += " NOT"
			}
			found = append(found, w)
		case "MAY", "REQUIRED", "RECOMMENDED", "OPTIONAL":
			found = append(found, w)
		}
	}
	return found
}

// prosaic gives the text of a node outside code spans.
func (d *document) prosaic(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(d.source))
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// shouting reports RFC 2119 keywords in capitals outside the sentence of a block. Code is exempt, so that the
// text can name the words. blocks reports whether the document contains blocks at all.
func (d *document) shouting(blocks bool) []Problem {
	var problems []Problem
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Blockquote:
			if blocks && isBlockSentence(n) {
				return ast.WalkSkipChildren, nil
			}
		case *ast.Text:
			for _, w := range keywords(string(n.Segment.Value(d.source))) {
				problems = append(problems, d.problem(n, "%s in capitals outside the sentence of a requirement", w))
			}
		}
		return ast.WalkContinue, nil
	})
	return problems
}
