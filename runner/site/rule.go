package site

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/explain"
	"github.com/streamcert/streamcert/runner/prove/listed"
	"github.com/streamcert/streamcert/runner/trace"
	"github.com/streamcert/streamcert/spec"
)

// ruleView is a requirement as its section shows it.
type ruleView struct {
	spec.Requirement
	Rank                       int // of its heading, one below that of the section
	Sentence, Why              template.HTML
	Free                       []linkView // its freedoms
	Origins                    []reason   // codes of where the rule comes from
	Notes                      []reason   // rows of the rationale that speak of it
	Scenarios                  []scenarioView
	Mutants                    []mutantView
	Variants                   []listed.Variant
	Keywords                   []linkView // of schemas
	ReferenceLines, JudgeLines []trace.Line
	Golden                     string        // file of its transcript, "" for none
	Example                    template.HTML // an exchange of the golden
}

// scenarioView is a scenario in the section of its requirement.
type scenarioView struct {
	Title, Location, Steps string
	Rows                   int
}

// mutantView is a mutant that breaks a requirement; Via is the requirement that it breaks on purpose, "" for this one.
type mutantView struct{ Name, Summary, Via, ViaTo string }

// linkView is a link; To is relative to the root of the site.
type linkView struct{ Text, To string }

// mostCode limits the lines of code of each kind that a requirement shows.
const mostCode = 12

// rule makes the section of a requirement.
func (b *book) rule(m *markdown, q spec.Requirement, rank int, nodes []ast.Node) (template.HTML, error) {
	v := ruleView{Requirement: q, Rank: rank}
	for _, name := range q.Freedoms {
		free := linkView{Text: name}
		if _, known := b.known[name]; known {
			free.To = b.requirement(name)
		}
		v.Free = append(v.Free, free)
	}
	var err error
	if v.Sentence, err = m.inline(nodes[0].FirstChild()); err != nil {
		return "", err
	}
	v.Sentence = marked(v.Sentence, q.Level)
	prose := nodes[1:]
	if len(prose) > 0 && isAttributes(m.doc, prose[0]) {
		prose = prose[1:]
	}
	if v.Why, err = m.render(prose...); err != nil {
		return "", err
	}
	e := b.known[q.ID]
	for _, code := range q.Origin {
		v.Origins = append(v.Origins, b.origin(q.Pack, code))
	}
	v.Notes = b.reasons[q.ID]
	b.proofs(&v, e)
	b.index = append(b.index, entry{q.ID, q.Sentence, b.requirement(q.ID), strings.ToLower(string(q.Level))})
	return b.part(m.page, "rule.html", v)
}

// marked sets the keyword of a sentence off.
func marked(sentence template.HTML, l spec.Level) template.HTML {
	before, after, ok := strings.Cut(string(sentence), string(l))
	if !ok {
		return sentence
	}
	return template.HTML(before + `<strong class="` + levelClass(l) + `">` + string(l) + "</strong>" + after)
}

// isAttributes reports whether a paragraph is the line of attributes of a requirement.
func isAttributes(doc *document, n ast.Node) bool {
	if n.Kind() != ast.KindParagraph || n.FirstChild() == nil || n.FirstChild().Kind() != ast.KindCodeSpan {
		return false
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok && strings.Trim(string(t.Segment.Value(doc.source)), " ·\n") != "" {
			return false
		}
	}
	return strings.Contains(doc.text(n.FirstChild()), ":")
}

// proofs adds the tests and code of a requirement to its text.
func (b *book) proofs(v *ruleView, e explain.Explanation) {
	for _, sc := range e.Scenarios {
		v.Scenarios = append(v.Scenarios, scenarioView{sc.Title, "features/" + sc.Location(), steps(sc), len(sc.Rows)})
	}
	for _, mu := range e.Mutants {
		view := mutantView{Name: mu.Name, Summary: mu.Summary}
		if mu.Requirement != v.ID {
			view.Via, view.ViaTo = mu.Requirement, b.requirement(mu.Requirement)
		}
		v.Mutants = append(v.Mutants, view)
	}
	v.Variants = b.variants[v.ID]
	for _, place := range e.Keywords {
		file, pointer, _ := strings.Cut(place, "#")
		to := b.schemas[file]
		if to == "" {
			to = v.Pack + "/schemas.html"
		}
		v.Keywords = append(v.Keywords, linkView{strings.TrimPrefix(file, "schemas/"+v.Pack+"/") + strings.ReplaceAll(pointer, "/", " / "), to})
	}
	v.ReferenceLines, v.JudgeLines = e.ReferenceLines[:min(len(e.ReferenceLines), mostCode)], e.JudgeLines[:min(len(e.JudgeLines), mostCode)]
	if e.Golden != "" {
		v.Golden = e.Golden
		v.Example = wire(string(golden.Format(golden.File{Transcripts: []golden.Transcript{e.Example}})))
		if len(v.Example) > mostExample {
			v.Example = shortened(string(golden.Format(golden.File{Transcripts: []golden.Transcript{e.Example}})))
		}
	}
}

// mostExample limits the bytes of an exchange that a requirement shows, at line ends.
const mostExample = 6000

// shortened shows the beginning of a long transcript.
func shortened(text string) template.HTML {
	lines := strings.SplitAfter(text, "\n")
	size, n := 0, 0
	for n < len(lines) && size+len(lines[n]) < mostExample {
		size += len(lines[n])
		n++
	}
	if n == 0 {
		lines[0] = strings.ToValidUTF8(lines[0][:mostExample], "") + " …"
		n = 1
	}
	return wire(strings.Join(lines[:n], "")) + template.HTML(fmt.Sprintf(`<p class="soft">… and %d more lines</p>`, len(lines)-n))
}

// steps writes the steps of a scenario a line each.
func steps(sc features.Scenario) string {
	var b strings.Builder
	for i, st := range sc.Steps {
		keyword := st.Keyword.String()
		if i > 0 && sc.Steps[i-1].Keyword == st.Keyword && st.Keyword != features.When {
			keyword = "And"
		}
		fmt.Fprintf(&b, "%s %s\n", keyword, st.Text)
	}
	return b.String()
}
