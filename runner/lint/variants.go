package lint

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/spec"
)

// variantFolder is reported as the file of a variant, which is code.
const variantFolder = "reference/variant"

// variants: every variant has a unique name and names the freedom that allows it, its warnings are on SHOULDs, and every
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
			// A config may make a MUST a SHOULD: its sentence says so.
			if q, known := t.requirement(id); !known || !q.Testable() || !q.Level.Advisory() && !strings.Contains(q.Sentence, "is a warning where the configuration declares") {
				report("%s warns of %q, which is no SHOULD that can be tested", v.Name, id)
			}
		}
	}
	for _, q := range t.book.Requirements {
		t.freedoms(q, rows)
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
		t.rowsBelow(pack, "Accepted alternatives", func(file string, line int, cells []string) {
			if len(cells) < 3 {
				return
			}
			t.usedBy(file, line, cells[0], cells[2:], names)
		})
	}
}

// freedoms: the freedoms that a requirement names are SHOULDs, MAYs, or rows of a rationale.
func (t *tree) freedoms(q spec.Requirement, rows map[string]bool) {
	for _, name := range q.Freedoms {
		if free, known := t.requirement(name); !rows[name] && (!known || free.Level.Mandatory()) {
			t.report("freedom", "spec/"+q.File, q.Line, "%s names the freedom %q, which is no SHOULD, no MAY and no row of a rationale", q.ID, name)
		}
	}
}

// guesses: every question that implementers had to guess has an answer, the line of the source, and a requirement or a
// variant that shows it. An answer "either" has a variant with the other choice.
func guesses(t *tree) {
	if t.book == nil {
		return
	}
	names := map[string]bool{}
	for _, v := range t.in.Variants {
		names[v.Pack+" "+v.Name] = true
	}
	for _, pack := range t.book.Packs() {
		t.rowsBelow(pack, "What implementers had to guess", func(file string, line int, cells []string) {
			if len(cells) != 4 || slices.Contains(cells, "") {
				t.report("guess", file, line, "expected a question, an answer, the line of the source and what shows it")
				return
			}
			shown, varied := false, false
			for i, name := range strings.Split(cells[3], "`") {
				_, known := t.requirement(name)
				switch isVariant := names[pack+" "+name]; {
				case i%2 == 0: // between code spans
				case !known && !isVariant:
					t.report("guess", file, line, "%q names %q, which is neither a requirement nor a variant of %s", cells[0], name, pack)
				default:
					shown, varied = true, varied || isVariant
				}
			}
			switch {
			case !shown:
				t.report("guess", file, line, "nothing is named that shows the answer to %q", cells[0])
			case strings.HasPrefix(cells[1], "either") && !varied:
				t.report("guess", file, line, "no variant is named that answers %q in another way than the reference", cells[0])
			}
		})
	}
}

// rowsBelow visits the rows of the tables below a heading of a rationale, whose absence is a problem of the spec.
func (t *tree) rowsBelow(pack, heading string, visit func(file string, line int, cells []string)) {
	file := pack + "/rationale.md"
	text, err := fs.ReadFile(t.in.Spec, file)
	if err != nil {
		return
	}
	within, line, inBody := false, 0, false
	for row := range strings.Lines(string(text)) {
		line++
		if strings.HasPrefix(row, "#") {
			within = strings.Trim(row, "# \n") == heading
		}
		row = strings.TrimSpace(row)
		if !strings.HasPrefix(row, "|") {
			inBody = false
			continue
		}
		if strings.HasPrefix(row, "|-") {
			inBody = true
			continue
		}
		if !within || !inBody {
			continue
		}
		cells := strings.Split(strings.Trim(row, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		visit("spec/"+file, line, cells)
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

// rationaleRows returns the first cells of all rows of all rationales.
func (t *tree) rationaleRows() map[string]bool {
	rows := map[string]bool{}
	for _, pack := range t.book.Packs() {
		text, err := fs.ReadFile(t.in.Spec, pack+"/rationale.md")
		if err != nil {
			continue // its absence is a problem of the spec
		}
		for line := range strings.Lines(string(text)) {
			if cells := strings.Split(line, "|"); len(cells) > 2 && cells[0] == "" {
				row := strings.TrimSpace(cells[1])
				rows[row], rows[strings.ReplaceAll(row, "`", "")] = true, true // an attribute is a code span itself
			}
		}
	}
	return rows
}
