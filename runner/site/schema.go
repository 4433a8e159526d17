package site

import (
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/streamcert/streamcert/schemas"
)

// schemaView is a schema as its table shows it.
type schemaView struct {
	Name, Anchor, Title, File string
	Description               template.HTML
	Members                   []memberView
	Example                   string
}

type memberView struct {
	schemas.Member
	Meaning template.HTML
	Rules   []linkView
}

// schemaAnchor returns the anchor of a schema on the page of its pack.
func schemaAnchor(name string) string { return "schema-" + strings.ReplaceAll(name, "/", "-") }

// tables makes a page a pack of all members of its messages and documents, and copies the schemas themselves. That of a
// config is for editors.
func tables(b *book) error {
	config, err := fs.ReadFile(b.packs[0].Suite.Files.Schemas, schemas.ConfigFile)
	if err != nil {
		return fmt.Errorf("reading the schema of a config: %w", err)
	}
	b.files[schemas.ConfigPage] = config
	for _, p := range b.packs {
		set, name := p.Suite.Schemas, p.Suite.Pack.Name
		out := page{Path: name + "/schemas.html", Title: "Schemas · " + name, Kind: "schemas", Pack: name}
		var all []schemaView
		folder := ""
		for _, s := range set.Names() {
			v := schemaView{Name: s, Anchor: schemaAnchor(s), File: path.Join("schemas", name, s+".json")}
			title, description := set.About(s)
			v.Title, v.Description = title, inlineCode(description)
			for _, m := range set.Members(s) {
				view := memberView{Member: m, Meaning: inlineCode(m.Meaning)}
				for _, id := range m.IDs {
					view.Rules = append(view.Rules, linkView{strings.TrimPrefix(id, name+"."), b.requirement(id)})
				}
				v.Members = append(v.Members, view)
				b.index = append(b.index, entry{m.Path, title + where(name), out.Path + "#" + v.Anchor, "member"})
			}
			if x := set.Examples(s); len(x) > 0 {
				v.Example = string(x[0].Value)
			}
			if dir := path.Dir(s); dir != folder && dir != "." {
				folder = dir
				out.Toc = append(out.Toc, entryOfContents{2, v.Anchor, dir, ""})
			}
			out.Toc = append(out.Toc, entryOfContents{4, v.Anchor, path.Base(s), ""})
			b.index = append(b.index, entry{s, title + where(name), out.Path + "#" + v.Anchor, "schema"})
			all = append(all, v)
		}
		body, err := b.part(out.Path, "schemas.html", struct {
			Pack    string
			Schemas []schemaView
		}{name, all})
		if err != nil {
			return err
		}
		out.Body = body
		if err := b.layout(out); err != nil {
			return err
		}
		if err := b.copied(p, name); err != nil {
			return err
		}
	}
	return nil
}

// copied adds the schema files of a pack at the addresses that they have in the kit.
func (b *book) copied(p Pack, name string) error {
	fsys := p.Suite.Files.Schemas
	err := fs.WalkDir(fsys, name, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(file) != ".json" {
			return err
		}
		source, err := fs.ReadFile(fsys, file)
		b.files["schemas/"+file] = source
		return err
	})
	if err != nil {
		return fmt.Errorf("reading the schemas of %s: %w", name, err)
	}
	return nil
}

// inlineCode makes HTML of a text with code in backticks.
func inlineCode(text string) template.HTML {
	parts := strings.Split(template.HTMLEscapeString(text), "`")
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 0:
			b.WriteString(part)
		case i == len(parts)-1: // a backtick that nothing closes
			b.WriteString("`" + part)
		default:
			b.WriteString("<code>" + part + "</code>")
		}
	}
	return template.HTML(b.String())
}
