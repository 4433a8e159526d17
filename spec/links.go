package spec

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// outgoing walks the relative links of a document: the target's path inside the specification and its fragment.
// A target that begins with ".." lies outside. Absolute URLs are none of our business.
func (d *document) outgoing(visit func(n ast.Node, target, fragment string)) {
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		link, ok := n.(*ast.Link)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		u, err := url.Parse(string(link.Destination))
		switch {
		case err != nil:
			visit(n, string(link.Destination), "")
		case u.IsAbs() || u.Host != "":
		case u.Path == "":
			visit(n, d.file, u.Fragment)
		default:
			visit(n, path.Join(path.Dir(d.file), u.Path), u.Fragment)
		}
		return ast.WalkContinue, nil
	})
}

// links checks every relative link that stays inside the specification and notes those that leave it.
func (l *loader) links(d *document) {
	d.outgoing(func(n ast.Node, target, fragment string) {
		if rest, outside := strings.CutPrefix(target, "../"); outside {
			l.book.Links = append(l.book.Links, Link{File: d.file, Line: d.lineOf(n), Target: rest})
			return
		}
		if path.Base(target) == versionFile {
			return
		}
		to, ok := l.documents[target]
		switch {
		case !ok:
			l.problems = append(l.problems, d.problem(n, "link to %s, which does not exist", target))
		case fragment != "" && !to.anchors()[fragment]:
			l.problems = append(l.problems, d.problem(n, "link to %s#%s, which has no such heading", target, fragment))
		}
	})
}

// mentions checks every id that the text names in a code span.
func (l *loader) mentions(d *document) {
	packs := l.book.Packs()
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Kind() != ast.KindCodeSpan || !entering {
			return ast.WalkContinue, nil
		}
		id := d.text(n)
		pack, _, _ := strings.Cut(id, ".")
		if !validID(id) || !slices.Contains(packs, pack) {
			return ast.WalkContinue, nil
		}
		if _, known := l.book.Get(id); !known {
			l.problems = append(l.problems, d.problem(n, "%s is no requirement", id))
		}
		return ast.WalkContinue, nil
	})
}

// index checks that every chapter can be found: from the index of its pack, and that from the index of all.
func (l *loader) index() {
	linked := func(from string) map[string]bool {
		out := map[string]bool{}
		if d, ok := l.documents[from]; ok {
			d.outgoing(func(_ ast.Node, target, _ string) { out[target] = true })
		}
		return out
	}
	if _, ok := l.documents[indexFile]; !ok {
		l.report(indexFile, 0, "the file is missing: it links the packs")
	}
	top := linked(indexFile)
	for _, p := range l.book.packs {
		name := path.Join(p.name, indexFile)
		if !top[name] {
			l.report(name, 0, "not linked from %s", indexFile)
		}
		inPack := linked(name)
		files := []string{path.Join(p.name, rationaleFile)}
		for _, c := range p.chapters {
			files = append(files, c.File)
		}
		for _, file := range files {
			if _, exists := l.documents[file]; exists && !inPack[file] {
				l.report(file, 0, "not linked from %s", name)
			}
		}
	}
}
