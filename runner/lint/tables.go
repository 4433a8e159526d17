package lint

import (
	"regexp"
	"strings"

	"github.com/streamcert/streamcert/spec"
)

// The sentences that a table completes, and the ids of other requirements in them.
var (
	// decides matches a sentence that leaves it to a table.
	decides = regexp.MustCompile(`\bthe table\b`)
	idSpan  = regexp.MustCompile("`([a-z0-9-]+\\.[a-z0-9-]+\\.[a-z0-9-]+)`")
)

// tables: a table that decides belongs to a block, that of the requirement whose sentence speaks of it or of another one that
// the sentence names. Where a scenario can prove the requirement, the last column of its table names a scenario for each row, or
// explains why there is none.
func tables(t *tree) {
	if t.book == nil || t.partial() {
		return
	}
	for _, p := range t.packs {
		titles := map[string]bool{}
		for _, sc := range p.scenarios {
			titles[sc.Title] = true
		}
		for _, q := range t.book.Pack(p.Name) {
			if !decides.MatchString(q.Sentence) || q.Withdrawn != "" {
				continue
			}
			own := blockTable(q.Why)
			switch {
			case own == nil && !namesTable(t, q):
				t.report("table", "spec/"+q.File, q.Line, "%s speaks of a table, and its block has none: write it below, or name in the sentence the block that has it", q.ID)
			case own != nil && q.Testable():
				t.rowsShown(q, own, titles)
			}
		}
	}
}

// namesTable reports whether the sentence of a requirement names another one with a table.
func namesTable(t *tree, q spec.Requirement) bool {
	for _, m := range idSpan.FindAllStringSubmatch(q.Sentence, -1) {
		if other, known := t.requirement(m[1]); known && blockTable(other.Why) != nil {
			return true
		}
	}
	return false
}

// rowsShown checks the last column of a table that decides.
func (t *tree) rowsShown(q spec.Requirement, table [][]string, titles map[string]bool) {
	report := func(format string, args ...any) { t.report("table", "spec/"+q.File, q.Line, format, args...) }
	if head := table[0]; head[len(head)-1] != "scenario" {
		report("the last column of the table of %s is %q, expected the scenario of each row", q.ID, head[len(head)-1])
		return
	}
	for _, row := range table[1:] {
		cell := row[len(row)-1]
		if reason, none := strings.CutPrefix(cell, "none: "); none && reason != "" {
			continue
		}
		if title := strings.Trim(cell, "`"); !titles[title] {
			report("the row %q of the table of %s names the scenario %q, which doesn't exist", row[0], q.ID, title)
		}
	}
}

// blockTable is the first table of a Markdown text, its head first; nil if there is none.
func blockTable(text string) [][]string {
	var table [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "|-"):
		case strings.HasPrefix(line, "|"):
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			table = append(table, cells)
		case table != nil:
			return table
		}
	}
	return table
}
