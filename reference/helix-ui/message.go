package helixui

import (
	"maps"
	"slices"
	"strings"
)

// Message is one of a conversation, as a front end keeps it.
type Message struct {
	ID       string `json:"id"`                 // that of start for an assistant's
	Role     string `json:"role"`               // user or assistant
	Parts    []Part `json:"parts"`              // in their order
	Metadata any    `json:"metadata,omitempty"` // nil for none
}

// text returns the text parts of the message, concatenated.
func (m Message) text() string {
	out := ""
	for _, p := range m.Parts {
		if p.Type() == "text" {
			out += p.Text("text")
		}
	}
	return out
}

// assembly assembles a message from the parts of its stream, as a front end does. helix-ui.history.whole: the history
// contains the content that readers were sent.
type assembly struct {
	message Message            // texts of its parts are set by assembled
	spoken  []*spoken          // in the order of their starts
	open    map[string]*spoken // by kind and id
	calls   map[string]Part    // by id
}

// spoken is a text or reasoning part that grows.
type spoken struct {
	part Part            // without its text
	text strings.Builder // concatenated deltas
}

func newAssembly(id string) *assembly {
	return &assembly{message: Message{ID: id, Role: "assistant", Parts: []Part{}}, open: map[string]*spoken{}, calls: map[string]Part{}}
}

// assembled returns a copy of the message so far.
func (a *assembly) assembled() Message {
	for _, s := range a.spoken {
		s.part["text"] = s.text.String()
	}
	out := a.message
	out.Parts = []Part{}
	for _, p := range a.message.Parts {
		out.Parts = append(out.Parts, maps.Clone(p))
	}
	return out
}

func (a *assembly) add(p Part) Part {
	a.message.Parts = append(a.message.Parts, p)
	return p
}

// take adds the content of a part.
func (a *assembly) take(p Part) {
	switch kind := p.Type(); kind {
	case "start", "finish", "message-metadata":
		a.describe(p["messageMetadata"])
	case "start-step":
		a.add(Part{"type": "step-start"})
	case "text-start", "reasoning-start":
		name := kind[:len(kind)-len("-start")]
		opened := a.add(Part{"type": name, "text": "", "state": "streaming"})
		if name == "reasoning" {
			opened["id"] = p["id"]
		}
		s := &spoken{part: opened}
		a.spoken, a.open[name+" "+p.Text("id")] = append(a.spoken, s), s
	case "text-delta", "reasoning-delta":
		if grown := a.open[kind[:len(kind)-len("-delta")]+" "+p.Text("id")]; grown != nil {
			grown.text.WriteString(p.Text("delta"))
		}
	case "text-end", "reasoning-end":
		if ended := a.open[kind[:len(kind)-len("-end")]+" "+p.Text("id")]; ended != nil {
			ended.part["state"] = "done"
		}
	case "source-url", "source-document", "file", "reasoning-file", "custom": // helix-ui.history.parts
		a.add(maps.Clone(p))
	default:
		a.takeOther(p)
	}
}

// takeOther adds a part of a call, or of the application. helix-ui.history.calls: a call stays in the message with its
// input and its result.
func (a *assembly) takeOther(p Part) {
	call := a.calls[p.Text("toolCallId")]
	switch kind := p.Type(); {
	case kind == "tool-input-start" || kind == "tool-input-available" && call == nil:
		call = a.add(Part{"type": "tool-" + p.Text("toolName"), "toolCallId": p["toolCallId"], "state": "input-streaming"})
		a.calls[p.Text("toolCallId")] = call
		if kind == "tool-input-available" {
			call["state"], call["input"] = "input-available", p["input"]
		}
	case len(kind) > len("data-") && kind[:len("data-")] == "data-":
		a.takeData(p)
	case call == nil:
	case kind == "tool-input-available":
		call["state"], call["input"] = "input-available", p["input"]
	case kind == "tool-input-error":
		call["state"], call["rawInput"], call["errorText"] = "output-error", p["input"], p["errorText"]
	case kind == "tool-output-available":
		call["state"], call["output"] = "output-available", p["output"]
	case kind == "tool-output-denied":
		call["state"] = "output-denied"
	case kind == "tool-output-error":
		call["state"], call["errorText"] = "output-error", p["errorText"]
	case kind == "tool-approval-request":
		call["state"], call["approval"] = "approval-requested", map[string]any{"id": p["approvalId"]}
	}
}

// takeData adds a data part, or replaces the one of its type and id. One that passes leaves nothing.
func (a *assembly) takeData(p Part) {
	if p["transient"] == true {
		return
	}
	if p["id"] != nil {
		at := slices.IndexFunc(a.message.Parts, func(q Part) bool { return q.Type() == p.Type() && q["id"] == p["id"] })
		if at >= 0 {
			a.message.Parts[at]["data"] = p["data"]
			return
		}
	}
	a.add(maps.Clone(p))
}

// describe merges metadata; objects are merged by member.
func (a *assembly) describe(more any) {
	had, is := a.message.Metadata.(map[string]any)
	adds, are := more.(map[string]any)
	switch {
	case more == nil:
	case is && are:
		merged := maps.Clone(had)
		maps.Copy(merged, adds)
		a.message.Metadata = merged
	default:
		a.message.Metadata = more
	}
}

// call returns the part of a call, nil if there is none.
func (m Message) call(id string) Part {
	for _, p := range m.Parts {
		if p.Text("toolCallId") == id {
			return p
		}
	}
	return nil
}

// answer adds the client's answer to the call of the message. helix-ui.waiting.brought: the history has it.
func (a *assembly) answer(p Part) {
	call := a.calls[p.Text("toolCallId")]
	for _, name := range []string{"state", "approval", "output", "errorText"} {
		if value, there := p[name]; there {
			call[name] = value
		}
	}
}
