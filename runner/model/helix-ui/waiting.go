package helixui

import (
	"encoding/json"
	"strings"
)

// waiting is a call that waits for the client.
type waiting struct {
	Tool
	key string // of the call in the script
}

// waits reports whether the response ends because the client has to answer a call.
func (a ScriptStep) waits() bool { return a.Tool != nil && (a.Tool.Approval || a.Tool.Client) }

// wait adds a call that waits. Those in a row, and the requests for their approval, come in any order.
func (p *plan) wait(key string, t Tool) {
	if len(p.waiting) == 0 {
		p.free = append(p.free, span{from: len(p.items)})
	}
	p.calls = true
	p.waiting = append(p.waiting, waiting{t, key})
	p.add(expectedItem{kind: call, of: "helix-ui.tools.arguments", call: key, tool: t.Name, value: t.Arguments})
	if t.Approval {
		p.add(expectedItem{kind: approval, of: "helix-ui.waiting.requested", call: key})
	}
	p.free[len(p.free)-1].upTo = len(p.items)
}

// bring exchanges the next item for the first that fits, among those that may come in any order.
func (t *Turn) bring(next *expectedItem, fits func(o expectedItem) bool) {
	for _, s := range t.plan.free {
		for i := t.last; next != nil && t.last >= s.from && i < s.upTo; i++ {
			if all := t.plan.items; fits(all[i]) {
				all[t.last], all[i] = all[i], all[t.last]
				return
			}
		}
	}
}

// Waiting is a call that the client has to answer.
type Waiting struct {
	ID     string // assigned by the server, or by the script
	Client bool   // the client runs it
}

// Waiting returns the calls that the client has to answer.
func (t *Turn) Waiting() (calls []Waiting) {
	for _, w := range t.plan.waiting {
		calls = append(calls, Waiting{t.ids[w.key], w.Client})
	}
	return calls
}

// Proceed returns the turn of the response to the client's answers: which of the calls the user approved.
func (t *Turn) Proceed(approved []bool) *Turn {
	s, claims := t.script, t.claims
	s.Steps, claims.Metadata = t.plan.later, false // the request has no metadata to configure
	next := NewTurn(s, claims, t.occasions)
	next.message, next.brought = t.message, map[string]bool{}
	outcomes := []expectedItem{}
	for n, w := range t.plan.waiting {
		key, id := "answered "+w.key, t.ids[w.key]
		if next.ids[key] = id; w.Client {
			t.occasions.Saw("helix-ui.waiting.client-tools")
			next.brought[id] = true
			continue
		}
		t.occasions.Saw("helix-ui.waiting.unrun")
		outcome := expectedItem{kind: denial, of: "helix-ui.waiting.denied", call: key}
		if approved[n] {
			outcome = expectedItem{kind: output, of: "helix-ui.waiting.approved", call: key, value: w.Result}
		}
		outcomes = append(outcomes, outcome)
	}
	next.plan.items = append(outcomes, next.plan.items...)
	for i := range next.plan.free {
		next.plan.free[i].shift(len(outcomes))
	}
	next.plan.free = append(next.plan.free, span{upTo: len(outcomes)})
	return next
}

// early returns the violation of an output that came before the client's answer, nil for any other output.
func (t *Turn) early(id string, p Part) error {
	for _, w := range t.plan.waiting {
		rule := "helix-ui.waiting.unrun"
		if w.Client {
			rule = "helix-ui.waiting.client-tools"
		}
		if t.ids[w.key] == id {
			return violated(rule, "no output before the client answers", clipped(p.Members), "a call returns that waits for the client")
		}
	}
	return nil
}

// Refusal is the text with which a runtime of helix ends a denied call.
const Refusal = "Tool call was not approved by the user"

// Denies reports whether a part of a kind, with an output, ends a denied call.
func Denies(kind string, output any) bool {
	text, err := json.Marshal(output)
	return kind != "tool-output-available" || err == nil && strings.Contains(string(text), Refusal)
}
