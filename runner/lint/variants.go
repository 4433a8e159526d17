package lint

import (
	"io/fs"
	"strings"

	"github.com/streamcert/streamcert/spec"
)

// variantFolder stands for the place of a variant, which is code.
const variantFolder = "reference/variant"

// variants: every variant has a name of its own and names the place that allows it, what it warns of is advice, and every
// MAY has a variant.
func variants(t *tree) {
	if t.book == nil {
		return
	}
	rows := t.rationaleRows()
	names, used := map[string]bool{}, map[string]bool{}
	for _, v := range t.in.Variants {
		report := func(format string, args ...any) { t.report("variant", variantFolder, 0, format, args...) }
		if v.Name == "" || names[v.Name] {
			report("the name %q is empty or belongs to two variants", v.Name)
		}
		names[v.Name], used[v.Freedom] = true, true
		if _, known := t.requirement(v.Freedom); !known && !rows[v.Freedom] {
			report("%s is allowed by %q, which is neither a requirement nor a row of a rationale", v.Name, v.Freedom)
		}
		for _, id := range v.Warns {
			if q, known := t.requirement(id); !known || !q.Level.Advisory() || !q.Testable() {
				report("%s warns of %q, which is no SHOULD that can be tested", v.Name, id)
			}
		}
	}
	for _, q := range t.book.Requirements {
		if q.Level == spec.May && q.Testable() && !used[q.ID] {
			t.report("variant-missing", "spec/"+q.File, q.Line, "%s is a MAY and no variant uses it", q.ID)
		}
	}
}

// rationaleRows is the first cells of all rows of all rationales.
func (t *tree) rationaleRows() map[string]bool {
	rows := map[string]bool{}
	for _, pack := range t.book.Packs() {
		text, err := fs.ReadFile(t.in.Spec, pack+"/rationale.md")
		if err != nil {
			continue // its absence is a problem of the spec
		}
		for line := range strings.Lines(string(text)) {
			if cells := strings.Split(line, "|"); len(cells) > 2 && cells[0] == "" {
				rows[strings.TrimSpace(cells[1])] = true
			}
		}
	}
	return rows
}
