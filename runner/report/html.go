package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
)

// The parts of the page of a report.
var (
	//go:embed pages/report.html
	reportParts string
	//go:embed pages/report.css
	reportStyle string
	//go:embed pages/report.js
	reportScript string
)

// HTML writes a report as a page for browsers.
type HTML struct {
	// Require are the classes that the run had to earn, nil for none.
	Require []string
	// Why is the prose of the spec on a requirement, Markdown; nil for none.
	Why func(id string) string
	// Outline returns the title and the steps of a scenario as its file has them, by its location; it may be nil.
	Outline func(location string) (title, steps string)
	// Tabs are shown after those of the report.
	Tabs []Tab
}

// Write writes the page: verdict and classes, failures with their evidence, every requirement, unproven requirements, and
// every scenario with its exchanges, as far as the size allows. Data of the server is escaped.
func (h HTML) Write(w io.Writer, r *Report) error {
	parts, err := template.New("report").Funcs(template.FuncMap{
		"occasions": occasions, "chip": chip, "counted": counted, "fault": func(q Requirement) string { return fault(q, wordsBytes/2) }, "inline": Inline, "plain": Printable, "upper": strings.ToUpper, "slug": slug, "seconds": tookSeconds,
		"address": Address, "next": func(i int) int { return i + 1 },
	}).Parse(reportParts)
	if err != nil {
		return fmt.Errorf("reading the page of reports: %w", err)
	}
	v := viewed(r, h)
	part := func(name string) template.HTML {
		var b bytes.Buffer
		if e := parts.ExecuteTemplate(&b, name, v); e != nil && err == nil {
			err = fmt.Errorf("making the %s of the page: %w", name, e)
		}
		return template.HTML(b.String())
	}
	page := Page{
		Title: fmt.Sprintf("%s: %s %s, %s", v.Word, r.Suite.Name, r.Suite.Pack, Printable(r.Target.URL)),
		Style: template.CSS(reportStyle), Script: template.JS(reportScript), Head: part("head"), Foot: part("foot"),
	}
	add := func(id, title string, n int) {
		if n > 0 {
			page.Tabs = append(page.Tabs, Tab{ID: id, Title: title, Count: fmt.Sprint(n), Body: part(id)})
		}
	}
	add("broken", "To fix", v.Fixes())
	page.Tabs = append(page.Tabs, Tab{
		ID: "requirements", Title: "Requirements", Count: fmt.Sprint(len(r.Requirements)), Body: part("requirements"),
	})
	add("unproven", "Not proven", v.unproven())
	add("scenarios", "Scenarios", len(r.Scenarios))
	add("notes", "Golden notes", len(r.Notes))
	if r.ServerLog != "" {
		page.Tabs = append(page.Tabs, Tab{ID: "log", Title: "Server log", Body: part("log")})
	}
	page.Tabs = append(page.Tabs, h.Tabs...)
	if err != nil {
		return err
	}
	return page.Write(w)
}

// sign returns a character for a verdict, for readers who can't see its colour.
func sign(v Verdict) string {
	switch v {
	case Pass:
		return "✓"
	case Fail:
		return "✕"
	case Warn:
		return "!"
	case Known:
		return "≈"
	case Error:
		return "‼"
	case NotClaimed:
		return "–"
	}
	return "?"
}

// slug returns a verdict as the name of a class of elements.
func slug(v Verdict) string { return strings.ReplaceAll(string(v), " ", "-") }

// chip returns a verdict as a word; its sign and colour come from the style.
func chip(v Verdict) template.HTML { return chips(v, string(v)) }

// counted returns the text of a verdict's count.
func counted(c count) template.HTML {
	return chips(c.Verdict, fmt.Sprintf("%d %s", c.N, c.Verdict))
}

func chips(v Verdict, text string) template.HTML {
	return template.HTML(fmt.Sprintf(`<b class="v %s">%s</b>`, template.HTMLEscapeString(slug(v)), template.HTMLEscapeString(text)))
}

func occasions(n int) string { return number(n, "occasion") }

func number(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func tookSeconds(s float64) string {
	if s < 10 {
		return time.Duration(s * float64(time.Second)).Round(time.Millisecond).String()
	}
	return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond).String()
}
