package lint

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/spec"
)

// edge is an arrow of a diagram: its position and its label, "" if it has none.
type edge struct {
	line  int // from 1
	label string
}

// The arrows of the kinds of diagrams, and the ids in their labels. A line that no pattern matches draws no arrow.
var (
	// arrow matches an edge of a flowchart, with its label.
	arrow = regexp.MustCompile(`(?:-->|---|-\.->|==>)(?:\|"?([^|"]*)"?\|)?`)
	// transition matches an edge of a state diagram.
	transition = regexp.MustCompile(`^\S+\s*-->\s*[^\s:]+\s*(?::(.*))?$`)
	// message matches an arrow of a sequence diagram.
	message = regexp.MustCompile(`^[^\s:>-]+\s*(?:<<)?--?(?:>>|>|\)|x)[+-]?\s*[^\s:>-]+\s*(?::(.*))?$`)
	// short matches the id of a requirement, with or without its pack.
	short = regexp.MustCompile(`^[a-z0-9-]+\.[a-z0-9-]+(?:\.[a-z0-9-]+)?$`)
)

// diagrams: every arrow of a diagram ends with the ids of the requirements that demand it, and a scenario proves each of them.
// No scenario proves a requirement on readers or on the kit.
func diagrams(t *tree) {
	if t.book == nil {
		return
	}
	for _, file := range t.pages() {
		text, err := fs.ReadFile(t.in.Spec, file)
		if err != nil {
			continue // spec reports it
		}
		edges, unknown := diagramEdges(string(text))
		for _, e := range unknown {
			t.report("diagram", "spec/"+file, e.line, "the diagram begins with %q, expected flowchart, stateDiagram-v2 or sequenceDiagram", e.label)
		}
		for _, e := range edges {
			ids := labelIDs(e.label)
			if len(ids) == 0 {
				t.report("diagram", "spec/"+file, e.line, "the arrow %q names no requirement, expected its id after a middle dot", e.label)
			}
			for _, id := range ids {
				t.demanded(file, e, id)
			}
		}
	}
}

// pages lists the Markdown files of the packs that are looked at, and those that belong to no pack.
func (t *tree) pages() []string {
	var out []string
	for _, pattern := range []string{"*.md", "*/*.md"} {
		files, _ := fs.Glob(t.in.Spec, pattern) // the pattern is none of the kind that has errors
		for _, file := range files {
			if !strings.Contains(file, "/") || t.listed(packOf(file)) {
				out = append(out, file)
			}
		}
	}
	return out
}

// demanded reports an id of a diagram that no requirement has or no scenario proves.
func (t *tree) demanded(file string, e edge, id string) {
	found := slices.DeleteFunc(slices.Clone(t.book.Requirements), func(q spec.Requirement) bool {
		inPack := !strings.Contains(file, "/") || q.Pack == packOf(file)
		return q.ID != id && (!inPack || q.ID != q.Pack+"."+id)
	})
	switch {
	case len(found) == 0:
		t.report("diagram", "spec/"+file, e.line, "the arrow %q names %s, which is no requirement", e.label, id)
	case found[0].Role == spec.RoleServer && !t.partial() && !t.hasScenario(found[0]):
		t.report("diagram", "spec/"+file, e.line, "the arrow %q names %s, which no scenario proves", e.label, id)
	}
}

// hasScenario reports whether a scenario of its pack is about a requirement.
func (t *tree) hasScenario(q spec.Requirement) bool {
	for _, p := range t.packs {
		for _, sc := range p.scenarios {
			if sc.Requirement == q.ID {
				return true
			}
		}
	}
	return false
}

// labelIDs lists the ids that a label ends with.
func labelIDs(label string) []string {
	_, after, found := strings.Cut(label, " · ")
	if !found {
		return nil
	}
	var ids []string
	for _, part := range strings.FieldsFunc(after, func(r rune) bool { return r == '·' || r == ',' }) {
		part = strings.TrimSpace(part)
		if short.MatchString(part) {
			ids = append(ids, part)
		} else {
			ids = nil // ids before other text aren't at the end
		}
	}
	return ids
}

// diagramEdges lists the arrows of the diagrams of a Markdown text. Of a diagram of a kind that lint doesn't read it gives the
// first word instead.
func diagramEdges(text string) (edges, unknown []edge) {
	kind, within := "", false
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			kind, within = "", line == "```mermaid" && !within
		case !within || line == "" || strings.HasPrefix(line, "%%"):
		case kind == "":
			kind, _, _ = strings.Cut(line, " ")
			if !slices.Contains([]string{"flowchart", "graph", "stateDiagram", "stateDiagram-v2", "sequenceDiagram"}, kind) {
				unknown = append(unknown, edge{number, kind})
			}
		default:
			for _, label := range edgeLabels(kind, line) {
				edges = append(edges, edge{number, strings.TrimSpace(label)})
			}
		}
	}
	return edges, unknown
}

// edgeLabels lists the labels of the arrows that a line of a diagram draws.
func edgeLabels(kind, line string) []string {
	var pattern *regexp.Regexp
	switch kind {
	case "flowchart", "graph":
		pattern = arrow
	case "stateDiagram", "stateDiagram-v2":
		pattern = transition
	case "sequenceDiagram":
		pattern = message
	default:
		return nil
	}
	var labels []string
	for _, m := range pattern.FindAllStringSubmatch(line, -1) {
		labels = append(labels, m[1])
	}
	return labels
}
