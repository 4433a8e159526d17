package site

import (
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"path"
	"strings"

	"github.com/streamcert/streamcert/runner/describe"
	"github.com/streamcert/streamcert/schemas"
)

// schemaView is a schema as its table shows it.
type schemaView struct {
	Name, Anchor, Title, File string
	Description               template.HTML
	Members                   []memberView
	Example                   string
}

// memberView is a member of a schema; Rules are the requirements that name it.
type memberView struct {
	schemas.Member
	Meaning template.HTML
	Rules   []linkView
}

// schemaAnchor returns the anchor of a schema on the page of its pack.
func schemaAnchor(name string) string { return "schema-" + strings.ReplaceAll(name, "/", "-") }

// tables makes a page a pack of all members of its messages and documents, and adds the schemas and descriptions for other
// programs. The schema of a config has a second address, for editors.
func tables(b *book) error {
	shapes := b.packs[0].Suite.Files.Schemas
	names, err := fs.Glob(shapes, "*.json")
	for _, name := range names {
		if b.files["schemas/"+name], err = fs.ReadFile(shapes, name); err != nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("reading the schemas of the kit: %w", err)
	}
	b.files[schemas.ConfigPage] = b.files["schemas/"+schemas.ConfigFile]
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
		described, err := describe.Files(p.Suite.Book, set)
		if err != nil {
			return err
		}
		maps.Copy(b.files, described)
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
