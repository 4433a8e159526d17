package site

import (
	"bytes"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/streamcert/streamcert/runner/site/diagram"
)

// markdown makes HTML of the nodes of one document for one page.
type markdown struct {
	book     *book
	doc      *document
	page     string // its path on the site
	renderer renderer.Renderer
	err      error // of the first diagram that can't be drawn
}

// markdown returns a renderer of a document for the page at a path: links are relative to the page.
func (b *book) markdown(doc *document, page string) *markdown {
	m := &markdown{book: b, doc: doc, page: page}
	// Without html.WithUnsafe: HTML in a text of a working copy would be markup of the page.
	m.renderer = renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(m, 100),
		util.Prioritized(extension.NewTableHTMLRenderer(), 500),
		util.Prioritized(html.NewRenderer(), 1000),
	))
	return m
}

// RegisterFuncs implements renderer.NodeRenderer.
func (m *markdown) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, m.heading)
	r.Register(ast.KindLink, m.link)
	r.Register(ast.KindCodeSpan, m.codeSpan)
	r.Register(ast.KindFencedCodeBlock, m.fenced)
	r.Register(ast.KindHTMLBlock, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkSkipChildren, nil // comments for tools
	})
	r.Register(extast.KindTable, m.table)
}

// render converts nodes with their children to HTML.
func (m *markdown) render(nodes ...ast.Node) (template.HTML, error) {
	var b bytes.Buffer
	for _, n := range nodes {
		if err := m.renderer.Render(&b, m.doc.source, n); err != nil {
			return "", fmt.Errorf("making a page of %s: %w", m.doc.file, err)
		}
	}
	if m.err != nil {
		return "", fmt.Errorf("making a page of %s: %w", m.doc.file, m.err)
	}
	return template.HTML(b.String()), nil
}

// inline makes HTML of the content of a paragraph.
func (m *markdown) inline(parent ast.Node) (template.HTML, error) {
	var nodes []ast.Node
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		nodes = append(nodes, n)
	}
	return m.render(nodes...)
}

// heading writes a heading with its anchor.
func (m *markdown) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	id, _ := h.AttributeString("id")
	at, _ := id.([]byte)
	if entering {
		fmt.Fprintf(w, `<h%d id="%s">`, h.Level, at)
		return ast.WalkContinue, nil
	}
	if h.Level > 1 {
		fmt.Fprintf(w, ` <a class="hash" href="#%s" aria-label="Link to this section">#</a>`, at)
	}
	fmt.Fprintf(w, "</h%d>\n", h.Level)
	return ast.WalkContinue, nil
}

// link writes a link to the page that shows its target. A target that the site has no page for becomes text.
func (m *markdown) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	to, outside := m.target(string(n.(*ast.Link).Destination))
	switch {
	case to == "" && entering:
		fmt.Fprintf(w, `<span title="%s">`, template.HTMLEscapeString(string(n.(*ast.Link).Destination)))
	case to == "":
		_, _ = w.WriteString("</span>")
	case entering && outside:
		fmt.Fprintf(w, `<a href="%s" rel="noreferrer">`, template.HTMLEscapeString(to))
	case entering:
		fmt.Fprintf(w, `<a href="%s">`, template.HTMLEscapeString(to))
	default:
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

// target returns the address of a link from the page: "" if the site has no page for it.
func (m *markdown) target(destination string) (to string, outside bool) {
	u, err := url.Parse(destination)
	if err != nil {
		return "", false
	}
	switch u.Scheme {
	case "":
	case "http", "https":
		return destination, true
	default: // a link that runs a program, such as javascript:
		return "", false
	}
	file := m.doc.file
	if u.Path != "" {
		file = strings.TrimPrefix(path.Join("spec", path.Dir(m.doc.file), u.Path), "spec/")
	}
	at := m.book.address(file)
	if at == "" {
		return "", false
	}
	if doc := m.book.docs[file]; doc != nil && u.Fragment != "" {
		at += "#" + doc.anchors[u.Fragment]
	}
	return relative(m.page, at), false
}

// codeSpan makes a link of an id.
func (m *markdown) codeSpan(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text := m.doc.text(n)
	code := "<code>" + template.HTMLEscapeString(text) + "</code>"
	_, linked := n.Parent().(*ast.Link)
	if to := m.book.requirement(text); to != "" && !linked {
		code = fmt.Sprintf(`<a class="id" href="%s">%s</a>`, relative(m.page, to), code)
	}
	_, _ = w.WriteString(code)
	return ast.WalkSkipChildren, nil
}

// table wraps a table in a part that scrolls by itself, by keyboard too: a wide table doesn't widen the page.
func (m *markdown) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// fenced draws a diagram, colours a transcript, and leaves other code as it is.
func (m *markdown) fenced(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.FencedCodeBlock)
	var text bytes.Buffer
	for i := range block.Lines().Len() {
		segment := block.Lines().At(i)
		text.Write(segment.Value(source))
	}
	switch language := string(block.Language(source)); language {
	case "mermaid":
		drawn, err := m.diagram(text.String())
		if err != nil && m.err == nil {
			m.err = err
		}
		_, _ = w.WriteString(string(drawn))
	case "http":
		_, _ = w.WriteString(string(wire(text.String())))
	default:
		fmt.Fprintf(w, "<pre tabindex=\"0\"><code>%s</code></pre>\n", template.HTMLEscapeString(text.String()))
	}
	return ast.WalkSkipChildren, nil
}

// wire renders a piece of a transcript, with a style for each kind of line.
func wire(text string) template.HTML {
	var b strings.Builder
	b.WriteString(`<pre class="wire" tabindex="0">`)
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		line = strings.TrimSuffix(line, "\n")
		class := ""
		switch {
		case strings.HasPrefix(line, "== "), strings.HasPrefix(line, "# "):
			class = "at"
		case strings.HasPrefix(line, ">"):
			class = "ask"
		case strings.HasPrefix(line, "<"):
			class = "head"
		}
		escaped := template.HTMLEscapeString(line)
		if field, value, ok := strings.Cut(line, ":"); ok && class == "" && (field == "id" || field == "data" || field == "event" || field == "retry") {
			escaped = "<b>" + field + ":</b>" + template.HTMLEscapeString(value)
		}
		if class != "" {
			escaped = `<span class="` + class + `">` + escaped + "</span>"
		}
		b.WriteString(escaped + "\n")
	}
	b.WriteString("</pre>\n")
	return template.HTML(b.String())
}

// diagram draws a diagram, with the list of its arrows below.
func (m *markdown) diagram(text string) (template.HTML, error) {
	d, err := diagram.Parse(text)
	if err != nil {
		return "", err
	}
	pack, _, inPack := strings.Cut(m.doc.file, "/")
	whole := func(id string) string {
		if m.book.requirement(id) == "" && inPack {
			return pack + "." + id
		}
		return id
	}
	address := func(id string) string {
		if to := m.book.requirement(whole(id)); to != "" {
			return relative(m.page, to)
		}
		return ""
	}
	var b strings.Builder
	b.WriteString("<figure class=\"drawn\"><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Diagram; its arrows are listed below\">" + d.SVG(address) + "</div>\n")
	b.WriteString("<figcaption><details" + map[bool]string{false: " open"}[d.Sequence] + "><summary>The arrows, and the rules that demand them</summary>\n<ol>\n")
	for _, a := range d.Arrows {
		if a.Note {
			continue
		}
		ends := d.Label(a.From) + " → " + d.Label(a.To)
		if a.From == a.To {
			ends = d.Label(a.From) + " ↺"
		}
		fmt.Fprintf(&b, "<li><span class=\"ends\">%s</span> %s", template.HTMLEscapeString(ends), template.HTMLEscapeString(a.Text))
		for _, id := range a.IDs {
			fmt.Fprintf(&b, " <a class=\"id\" href=\"%s\">%s</a>", template.HTMLEscapeString(address(id)), template.HTMLEscapeString(id))
		}
		b.WriteString("</li>\n")
	}
	b.WriteString("</ol></details></figcaption></figure>\n")
	return template.HTML(b.String()), nil
}
