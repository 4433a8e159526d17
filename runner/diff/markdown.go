package diff

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteMarkdown prints the report for the comment of a review or the summary of a job.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n", escaped(r.title()))
	if len(r.Problems) > 0 {
		fmt.Fprintf(&b, "\n### The gate: %s\n\n", counted(len(r.Problems), "problem"))
		for _, p := range r.Problems {
			fmt.Fprintf(&b, "- %s\n", escaped(p))
		}
	}
	for _, class := range slices.Backward(Classes()) {
		r.markdownSection(&b, class)
	}
	if len(r.Goldens) > 0 {
		fmt.Fprintf(&b, "\n### Goldens: %s\n\n| change | lines | files | requirements |\n|---|---|---|---|\n", r.goldens())
		for _, f := range r.byRequirement() {
			fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", cell(f.What), f.Count, len(f.Files), cell(idsLine(f.Requirements)))
		}
	}
	if r.Judged > 0 {
		fmt.Fprintf(&b, "\n%s; the methods disagree on %s.\n", r.judged(), counted(r.Disagreements(), "change"))
	}
	for _, s := range r.Servers {
		fmt.Fprintf(&b, "\n### Server: %s\n\n", escaped(s.line()))
		for _, id := range s.Failed {
			fmt.Fprintf(&b, "- `%s`\n", id)
		}
	}
	return written(w, b.String())
}

func (r *Report) markdownSection(b *strings.Builder, class Class) {
	begun := false
	for _, item := range r.Changed {
		if item.Class != class {
			continue
		}
		if !begun {
			begun = true
			fmt.Fprintf(b, "\n### %s%s\n\n| requirement | change | where |\n|---|---|---|\n", strings.ToUpper(string(class[:1])), class[1:])
		}
		for i, c := range item.shown() {
			name := ""
			switch {
			case i == 0 && item.ID == "":
				name = item.name()
			case i == 0:
				name = "`" + item.ID + "`"
			}
			text := cell(c.line())
			for _, note := range c.notes() {
				text += "<br>*" + cell(note) + "*"
			}
			fmt.Fprintf(b, "| %s | %s | %s |\n", name, text, cell(c.documents()))
		}
	}
}

// escaped keeps text from being read as markup. Code spans stay.
func escaped(s string) string {
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("<", "&lt;", "*", `\*`, "[", `\[`).Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(escaped(s), "|", `\|`), "\n", " ")
}
