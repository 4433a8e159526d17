package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
)

//go:embed pages/page.html
var pageLayout string

//go:embed pages/page.css
var pageStyle string

// Page is a self-contained HTML page: it needs no other file, no network and no script. Its style is common to every page
// of the kit, with a dark and a light scheme.
type Page struct {
	Title string        // text, not HTML
	Style template.CSS  // in addition to the common style
	Head  template.HTML // content above the tabs, with the only h1
	Tabs  []Tab         // at least one; the first is shown first
	Foot  template.HTML // below the tabs
	// Script may add comfort; the page works without it.
	Script template.JS
}

// Tab is one part of a page. Headings in it begin at h3.
type Tab struct {
	ID    string        // of letters, digits and hyphens
	Title string        // text, not HTML
	Count string        // after the title, "" for none
	Style template.CSS  // in addition to that of the page
	Body  template.HTML // without a script
}

var tabID = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// Write writes the page. The error is that of an invalid page or of writing.
func (p Page) Write(w io.Writer) error {
	if len(p.Tabs) == 0 {
		return errors.New("writing a page: it has no tab")
	}
	layout, err := template.New("page").Parse(pageLayout)
	if err != nil {
		return fmt.Errorf("reading the layout of pages: %w", err)
	}
	style := template.CSS(pageStyle)
	for i, t := range p.Tabs {
		if !tabID.MatchString(t.ID) {
			return fmt.Errorf("writing a page: %q is no id of a tab", t.ID)
		}
		style += t.Style + here(t.ID, i == 0)
	}
	p.Style = style + p.Style
	var b strings.Builder
	err = layout.Execute(&b, struct {
		Page
		Policy string
	}{p, p.policy()})
	if err == nil {
		// Nothing that can't be seen is on a page, wherever it came from.
		_, err = io.WriteString(w, Printable(b.String()))
	}
	if err != nil {
		return fmt.Errorf("writing a page: %w", err)
	}
	return nil
}

// here marks the tab that is shown. Without support for :has every tab is shown
// and none is marked.
func here(id string, first bool) template.CSS {
	selectors := []string{"body:has(#ID:target) nav a[href='#ID']", "body:has(#ID :target) nav a[href='#ID']"}
	if first {
		selectors = append(selectors, "body:not(:has(main :target)) nav a[href='#ID']")
	}
	rule := strings.Join(selectors, ",") + "{border-color:var(--link);font-weight:600}\n"
	return template.CSS(strings.ReplaceAll(rule, "ID", id))
}

// policy forbids the page everything that it doesn't bring along, and every
// other script.
func (p Page) policy() string {
	policy := "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
	if p.Script != "" {
		sum := sha256.Sum256([]byte(p.Script))
		policy += "; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return policy
}

// Prose converts Markdown paragraphs of the spec to HTML: code in backticks, and the text of links.
func Prose(markdown string) template.HTML {
	var b strings.Builder
	for para := range strings.SplitSeq(strings.TrimSpace(markdown), "\n\n") {
		if para = strings.TrimSpace(para); para != "" {
			b.WriteString("<p>" + string(Inline(para)) + "</p>")
		}
	}
	return template.HTML(b.String())
}

var link = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// Inline makes HTML of one line of Markdown; see Prose.
func Inline(markdown string) template.HTML {
	parts := strings.Split(Printable(markdown), "`")
	for i, part := range parts {
		if i%2 == 1 && i < len(parts)-1 {
			parts[i] = "<code>" + template.HTMLEscapeString(part) + "</code>"
			continue
		}
		parts[i] = template.HTMLEscapeString(link.ReplaceAllString(part, "$1"))
		if i%2 == 1 { // a backtick that nothing closes
			parts[i] = "`" + parts[i]
		}
	}
	return template.HTML(strings.Join(parts, ""))
}
