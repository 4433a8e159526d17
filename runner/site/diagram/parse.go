package diagram

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Diagram is one diagram as it was read.
type Diagram struct {
	Sequence bool    // it shows messages in time; otherwise it is a graph
	Nodes    []Node  // participants from left to right, or the nodes of a graph in the order of their first mention
	Arrows   []Arrow // from top to bottom
}

// Node is a participant or a state.
type Node struct {
	ID, Label string
	Begin     bool // where a graph begins: a dot without a label
}

// Arrow is one message, transition or note.
type Arrow struct {
	From, To string   // ids of nodes; of a note both are its participant
	Text     string   // without the ids
	IDs      []string // of the requirements that demand it, as written: with or without the name of the pack
	Answer   bool     // drawn as an answer, dashed
	Lost     bool     // it doesn't arrive
	Note     bool     // a note instead of an arrow
	Line     int      // of the text, from 1
}

var (
	participant = regexp.MustCompile(`^(?:participant|actor)\s+(\S+)(?:\s+as\s+(.+))?$`)
	message     = regexp.MustCompile(`^(\w+)\s*(--?)(>>|x|\))\s*(\w+)\s*:\s*(.*)$`)
	note        = regexp.MustCompile(`^Note over (\w+):\s*(.*)$`)
	transition  = regexp.MustCompile(`^(\S+)\s*-->\s*([^\s:]+)\s*:\s*(.*)$`)
	edge        = regexp.MustCompile(`^(\w+)(\S*(?:\(\(|\(\[|\[|\(|\{)".*?"(?:\)\)|\]\)|\]|\)|\}))?\s*-->\|"([^"]*)"\|\s*(\w+)(.*)$`)
	quoted      = regexp.MustCompile(`"([^"]*)"`)
	short       = regexp.MustCompile(`^[a-z0-9-]+\.[a-z0-9-]+(?:\.[a-z0-9-]+)?$`)
)

// still is the prefix of the label of a node that represents staying in the state before.
const still = "still "

// Parse reads the text of one diagram. The error names the line, from 1, that isn't of the language.
func Parse(text string) (Diagram, error) {
	var d Diagram
	read := (*Diagram).edge
	kind := ""
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "%%"):
			continue
		case kind == "":
			kind, _, _ = strings.Cut(line, " ")
			switch kind {
			case "sequenceDiagram":
				d.Sequence, read = true, (*Diagram).message
			case "stateDiagram-v2", "stateDiagram":
				read = (*Diagram).transition
			case "flowchart", "graph":
			default:
				return d, fmt.Errorf("line %d of a diagram: it begins with %q, expected flowchart, stateDiagram-v2 or sequenceDiagram", number, kind)
			}
			continue
		}
		if !read(&d, line, number) {
			return d, fmt.Errorf("line %d of a diagram: %q is no arrow, participant or note that is known here", number, line)
		}
	}
	if len(d.Arrows) == 0 {
		return d, fmt.Errorf("a diagram of %d lines has no arrow", number)
	}
	d.fold()
	return d, nil
}

func (d *Diagram) message(line string, number int) bool {
	if m := participant.FindStringSubmatch(line); m != nil {
		label := m[2]
		if label == "" {
			label = m[1]
		}
		d.node(m[1], label)
		return true
	}
	if m := note.FindStringSubmatch(line); m != nil {
		d.node(m[1], "")
		d.Arrows = append(d.Arrows, Arrow{From: m[1], To: m[1], Text: m[2], Note: true, Line: number})
		return true
	}
	m := message.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	d.node(m[1], "")
	d.node(m[4], "")
	d.arrow(Arrow{From: m[1], To: m[4], Answer: m[2] == "--", Lost: m[3] == "x", Line: number}, m[5])
	return true
}

func (d *Diagram) transition(line string, number int) bool {
	m := transition.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	for _, id := range m[1:3] {
		d.node(id, id)
		d.Nodes[d.index(id)].Begin = id == "[*]"
	}
	d.arrow(Arrow{From: m[1], To: m[2], Line: number}, m[3])
	return true
}

func (d *Diagram) edge(line string, number int) bool {
	m := edge.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	d.shaped(m[1], m[2])
	d.shaped(m[4], m[5])
	d.arrow(Arrow{From: m[1], To: m[4], Line: number}, m[3])
	return true
}

// shaped adds a node of a flowchart with the label of its shape, if it has one here.
func (d *Diagram) shaped(id, shape string) {
	label := id
	if m := quoted.FindStringSubmatch(shape); m != nil {
		label = m[1]
	}
	d.node(id, label)
	n := &d.Nodes[d.index(id)]
	if shape != "" {
		n.Label = label
	}
	n.Begin = strings.TrimSpace(n.Label) == ""
}

// arrow adds an arrow whose label ends with ids after a middle dot.
func (d *Diagram) arrow(a Arrow, label string) {
	a.Text = strings.TrimSpace(label)
	if text, ids, ok := splitLast(label, " · "); ok {
		for _, id := range strings.Split(ids, ",") {
			if id = strings.TrimSpace(id); short.MatchString(id) {
				a.IDs = append(a.IDs, id)
			}
		}
		if len(a.IDs) > 0 {
			a.Text = strings.TrimSpace(text)
		}
	}
	d.Arrows = append(d.Arrows, a)
}

func splitLast(s, separator string) (before, after string, ok bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

// node adds a node that wasn't mentioned before.
func (d *Diagram) node(id, label string) {
	if d.index(id) >= 0 {
		return
	}
	if label == "" {
		label = id
	}
	d.Nodes = append(d.Nodes, Node{ID: id, Label: label})
}

func (d *Diagram) index(id string) int {
	return slices.IndexFunc(d.Nodes, func(n Node) bool { return n.ID == id })
}

// Label returns the label of a node, "the start" for where a graph begins.
func (d *Diagram) Label(id string) string {
	i := d.index(id)
	switch {
	case i < 0:
		return id
	case d.Nodes[i].Begin:
		return "the start"
	}
	return d.Nodes[i].Label
}

// fold turns arrows to a node that represents staying in a state into loops: the language of flowcharts has them as
// separate nodes.
func (d *Diagram) fold() {
	if d.Sequence {
		return
	}
	for i, a := range d.Arrows {
		if !strings.HasPrefix(d.Label(a.To), still) || d.leaves(a.To) {
			continue
		}
		d.Nodes = slices.DeleteFunc(d.Nodes, func(n Node) bool { return n.ID == a.To })
		d.Arrows[i].To = a.From
	}
}

func (d *Diagram) leaves(id string) bool {
	return slices.ContainsFunc(d.Arrows, func(a Arrow) bool { return a.From == id })
}
