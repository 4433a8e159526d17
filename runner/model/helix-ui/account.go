package helixui

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// Account collects the content of an answer, from a stream, a history or both. Reports of one call are merged by its id, as
// clients do.
type Account struct {
	text, reasoning strings.Builder           // concatenated, in the order of arrival
	calls           map[string]map[string]any // tool, input, output and error, by the id of the call
	data            map[string]int            // number of occurrences of each data part that isn't transient, by its JSON
}

// Text returns all text parts, concatenated.
func (a *Account) Text() string { return a.text.String() }

func (a *Account) call(id any, member string, value any) {
	name, _ := id.(string)
	if a.calls == nil {
		a.calls = map[string]map[string]any{}
	}
	if a.calls[name] == nil {
		a.calls[name] = map[string]any{}
	}
	a.calls[name][member] = value
}

// Take adds the content of a part of a stream.
func (a *Account) Take(p Part) {
	id := p.Members["toolCallId"]
	switch p.Kind() {
	case "text-delta":
		a.text.WriteString(p.Text("delta"))
	case "reasoning-delta":
		a.reasoning.WriteString(p.Text("delta"))
	case "tool-input-available":
		a.call(id, "tool", p.Members["toolName"])
		a.call(id, "input", p.Members["input"])
	case "tool-output-available":
		if p.Members["preliminary"] != true { // says nothing yet
			a.call(id, "output", p.Members["output"])
		}
	case "tool-output-error":
		a.call(id, "error", p.Members["errorText"])
	default:
		a.datum(p.Members)
	}
}

// datum counts a data part. It skips transient parts, which no message contains, and parts with an id, which replace
// each other.
func (a *Account) datum(part map[string]any) {
	kind, _ := part["type"].(string)
	if _, named := part["id"]; named || part["transient"] == true || !strings.HasPrefix(kind, "data-") {
		return
	}
	if a.data == nil {
		a.data = map[string]int{}
	}
	text, _ := json.Marshal([]any{kind, part["data"]}) // a value that was decoded can be encoded
	a.data[string(text)]++
}

// PartsOf returns the parts of a history message.
func PartsOf(message map[string]any) []map[string]any {
	var out []map[string]any
	parts, _ := message["parts"].([]any)
	for _, item := range parts {
		p, _ := item.(map[string]any)
		out = append(out, p)
	}
	return out
}

// TextOf returns the text parts of a history message, concatenated.
func TextOf(message map[string]any) string {
	var b strings.Builder
	for _, p := range PartsOf(message) {
		if p["type"] == "text" {
			said, _ := p["text"].(string)
			b.WriteString(said)
		}
	}
	return b.String()
}

// TakeMessage adds the content of a history message. It skips calls whose input is still streaming.
func (a *Account) TakeMessage(message map[string]any) {
	a.text.WriteString(TextOf(message))
	for _, p := range PartsOf(message) {
		kind, _ := p["type"].(string)
		a.datum(p)
		tool, static := strings.CutPrefix(kind, "tool-")
		if kind == "reasoning" {
			said, _ := p["text"].(string)
			a.reasoning.WriteString(said)
		}
		if !static && kind != "dynamic-tool" || p["state"] == "input-streaming" {
			continue
		}
		a.call(p["toolCallId"], "tool", tool)
		if !static {
			a.call(p["toolCallId"], "tool", p["toolName"])
		}
		a.call(p["toolCallId"], "input", p["input"])
		switch {
		case p["state"] == "output-available" && p["preliminary"] != true:
			a.call(p["toolCallId"], "output", p["output"])
		case p["state"] == "output-error":
			a.call(p["toolCallId"], "error", p["errorText"])
		}
	}
}

// Calls returns the number of calls that have an output or an error.
func (a *Account) Calls() int {
	n := 0
	for _, call := range a.calls {
		if isOver(call) {
			n++
		}
	}
	return n
}

// isOver reports whether a call has an output or an error.
func isOver(call map[string]any) bool {
	_, worked := call["output"]
	_, failed := call["error"]
	return worked || failed
}

// Lost returns a completed call that history lacks or reports otherwise, with the call that it reports instead; nil if
// there is none.
func (a *Account) Lost(history *Account) *[2]string {
	for id, call := range a.calls {
		if had := history.calls[id]; isOver(call) && !same(storable(call), storable(had)) {
			return &[2]string{"the call " + clipped(call), clipped(had)}
		}
	}
	return nil
}

// Differs returns the first difference as the expected and the received content; nil if got agrees. A server may drop
// reasoning and data parts but not repeat them.
func (a *Account) Differs(got *Account) *[2]string {
	if want, had := a.Text(), got.Text(); want != had {
		return &[2]string{"the text " + clipped(want), clipped(had)}
	}
	if want, had := a.reasoning.String(), got.reasoning.String(); !strings.HasSuffix(want, had) {
		return &[2]string{"the reasoning " + clipped(want) + ", or its end", clipped(had)}
	}
	for id, call := range a.calls {
		if had := got.calls[id]; !same(call, had) {
			return &[2]string{"the call " + clipped(call), clipped(had)}
		}
	}
	for part, had := range got.data {
		if want := a.data[part]; want > 0 && had > want {
			return &[2]string{fmt.Sprintf("the part %s, %d of it", clipped(part), want), fmt.Sprint(had)}
		}
	}
	return nil
}

// Folded returns the members of parts, with consecutive deltas of a part joined: their division is free.
func Folded(parts []Part) []map[string]any {
	var out []map[string]any
	var grown []string // the pieces of the last one
	join := func() {
		if len(grown) > 0 {
			out[len(out)-1]["delta"] = strings.Join(grown, "")
			grown = nil
		}
	}
	for _, p := range parts {
		last := len(out) - 1
		if piece, is := p.Members["delta"].(string); is {
			if last >= 0 && out[last]["type"] == p.Members["type"] && out[last]["id"] == p.Members["id"] {
				grown = append(grown, piece)
				continue
			}
			join()
			grown = []string{piece}
		} else {
			join()
		}
		out = append(out, maps.Clone(p.Members))
	}
	join()
	return out
}
