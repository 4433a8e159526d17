package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/patch"
)

func (t *Transcript) subagent(a *agent, c Chunk, show bool) {
	v := members[struct {
		SubAgentType, SubSessionID string
		Result                     json.RawMessage
		Error                      json.RawMessage
	}](c)
	if c.Type == "subagent_start" {
		t.settle()
		if show {
			t.value(a, "┌ ", bold, "agent "+v.SubAgentType+" · "+v.SubSessionID, nil)
		}
		t.fold.open(a, v.SubSessionID, v.SubAgentType, c.Timestamp)
		return
	}
	t.settle()
	name := "agent " + v.SubAgentType
	if child := t.fold.child(v.SubSessionID); child != nil {
		if t.fold.siblings(child) {
			name += " · " + child.id
		}
		name += " done" + after(" in ", took(child.began, c.Timestamp))
		delete(t.fold.agents, child.id)
	} else {
		name += " · " + v.SubSessionID + " done, its start wasn't seen"
	}
	if !show {
		return
	}
	switch {
	case !empty(v.Error):
		t.value(a, "└ ", bad, strings.Replace(name, " done in", " failed after", 1)+": "+message(v.Error), nil)
	case empty(v.Result):
		t.value(a, "└ ", odd, name+", without a result", nil)
	default:
		t.value(a, "└ ", bold, name+": ", v.Result)
	}
}

// patch applies a patch to the state of its agent and writes what it does.
func (t *Transcript) patch(a *agent, c Chunk, show bool) {
	v := members[struct{ Patches json.RawMessage }](c)
	changes, err := t.fold.patch(a, v.Patches)
	if !show {
		return
	}
	var limit *patch.LimitError
	switch {
	case errors.As(err, &limit):
		t.value(a, "! ", bad, "the state is not followed from here on: a patch makes it hold "+limit.Error()+" ", v.Patches)
		return
	case err != nil && !errors.Is(err, ErrLost):
		why := err
		if cause := errors.Unwrap(err); cause != nil {
			why = cause
		}
		t.value(a, "! ", bad, "patch left out, it doesn't fit the state above: "+why.Error()+" ", v.Patches)
		return
	}
	for i, change := range changes {
		if i == 2*maxLines && len(changes) > i+1 {
			t.rule(a, "Δ ", dim, fmt.Sprintf("… and %d more operations", len(changes)-i))
			break
		}
		t.change(a, change)
	}
	if err == nil {
		t.document(a, changes)
	}
}

func (t *Transcript) change(a *agent, c Change) {
	t.settle()
	m := t.margin(a)
	verb := "add"
	if c.Op == "replace" || c.Old != nil && !isElement(c.Path) {
		verb = "set"
	}
	path := or(c.Path, "the whole state")
	short := t.columns() / 4
	t.page.begin(m+"Δ ", m+"    ", plain)
	switch {
	case c.Op == "move" || c.Op == "copy":
		t.page.say(c.Op + " " + c.From + " to " + path)
	case c.Op == "remove" && c.Old != nil:
		t.page.as(odd, "remove ")
		t.page.say(path + ", was " + abridged(c.Old, short))
	case c.Op == "remove" || c.Op == "test":
		t.page.say(c.Op + " " + path)
	default:
		t.page.as(odd, verb+" ")
		t.page.say(path + ": ")
		if verb == "set" && c.Old != nil && c.Path != "" {
			t.page.as(dim, abridged(c.Old, short)+" → ")
		}
		t.page.json(bold, abridged(c.Value, short))
	}
	t.page.end()
}

// isElement says whether a pointer's last token may be a place in an array,
// where add inserts.
func isElement(path string) bool {
	last := path[strings.LastIndex(path, "/")+1:]
	return last == "-" || strings.Trim(last, "0123456789") == ""
}

// document writes the state, its members that a patch touched painted.
func (t *Transcript) document(a *agent, changes []Change) {
	t.settle()
	m := t.margin(a)
	t.page.begin(m+"Δ ", m+"    ", dim)
	t.page.say("state is now ")
	begin, whole, size := a.state.prefix(4 * t.columns())
	text := shortened(begin, whole, size, t.columns())
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
			t.page.json(plain, part.text)
		}
	}
	t.page.end()
}

// part is a piece of an object's text: one member with what separates it from
// the next.
type part struct{ name, text string }

// membersOf splits the text of an object, which may be cut, at the commas
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

func (t *Transcript) checkpoint(a *agent, c Chunk, show bool) {
	v := members[struct {
		CheckpointID, Reason string
		StepCount            *float64
	}](c)
	if c.Type == "checkpoint_created" {
		t.fold.mark(a, v.CheckpointID)
		if show {
			t.rule(a, "─ ", dim, "checkpoint after step "+count(number(v.StepCount))+" · "+v.CheckpointID)
		}
		return
	}
	t.settle()
	known := t.fold.back(a, v.CheckpointID)
	if show {
		t.rule(a, "─ ", odd, fmt.Sprintf("back to step %s: later work is void (%s)", count(number(v.StepCount)), v.Reason))
		if !known && number(v.StepCount) != 0 {
			t.Note("that checkpoint isn't in what was read: its state isn't known, and taken to be {}")
		}
	}
}
