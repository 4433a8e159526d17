package explain

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/spec"
)

// Limits of long parts in an explanation.
const (
	mostKeywords = 8
	mostLines    = 24
	mostRunes    = 160
)

// Write prints the explanation for people: the rule, why it is one, and every line of
// the kit that names it.
func (e Explanation) Write(w io.Writer) error {
	var b bytes.Buffer
	e.rule(&b)
	e.scenarios(&b)
	e.mutants(&b)
	e.keywords(&b)
	writeLines(&b, "kept by", e.ReferenceLines)
	writeLines(&b, "held by", e.JudgeLines)
	writeLines(&b, "asserted by", e.Asserted)
	writeLines(&b, "expected by", e.Expected)
	e.example(&b)
	if _, err := io.WriteString(w, report.Printable(b.String())); err != nil {
		return fmt.Errorf("writing the explanation of %s: %w", e.Requirement.ID, err)
	}
	return nil
}

func (e Explanation) rule(b *bytes.Buffer) {
	q := e.Requirement
	role := q.Role
	if role == spec.RoleServer {
		role = "" // as nearly all are
	}
	facts := []string{q.ID, string(q.Level)}
	for _, fact := range []struct{ name, value string }{
		{"capability", strings.Join(q.Capabilities, ", ")}, {"tier", q.Tier}, {"role", role},
	} {
		if fact.value != "" {
			facts = append(facts, fact.name+" "+fact.value)
		}
	}
	fmt.Fprintf(b, "%s\n  %s\n  spec/%s:%d\n", strings.Join(facts, " · "), q.Sentence, q.File, q.Line)
	if q.Withdrawn != "" {
		fmt.Fprintf(b, "  withdrawn: %s\n", q.Withdrawn)
	}
	if len(q.Freedoms) > 0 {
		fmt.Fprintf(b, "  a server that uses this freedom may show nothing of it: %s\n", strings.Join(q.Freedoms, "; "))
	}
	if q.Untestable != "" {
		fmt.Fprintf(b, "  untestable: %s\n", q.Untestable)
	}
	if q.Why != "" {
		section(b, "why")
		indent(b, strings.Split(q.Why, "\n"))
	}
}

func section(b *bytes.Buffer, name string) { fmt.Fprintf(b, "\n%s\n", name) }

func indent(b *bytes.Buffer, lines []string) {
	for _, line := range lines {
		b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
	}
}

func (e Explanation) scenarios(b *bytes.Buffer) {
	if len(e.Scenarios) > 0 {
		section(b, "scenarios")
	}
	for _, sc := range e.Scenarios {
		rows := ""
		if len(sc.Rows) > 1 {
			rows = fmt.Sprintf(" (%d rows)", len(sc.Rows))
		}
		fmt.Fprintf(b, "  %s%s\n    features/%s\n", sc.Title, rows, sc.Location())
		for i, st := range sc.Steps {
			keyword := st.Keyword.String()
			if i > 0 && sc.Steps[i-1].Keyword == st.Keyword && st.Keyword != features.When {
				keyword = "And"
			}
			fmt.Fprintf(b, "      %s %s\n", keyword, st.Text)
		}
	}
}

func (e Explanation) mutants(b *bytes.Buffer) {
	if len(e.Mutants) > 0 {
		section(b, "mutants that break it")
	}
	for _, m := range e.Mutants {
		by := ""
		if m.Requirement != e.Requirement.ID {
			by = ", by way of " + m.Requirement
		}
		fmt.Fprintf(b, "  %s%s\n    %s\n", m.Name, by, m.Summary)
	}
}

func (e Explanation) keywords(b *bytes.Buffer) {
	if len(e.Keywords) == 0 {
		return
	}
	section(b, "schemas that carry it")
	lines := slices.Clone(e.Keywords[:min(len(e.Keywords), mostKeywords)])
	if more := len(e.Keywords) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", more))
	}
	indent(b, lines)
}

func (e Explanation) example(b *bytes.Buffer) {
	if e.Golden == "" {
		return
	}
	section(b, "example, from "+e.Golden)
	text := golden.Format(golden.File{Transcripts: []golden.Transcript{e.Example}})
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	more := len(lines) - mostLines
	lines = lines[:min(len(lines), mostLines)]
	for i, line := range lines {
		lines[i] = shorten(line)
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more lines", more))
	}
	indent(b, lines)
}

// shorten cuts a line that is too long to be read.
func shorten(line string) string {
	if utf8.RuneCountInString(line) <= mostRunes {
		return line
	}
	return string([]rune(line)[:mostRunes]) + "…"
}
