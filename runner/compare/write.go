package compare

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/streamcert/streamcert/runner/report"
)

// WriteConsole writes the changes for a terminal. Control characters in reports are escaped.
func (r *Result) WriteConsole(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(report.OneLine(fmt.Sprintf(format, args...)) + "\n") }
	line("pack %s · %s, then %s", r.After.Suite.Pack, r.Before.Name, r.After.Name)
	for _, note := range r.Notes {
		line("note: %s", note)
	}
	for _, l := range r.lists() {
		if len(l.Changes) == 0 {
			continue
		}
		b.WriteString("\n")
		line("%s (%d)", strings.ToUpper(l.Title), len(l.Changes))
		for _, c := range l.Changes {
			line("  %s (%s)  %s", c.ID, c.Level, c.Direction())
			for _, fault := range []struct{ name, text string }{{"was", c.Was}, {"is ", c.Is}} {
				if fault.text != "" {
					line("    %s  %s", fault.name, fault.text)
				}
			}
		}
	}
	b.WriteString("\n")
	line("%s", r.Sum())
	return written(w, b.String())
}

// Sum returns the result in one line.
func (r *Result) Sum() string {
	text := fmt.Sprintf("%d broke, %d mended, %d in other words, %d no longer proven, %d proven now",
		len(r.Broke), len(r.Mended), len(r.Words), len(r.Unproven), len(r.Proven))
	if len(r.Lost) > 0 {
		text += " · classes lost: " + strings.Join(r.Lost, ", ")
	}
	if len(r.Earned) > 0 {
		text += " · classes earned: " + strings.Join(r.Earned, ", ")
	}
	return text
}

// Direction returns the verdicts in words.
func (c Change) Direction() string {
	if c.Before == c.After {
		return "still " + string(c.After)
	}
	return verdict(c.Before) + ", then " + verdict(c.After)
}

func verdict(v report.Verdict) string {
	if v == "" {
		return "not in the report"
	}
	return string(v)
}

func written(w io.Writer, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing the comparison: %w", err)
	}
	return nil
}

// WriteTables writes the tables for people.
func WriteTables(w io.Writer, tables []Table) error {
	var b bytes.Buffer
	for i, t := range tables {
		if i > 0 {
			b.WriteString("\n")
		}
		columns := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintf(columns, "%s\tverdict\t%s\treport\n", t.Pack, strings.Join(t.Classes, "\t"))
		for _, row := range t.Rows {
			fmt.Fprintf(columns, "%s\t%s", report.OneLine(row.Server), row.Verdict)
			for _, c := range row.Cells {
				fmt.Fprintf(columns, "\t%s", report.OneLine(c.Sign+" "+c.Text))
			}
			fmt.Fprintf(columns, "\t%s\n", report.OneLine(row.Name))
		}
		if err := columns.Flush(); err != nil {
			return fmt.Errorf("writing the table: %w", err)
		}
	}
	return written(w, b.String())
}

var (
	//go:embed pages/compare.html
	parts string
	//go:embed pages/compare.css
	style string
)

// PageMark begins the title of every page that WritePage writes.
const PageMark = "streamcert compare"

// WritePage writes the tables, and before them the changes if r isn't nil, as one page without scripts.
func WritePage(w io.Writer, r *Result, tables []Table) error {
	t, err := template.New("compare").Funcs(template.FuncMap{
		"plain": report.Printable, "address": report.Address, "slug": func(v report.Verdict) string { return strings.ReplaceAll(string(v), " ", "-") },
	}).Parse(parts)
	if err != nil {
		return fmt.Errorf("reading the page of comparisons: %w", err)
	}
	part := func(name string, data any) template.HTML {
		var b bytes.Buffer
		if e := t.ExecuteTemplate(&b, name, data); e != nil && err == nil {
			err = fmt.Errorf("making the %s of the page: %w", name, e)
		}
		return template.HTML(b.String())
	}
	page := report.Page{Title: PageMark, Style: template.CSS(style), Head: part("head", r)}
	if r != nil {
		page.Title += ": " + report.Printable(r.Before.Name+", then "+r.After.Name)
		for _, l := range r.lists() {
			if len(l.Changes) > 0 {
				page.Tabs = append(page.Tabs, report.Tab{ID: l.ID, Title: l.Title, Count: fmt.Sprint(len(l.Changes)), Body: part("changes", l)})
			}
		}
	}
	page.Tabs = append(page.Tabs, report.Tab{ID: "classes", Title: "Servers and classes", Body: part("classes", tables)})
	if err != nil {
		return err
	}
	return page.Write(w)
}
