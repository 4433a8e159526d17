package spec

import (
	"fmt"
	"regexp"
	"slices"
)

// pack contains the declarations in the index of one protocol.
type pack struct {
	name         string
	version      string
	roles        []Role
	chapters     []Chapter
	capabilities []Capability
	classes      []Class
	routes       []Route
}

const (
	indexFile     = "README.md"
	rationaleFile = "rationale.md"
	versionFile   = "VERSION"
	changesFile   = "CHANGELOG.md"
)

// readRoles takes the table below the heading "Roles": role, what it is. An index may lack it; lint asks for it.
func readRoles(d *document) (out []Role, problems []Problem) {
	rows, _ := d.tables("Roles")
	problems = named(d, "role", rows, func(name, meaning string) { out = append(out, Role{Name: name, Meaning: meaning}) })
	return out, problems
}

// readCapabilities takes the table below the heading "Capabilities": name, meaning.
func readCapabilities(d *document) (out []Capability, problems []Problem) {
	rows, ok := d.tables("Capabilities")
	if !ok {
		return nil, []Problem{{File: d.file, Message: "no heading \"Capabilities\" with a table of them"}}
	}
	problems = named(d, "capability", rows, func(name, meaning string) {
		out = append(out, Capability{Name: name, Meaning: meaning})
	})
	return out, problems
}

// request matches a route in its cell, such as "GET /streams/{stream}".
var request = regexp.MustCompile(`^([A-Z]+) (/[^\s,…]*)`)

// readRoutes takes the table below the heading "Routes": name, default, described in. The row of the control binding, which
// has many, is left out; an index may lack the table.
func readRoutes(d *document) []Route {
	var out []Route
	rows, _ := d.tables("Routes")
	for _, r := range rows {
		if found := request.FindStringSubmatch(r.cell(1)); found != nil {
			out = append(out, Route{Name: r.cell(0), Method: found[1], Path: found[2]})
		}
	}
	return out
}

// named takes each row of a table whose first column names something and whose second states what it is.
func named(d *document, what string, rows []row, take func(name, meaning string)) (problems []Problem) {
	seen := map[string]bool{}
	for _, r := range rows {
		name := r.cell(0)
		if name == "" || seen[name] {
			problems = append(problems, Problem{d.file, r.line, fmt.Sprintf("%s %q is empty or listed twice", what, name)})
			continue
		}
		seen[name] = true
		take(name, r.cell(1))
	}
	return problems
}

// readClasses takes the table below the heading "Classes": name, included classes, chapters, capabilities.
func readClasses(d *document, p *pack) ([]Class, []Problem) {
	rows, ok := d.tables("Classes")
	if !ok {
		return nil, []Problem{{File: d.file, Message: "no heading \"Classes\" with a table of them"}}
	}
	var out []Class
	var problems []Problem
	report := func(r row, format string, args ...any) {
		problems = append(problems, Problem{d.file, r.line, fmt.Sprintf(format, args...)})
	}
	find := func(name string) int {
		return slices.IndexFunc(out, func(c Class) bool { return c.Name == name })
	}
	for _, r := range rows {
		c := Class{Name: r.cell(0)}
		if c.Name == "" || slices.ContainsFunc(out, func(o Class) bool { return o.ID() == c.ID() }) {
			report(r, "class %q is empty or listed twice", c.Name)
			continue
		}
		for _, name := range list(r.cell(1)) {
			i := find(name)
			if i < 0 {
				report(r, "class %s includes %q, which is not defined above it", c.Name, name)
				continue
			}
			c.Chapters = union(c.Chapters, out[i].Chapters)
			c.Capabilities = union(c.Capabilities, out[i].Capabilities)
		}
		for _, name := range list(r.cell(2)) {
			if !slices.ContainsFunc(p.chapters, func(ch Chapter) bool { return ch.Name == name }) {
				report(r, "class %s names the unknown chapter %q", c.Name, name)
			}
			c.Chapters = union(c.Chapters, []string{name})
		}
		for _, name := range list(r.cell(3)) {
			if !slices.ContainsFunc(p.capabilities, func(k Capability) bool { return k.Name == name }) {
				report(r, "class %s names the unknown capability %q", c.Name, name)
			}
			c.Capabilities = union(c.Capabilities, []string{name})
		}
		out = append(out, c)
	}
	return out, problems
}

// union appends what a lacks of b, in order.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// fill sorts the requirements of a pack into its classes.
func (p *pack) fill(requirements []Requirement) {
	for i := range p.classes {
		c := &p.classes[i]
		for _, r := range requirements {
			if !r.Testable() || !r.Level.Mandatory() || !slices.Contains(c.Chapters, r.Chapter) {
				continue
			}
			within := !slices.ContainsFunc(r.Capabilities, func(name string) bool {
				return !slices.Contains(c.Capabilities, name)
			})
			if within {
				c.Requirements = append(c.Requirements, r.ID)
			} else {
				c.Conditional = append(c.Conditional, r.ID)
			}
		}
	}
}
