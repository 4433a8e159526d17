package site

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/streamcert/streamcert/spec"
)

// embedded are the layouts and what pages load.
//
//go:embed pages assets
var embedded embed.FS

// page is one page of the site.
type page struct {
	Path    string // on the site
	Title   string
	Kind    string // a class of its body
	Pack    string // that it belongs to, "" for none
	Body    template.HTML
	Toc     []entryOfContents
	Scripts []string // files of assets, loaded after the page
	Policy  string   // its content security policy, except for its scripts
}

// entryOfContents leads to a part of a page.
type entryOfContents struct {
	Level  int
	Anchor string
	Text   string
	Badge  string // the level of a requirement, as a class; "" for a heading
}

// menuPage is a page as a menu names it.
type menuPage struct {
	Title, To string
	Here      bool
}

// layout renders the content of a page with the layout of the site.
func (b *book) layout(p page) error {
	t, err := b.templates(p.Path)
	if err != nil {
		return err
	}
	depth := strings.Count(p.Path, "/")
	menu := []menuPage{{"Overview", relative(p.Path, "index.html"), p.Path == "index.html"}}
	for _, k := range b.packs {
		to := k.Suite.Pack.Name + "/index.html"
		menu = append(menu, menuPage{k.Suite.Pack.Name, relative(p.Path, to), p.Pack == k.Suite.Pack.Name})
	}
	if b.in.Judge != nil {
		menu = append(menu, menuPage{"Playground", relative(p.Path, playgroundFile), p.Path == playgroundFile})
	}
	var out bytes.Buffer
	err = t.ExecuteTemplate(&out, "layout.html", struct {
		page
		Root, Version  string
		Menu, Chapters []menuPage
	}{p, strings.Repeat("../", depth), b.current(p.Pack), menu, b.menu(p)})
	if err != nil {
		return fmt.Errorf("making the page %s: %w", p.Path, err)
	}
	b.files[p.Path] = out.Bytes()
	return nil
}

// menu lists the pages of a pack.
func (b *book) menu(p page) []menuPage {
	if p.Pack == "" {
		return nil
	}
	out := []menuPage{}
	add := func(title, to string) {
		out = append(out, menuPage{title, relative(p.Path, p.Pack+"/"+to), p.Path == p.Pack+"/"+to})
	}
	add("Index", "index.html")
	for _, c := range b.spec.Chapters(p.Pack) {
		add(c.Title, c.Name+".html")
	}
	add("Schemas", "schemas.html")
	add("Sentences", "sentences.html")
	add("Coverage", "coverage.html")
	if b.docs[p.Pack+"/rationale.md"] != nil {
		add("Rationale", "rationale.html")
	}
	if b.docs[p.Pack+"/"+logFile] != nil {
		add("Versions", "versions/index.html")
	}
	return out
}

// templates returns the layouts, for a page whose links are relative. Those of the last page are stored: its parts come one
// after the other.
func (b *book) templates(path string) (*template.Template, error) {
	if b.layouts != nil && b.laid == path {
		return b.layouts, nil
	}
	t, err := template.New("").Funcs(template.FuncMap{
		"to":    func(at string) string { return relative(path, at) },
		"class": levelClass,
		"lower": strings.ToLower,
		"plural": func(n int, one string) string {
			if n == 1 {
				return "1 " + one
			}
			return fmt.Sprintf("%d %ss", n, one)
		},
	}).ParseFS(embedded, "pages/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading the layouts of the site: %w", err)
	}
	b.layouts, b.laid = t, path
	return t, nil
}

// part makes a part of a page.
func (b *book) part(path, name string, data any) (template.HTML, error) {
	t, err := b.templates(path)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, name, data); err != nil {
		return "", fmt.Errorf("making the page %s: %w", path, err)
	}
	return template.HTML(out.String()), nil
}

// levelClass returns the level of a requirement as the name of a class.
func levelClass(l spec.Level) string { return l.Tag() }
