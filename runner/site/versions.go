package site

import (
	"html/template"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// versionView is a version as the list of versions shows it.
type versionView struct {
	Name, To string
	Current  bool
	Rules    int // that its part of the change log names
	Changes  int
}

// changeView is a difference between versions.
type changeView struct {
	Change
	To      string
	Summary template.HTML
}

// versions makes a page for each version, with its change log and its differences from the version before.
func versions(b *book) error {
	for _, p := range b.packs {
		pack := p.Suite.Pack.Name
		if doc := b.docs[path.Join(pack, logFile)]; doc != nil {
			if err := b.log(doc, pack); err != nil {
				return err
			}
		}
	}
	return nil
}

// log makes the pages of the change log of a pack.
func (b *book) log(doc *document, pack string) error {
	out := page{Path: list(pack), Title: "Versions" + where(pack), Kind: "versions", Pack: pack}
	m := b.markdown(doc, out.Path)
	var intro []ast.Node
	parts := map[string][]ast.Node{}
	var names []string
	name := ""
	for n := doc.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			name = doc.text(h)
			names = append(names, name)
			continue
		}
		if name == "" {
			intro = append(intro, n)
		} else {
			parts[name] = append(parts[name], n)
		}
	}
	head, err := m.render(intro...)
	if err != nil {
		return err
	}
	var views []versionView
	for i, name := range names {
		before := ""
		if i+1 < len(names) {
			before = names[i+1]
		}
		v, err := b.version(doc, pack, name, before, parts[name])
		if err != nil {
			return err
		}
		views = append(views, v)
	}
	out.Body, err = b.part(out.Path, "versions.html", struct {
		Intro    template.HTML
		Versions []versionView
	}{head, views})
	if err != nil {
		return err
	}
	b.index = append(b.index, entry{"Versions", "page" + where(pack), out.Path, "page"})
	return b.layout(out)
}

// version makes the page of one version; before is the name of the one before it, "" for the first. nodes are its part of the
// change log.
func (b *book) version(doc *document, pack, name, before string, nodes []ast.Node) (versionView, error) {
	v := versionView{Name: name, To: path.Join(pack, "versions", slug(strings.ReplaceAll(name, ".", "-"))+".html"), Current: name == b.current(pack)}
	out := page{Path: v.To, Title: "Version " + name + where(pack), Kind: "version", Pack: pack}
	text, err := b.markdown(doc, out.Path).render(nodes...)
	if err != nil {
		return v, err
	}
	var changes []changeView
	classes := map[string]int{}
	for _, c := range b.in.Changes {
		if c.Version != name || c.Pack != pack {
			continue
		}
		changes = append(changes, changeView{c, b.requirement(c.Requirement), inlineCode(c.Summary)})
		classes[c.Class]++
	}
	named := map[string]bool{}
	for _, n := range nodes {
		_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if n.Kind() == ast.KindCodeSpan && entering && b.requirement(doc.text(n)) != "" {
				named[doc.text(n)] = true
			}
			return ast.WalkContinue, nil
		})
	}
	v.Rules, v.Changes = len(named), len(changes)
	out.Body, err = b.part(out.Path, "version.html", struct {
		Name, Before, List string
		Current            bool
		Text               template.HTML
		Changes            []changeView
		Classes            map[string]int
	}{name, before, list(pack), v.Current, text, changes, classes})
	if err != nil {
		return v, err
	}
	b.index = append(b.index, entry{"Version " + name, "versions" + where(pack), out.Path, "page"})
	return v, b.layout(out)
}

// list returns the page that lists the versions of a pack.
func list(pack string) string { return path.Join(pack, "versions/index.html") }
