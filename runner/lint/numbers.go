package lint

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/spec"
)

// quantity matches a number with a unit, such as 15 s or 16MiB, and the largest integer that a double represents exactly.
var quantity = regexp.MustCompile(`\b(\d+(?:\.\d+)?) ?(ms|s|min|h|KiB|MiB|GiB)\b|\b(2\^53 - 1|9007199254740991)\b`)

// configSchema is the schema of configs, with their limits and defaults.
const configSchema = "config.json"

// numbers: a quantity in a sentence occurs in its scenarios, or in the schemas that name the requirement, and one in a
// scenario occurs in the sentence; if no scenario can prove the requirement, it occurs in the schema of configs.
func numbers(t *tree) {
	if t.book == nil || t.partial() {
		return
	}
	config, err := fs.ReadFile(t.in.Schemas, configSchema)
	if err != nil {
		config = nil // a kit without one declares nothing
	}
	declared := quantities(string(config))
	for _, p := range t.packs {
		for _, q := range t.book.Pack(p.Name) {
			said := quantities(q.Sentence)
			if len(said) == 0 || q.Withdrawn != "" {
				continue
			}
			if !q.Testable() {
				t.declares(q, said, declared)
				continue
			}
			t.plays(p, q, said)
		}
	}
}

// declares reports the quantities of a sentence that the schema of the config doesn't have.
func (t *tree) declares(q spec.Requirement, said, declared []string) {
	for _, one := range said {
		if !slices.Contains(declared, one) {
			t.report("number", "spec/"+q.File, q.Line, "%s says %s, and schemas/%s doesn't", q.ID, one, configSchema)
		}
	}
}

// plays reports the quantities that a sentence and its scenarios don't share.
func (t *tree) plays(p *pack, q spec.Requirement, said []string) {
	var played []string
	for _, sc := range p.scenarios {
		if sc.Requirement != q.ID {
			continue
		}
		var text strings.Builder
		for _, row := range sc.Rows {
			for _, st := range row.Steps {
				text.WriteString(st.Text + "\n")
			}
		}
		here := quantities(text.String())
		for _, one := range here {
			if !slices.Contains(said, one) {
				t.report("number", "features/"+sc.File, sc.Line, "the scenario %q says %s, and %s says %s", sc.Title, one, q.ID, strings.Join(said, ", "))
			}
		}
		played = append(played, here...)
	}
	played = append(played, schematic(t.in.Schemas, q)...)
	for _, one := range said {
		if !slices.Contains(played, one) {
			t.report("number", "spec/"+q.File, q.Line, "%s says %s, and no scenario or schema of it does", q.ID, one)
		}
	}
}

// schematic lists the quantities of the schema files that name a requirement.
func schematic(schemas fs.FS, q spec.Requirement) []string {
	var out []string
	for _, pattern := range []string{"/*.json", "/*/*.json"} {
		files, _ := fs.Glob(schemas, q.Pack+pattern) // the pattern is none of the kind that has errors
		for _, file := range files {
			text, err := fs.ReadFile(schemas, file)
			if err == nil && strings.Contains(string(text), `"requirement `+q.ID+`"`) {
				out = append(out, quantities(string(text))...)
			}
		}
	}
	return out
}

// quantities lists the numbers with units of a text, each once and written one way.
func quantities(text string) []string {
	var out []string
	for _, m := range quantity.FindAllStringSubmatch(text, -1) {
		one := m[1] + " " + m[2]
		if m[3] != "" {
			one = "2^53 - 1"
		}
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}
