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
		if v.Name == "" || names[v.Pack+" "+v.Name] {
			report("the name %q is empty or belongs to two variants", v.Name)
		}
		names[v.Pack+" "+v.Name], used[v.Freedom] = true, true
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
		if q.Level == spec.May && q.Testable() && t.listed(q.Pack) && !used[q.ID] {
			t.report("variant-missing", "spec/"+q.File, q.Line, "%s is a MAY and no variant uses it", q.ID)
		}
	}
}

// accepted: every alternative that a rationale accepts names the variants that use it, and they are in the catalogue.
func accepted(t *tree) {
	if t.book == nil {
		return
	}
	names := map[string]bool{}
	for _, v := range t.in.Variants {
		names[v.Name] = true
	}
	for _, pack := range t.book.Packs() {
		file := pack + "/rationale.md"
		text, err := fs.ReadFile(t.in.Spec, file)
		if err != nil {
			continue // its absence is a problem of the spec
		}
		within, line := false, 0
		for row := range strings.Lines(string(text)) {
			line++
			if strings.HasPrefix(row, "#") {
				within = strings.Trim(row, "# \n") == "Accepted alternatives"
			}
			cells := strings.Split(strings.TrimSpace(row), "|")
			if !within || len(cells) < 4 || cells[0] != "" || strings.HasPrefix(cells[1], "-") || strings.TrimSpace(cells[1]) == "on" {
				continue
			}
			t.usedBy("spec/"+file, line, strings.TrimSpace(cells[1]), cells[3:], names)
		}
	}
}

// usedBy checks the cell of a row that names its variants.
func (t *tree) usedBy(file string, line int, on string, cells []string, names map[string]bool) {
	used := false
	for name := range strings.SplitSeq(cells[0], ",") {
		if name = strings.Trim(name, " `"); name == "" {
			continue
		}
		used = true
		if !names[name] {
			t.report("variant", file, line, "%q names %q, which is no variant", on, name)
		}
	}
	if !used {
		t.report("variant-missing", file, line, "no variant is named that uses what is accepted on %q", on)
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
