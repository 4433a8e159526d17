package diagram_test

import (
	"encoding/xml"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/site/diagram"
	"github.com/streamcert/streamcert/spec"
)

func links(id string) string { return "#" + id }

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		nodes []diagram.Node
		want  []diagram.Arrow
	}{
		"sequence": {
			"sequenceDiagram\n  participant A as Writer\n  %% a comment\n  A->>B: asks · words.ask\n  B--xA: is cut, x · y · words.cut, toy.words.all\n  Note over B: waits\n",
			[]diagram.Node{{ID: "A", Label: "Writer"}, {ID: "B", Label: "B"}},
			[]diagram.Arrow{
				{From: "A", To: "B", Text: "asks", IDs: []string{"words.ask"}, Line: 4},
				{From: "B", To: "A", Text: "is cut, x · y", IDs: []string{"words.cut", "toy.words.all"}, Answer: true, Lost: true, Line: 5},
				{From: "B", To: "B", Text: "waits", Note: true, Line: 6},
			},
		},
		"states": {
			"stateDiagram-v2\n  [*] --> reading: attach · a.b\n  reading --> reading: more · a.c\n",
			[]diagram.Node{{ID: "[*]", Label: "[*]", Begin: true}, {ID: "reading", Label: "reading"}},
			[]diagram.Arrow{
				{From: "[*]", To: "reading", Text: "attach", IDs: []string{"a.b"}, Line: 2},
				{From: "reading", To: "reading", Text: "more", IDs: []string{"a.c"}, Line: 3},
			},
		},
		"a graph, whose node for staying becomes a loop": {
			"flowchart TD\n  begin((\" \")) -->|\"opened · a.b\"| active\n  active -->|\"chunks · a.c\"| active1([\"still active\"])\n  active -->|\"end · a.d\"| ended[\"is over\"]\n",
			[]diagram.Node{{ID: "begin", Label: " ", Begin: true}, {ID: "active", Label: "active"}, {ID: "ended", Label: "is over"}},
			[]diagram.Arrow{
				{From: "begin", To: "active", Text: "opened", IDs: []string{"a.b"}, Line: 2},
				{From: "active", To: "active", Text: "chunks", IDs: []string{"a.c"}, Line: 3},
				{From: "active", To: "ended", Text: "end", IDs: []string{"a.d"}, Line: 4},
			},
		},
	} {
		d, err := diagram.Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.nodes, d.Nodes) + cmp.Diff(c.want, d.Arrows); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestParseNamesTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"pie\n":                                       `line 1 of a diagram: it begins with "pie"`,
		"sequenceDiagram\n\n  loop forever\n":         `line 3 of a diagram: "loop forever" is no arrow`,
		"flowchart TD\n  a --> b\n":                   `line 2`,
		"stateDiagram-v2\n  reading\n":                `line 2`,
		"sequenceDiagram\n  participant A as Alone\n": `has no arrow`,
		"": `has no arrow`,
	} {
		if _, err := diagram.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestSpecIsDrawn: every diagram of the specification is drawn, as well-formed XML that shows every arrow and leads to the
// requirement that demands it.
func TestSpecIsDrawn(t *testing.T) {
	n := 0
	err := fs.WalkDir(spec.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(spec.FS, name)
		if err != nil {
			return err
		}
		for _, block := range strings.Split(string(text), "```mermaid\n")[1:] {
			source, _, _ := strings.Cut(block, "```")
			n++
			drawn, err := diagram.Parse(source)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			svg := drawn.SVG(links)
			if err := wellFormed(svg); err != nil {
				t.Errorf("%s: %v\n%s", name, err, svg)
			}
			for _, a := range drawn.Arrows {
				if !a.Note && (len(a.IDs) == 0 || !strings.Contains(svg, `href="#`+a.IDs[0]+`"`)) {
					t.Errorf("%s: the arrow %q leads nowhere", name, a.Text)
				}
			}
		}
		return nil
	})
	if err != nil || n < 9 {
		t.Errorf("%d diagrams, %v", n, err)
	}
}

func wellFormed(svg string) error {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestTextsAreEscaped: nothing in a diagram becomes markup.
func TestTextsAreEscaped(t *testing.T) {
	d, err := diagram.Parse("sequenceDiagram\n  participant A as <b>&\"\n  A->>A: </text><script>x · a.b\n")
	if err != nil {
		t.Fatal(err)
	}
	svg := d.SVG(links)
	if err := wellFormed(svg); err != nil || strings.Contains(svg, "<script") || strings.Contains(svg, "<b>") {
		t.Error(err, svg)
	}
}
