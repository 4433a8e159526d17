package helix_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// page is the view of a stream in a reader: the state and the parts of the root agent. It implements the specification
// independently of the server's fold, with which the tests compare it.
type page struct {
	root  string
	state any
	parts []shownPart
}

// shownPart is one piece of text, one block of reasoning or one call.
type shownPart struct {
	Type, Text, ID, State, Result string
	open                          bool // a block of reasoning to which more is added
	step                          int  // of the chunk that began it, -1 for none
	stepComplete                  bool // its step is complete
	partial                       bool // it comes from the partial message of a snapshot, which names no step
}

// logged is a stored event as a reader gets it.
type logged struct {
	sequence int64
	terminal bool
	members  map[string]any
}

func loggedOf(events []store.Event) []logged {
	var out []logged
	for _, e := range events {
		l := logged{sequence: e.Sequence, terminal: e.Kind.Terminal()}
		if !l.terminal {
			_ = json.Unmarshal(e.Chunk.JSON, &l.members) // the test wrote it
		}
		out = append(out, l)
	}
	return out
}

func (l logged) word(name string) string { word, _ := l.members[name].(string); return word }

func (l logged) number(name string) int64 {
	n, ok := l.members[name].(float64)
	if !ok {
		return -1
	}
	return int64(n)
}

// upTo returns the events at or below a sequence.
func upTo(events []logged, sequence int64) []logged {
	n := slices.IndexFunc(events, func(e logged) bool { return e.sequence > sequence })
	if n < 0 {
		return events
	}
	return events[:n]
}

// read returns the page after events on top of the page at a sequence. It returns false if one of them rolls back more than
// the page has received, so that the page needs another snapshot.
func (p page) read(events []logged, since int64) (page, bool) {
	now := page{p.root, p.state, slices.Clone(p.parts)}
	for i, e := range events {
		if e.word("type") != "stream_resync" {
			now.receive(e)
			continue
		}
		from := e.number("fromSequence")
		if from < since {
			return now, false
		}
		now, _ = p.read(upTo(events[:i], from), since)
		now.root = e.word("agentId")
	}
	return now, true
}

// receive shows one event.
func (p *page) receive(e logged) {
	if e.terminal {
		p.keep(func(shownPart) bool { return true })
		return
	}
	if p.root == "" {
		p.root = e.word("agentId")
	}
	if e.word("agentId") != p.root {
		return
	}
	step := int(e.number("step"))
	switch e.word("type") {
	case "state_patch":
		p.state = patched(p.state, e.members["patches"])
	case "text_delta":
		if delta := e.word("delta"); delta != "" {
			p.parts = append(p.parts, shownPart{Type: "text", Text: delta, step: step})
		}
	case "thinking":
		p.think(e.word("content"), e.members["isComplete"] == true, step)
	case "tool_start":
		p.parts = append(p.parts, shownPart{Type: "tool", ID: e.word("toolCallId"), State: "executing", step: step})
	case "tool_end":
		for i, part := range slices.Backward(p.parts) {
			if part.ID == e.word("toolCallId") && part.State == "executing" {
				p.parts[i].State = map[bool]string{true: "completed", false: "error"}[e.members["success"] == true]
				p.parts[i].Result = fmt.Sprint(e.members["result"], e.word("error"))
				break
			}
		}
	case "checkpoint_created":
		count := int(e.number("stepCount"))
		p.keep(func(part shownPart) bool { return part.step <= count })
	case "step_committed":
		p.keep(func(part shownPart) bool { return step < 0 || part.step <= step })
	case "step_discarded":
		p.parts = slices.DeleteFunc(p.parts, func(part shownPart) bool {
			return !part.stepComplete && (part.partial || part.step == step)
		})
	}
}

// keep makes parts of complete steps permanent. A checkpoint that comes after a snapshot covers the step that was open.
func (p *page) keep(covered func(shownPart) bool) {
	for i, part := range p.parts {
		p.parts[i].stepComplete = part.stepComplete || part.partial || covered(part)
	}
}

func (p *page) think(content string, closes bool, step int) {
	i := slices.IndexFunc(p.parts, func(part shownPart) bool { return part.open })
	if i < 0 {
		if content == "" {
			return
		}
		i = len(p.parts)
		p.parts = append(p.parts, shownPart{Type: "reasoning", open: true, step: step})
	}
	switch {
	case !closes:
		p.parts[i].Text += content
	case content != "":
		p.parts[i].Text = content
	}
	p.parts[i].open = !closes
}

// pageOf returns the page of a snapshot, before any chunk.
func pageOf(s helix.Snapshot, root string) page {
	p := page{root: root, state: decoded(s.State)}
	for _, m := range s.Messages {
		partial := strings.HasSuffix(m.ID, "-partial")
		for _, part := range m.Parts {
			shown := shownPart{Type: part.Type, Text: part.Text, ID: part.ToolCallID, State: part.State, stepComplete: !partial, partial: partial}
			if part.Type == "reasoning" {
				shown.State, shown.open = "", part.State == "streaming"
			}
			if part.State == "completed" || part.State == "error" {
				shown.Result = fmt.Sprint(decoded(part.Result), part.Error)
			}
			p.parts = append(p.parts, shown)
		}
	}
	return p
}

// String returns the content of the page as text. Adjacent text parts are joined.
func (p page) String() string {
	var b strings.Builder
	state, _ := json.Marshal(p.state)
	fmt.Fprintf(&b, "%s", state)
	last := ""
	for _, part := range p.parts {
		if part.Type != "text" || last != "text" {
			fmt.Fprintf(&b, "\n%s %s %s %s: ", part.Type, part.ID, part.State, part.Result)
		}
		b.WriteString(part.Text)
		last = part.Type
	}
	return b.String()
}

func decoded(raw json.RawMessage) (v any) {
	_ = json.Unmarshal(raw, &v) // nil for a missing one
	return v
}

// patched applies operations on members of an object and on lists among them, all or none.
func patched(state, operations any) any {
	raw, _ := json.Marshal(state)
	next, _ := decoded(raw).(map[string]any)
	list, _ := operations.([]any)
	for _, o := range list {
		operation := o.(map[string]any)
		key, item, inList := strings.Cut(strings.TrimPrefix(operation["path"].(string), "/"), "/")
		value, there := next[key]
		items, isList := value.([]any)
		switch op := operation["op"]; {
		case inList && op == "add" && item == "-" && isList:
			next[key] = append(items, operation["value"])
		case inList && op == "remove" && isList:
			n, err := strconv.Atoi(item)
			if err != nil || n >= len(items) {
				return state
			}
			next[key] = slices.Delete(items, n, n+1)
		case !inList && (op == "add" || op == "replace" && there):
			next[key] = operation["value"]
		case !inList && op == "remove" && there:
			delete(next, key)
		default:
			return state
		}
	}
	return next
}
