package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/patch"
)

func (t *Transcript) subagent(v *agentView, h foldedChunk) {
	own := members[struct {
		SubAgentType, SubSessionID string
		Result, Error              json.RawMessage
	}](h.Chunk)
	name := "agent " + own.SubAgentType
	switch {
	case h.Type == "subagent_start":
		t.value(v, "┌ ", bold, name+" · "+own.SubSessionID, nil)
		return
	case h.SubAgent == nil:
		name += " · " + own.SubSessionID + " done, its start wasn't seen"
	default:
		if t.siblings(h.SubAgent.ID.Hash, h.SubAgent.Depth) {
			name += " · " + own.SubSessionID
		}
		name += " done" + after(" in ", took(h.SubAgent.Time.N, h.Timestamp.N))
	}
	switch {
	case !empty(own.Error):
		t.value(v, "└ ", bad, strings.Replace(name, " done in", " failed after", 1)+": "+message(own.Error), nil)
	case empty(own.Result):
		t.value(v, "└ ", unusual, name+", without a result", nil)
	default:
		t.value(v, "└ ", bold, name+": ", own.Result)
	}
}

// patch writes the effect of a patch on the state of its agent.
func (t *Transcript) patch(v *agentView, h foldedChunk) {
	patches := frame.Member(h.Raw, "patches")
	var limit *patch.LimitError
	switch {
	case errors.As(h.Err, &limit):
		t.value(v, "! ", bad, "the state is not followed from here on: a patch makes it hold "+limit.Error()+" ", patches)
		return
	case h.Err != nil && !errors.Is(h.Err, fold.ErrLost):
		t.value(v, "! ", bad, "patch left out, it doesn't fit the state above: "+h.Err.Error()+" ", patches)
		return
	}
	for i, c := range h.changes {
		if i == 2*maxLines && len(h.changes) > i+1 {
			t.rule(v, "Δ ", dim, fmt.Sprintf("… and %d more operations", len(h.changes)-i))
			break
		}
		t.change(v, c)
	}
	if h.Err == nil {
		t.document(v, h.changes)
	}
}

func (t *Transcript) change(v *agentView, c change) {
	t.settle()
	m := t.margin(v)
	verb := "add"
	if c.Op == "replace" || c.Old != nil && !isElement(c.Path) {
		verb = "set"
	}
	path := or(c.Path, "the whole state")
	short := t.columns() / 4
	t.page.begin(m+"Δ ", m+"    ", unstyled)
	switch {
	case c.Op == "move" || c.Op == "copy":
		t.page.say(c.Op + " " + c.From + " to " + path)
	case c.Op == "remove" && c.Old != nil:
		t.page.as(unusual, "remove ")
		t.page.say(path + ", was " + abridged(c.Old, short))
	case c.Op == "remove" || c.Op == "test":
		t.page.say(c.Op + " " + path)
	default:
		t.page.as(unusual, verb+" ")
		t.page.say(path + ": ")
		if verb == "set" && c.Old != nil && c.Path != "" {
			t.page.as(dim, abridged(c.Old, short)+" → ")
		}
		t.page.json(bold, abridged(c.Value, short))
	}
	t.page.end()
}

// isElement reports whether a pointer's last token may be a position in an array,
// where add inserts.
func isElement(path string) bool {
	last := path[strings.LastIndex(path, "/")+1:]
	return last == "-" || strings.Trim(last, "0123456789") == ""
}

// document writes the state, its members that a patch touched painted.
func (t *Transcript) document(v *agentView, changes []change) {
	t.settle()
	m := t.margin(v)
	t.page.begin(m+"Δ ", m+"    ", dim)
	t.page.say("state is now ")
	state := t.fold.State(v.key)
	begin, complete := state.Prefix(4 * t.columns())
	text := shortened(string(begin), complete, int(state.Size()), t.columns())
	touched := map[string]bool{}
	for _, c := range changes {
		for _, path := range []string{c.Path, c.From} {
			if path != "" {
				name, _, _ := strings.Cut(path[1:], "/")
				touched[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)] = true
			}
		}
	}
	for _, part := range membersOf(text) {
		if touched[part.name] {
			t.page.json(bold, part.text)
		} else {
			t.page.json(unstyled, part.text)
		}
	}
	t.page.end()
}

// part is a piece of an object's text: one member with the separator after it.
type part struct{ name, text string }

// membersOf splits the text of an object, which may be shortened, at the commas
// between its members.
func membersOf(text string) []part {
	var out []part
	depth, from, quoted := 0, 0, false
	add := func(to int) {
		name := ""
		piece := text[from:to]
		if at := strings.IndexByte(piece, '"'); at >= 0 {
			_ = json.NewDecoder(strings.NewReader(piece[at:])).Decode(&name) // a name that is cut touches nothing
		}
		out, from = append(out, part{name, piece}), to
	}
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '\\' && quoted:
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			depth--
		case b == ',' && depth == 1:
			add(i + 1)
		}
	}
	add(len(text))
	return out
}

func (t *Transcript) checkpoint(v *agentView, h foldedChunk) {
	steps := h.Number("stepCount")
	if h.Type == "checkpoint_created" {
		t.rule(v, "─ ", dim, "checkpoint after step "+count(steps)+" · "+h.Text("checkpointId"))
		return
	}
	t.rule(v, "─ ", unusual, fmt.Sprintf("back to step %s: later work is void (%s)", count(steps), h.Text("reason")))
	if !h.Returned && steps != (frame.Number{OK: true}) {
		t.Note("that checkpoint isn't in what was read: its state isn't known, and taken to be {}")
	}
}
