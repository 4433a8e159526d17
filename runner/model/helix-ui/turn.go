package helixui

import (
	"cmp"
	"slices"
	"strings"
)

// Part is one part of an answer that came.
type Part struct {
	ID      string // of its event, "" for none
	Members map[string]any
}

// Kind returns the type of the part.
func (p Part) Kind() string { return p.Text("type") }

// Text returns a string member; "" if it is missing or of another type.
func (p Part) Text(member string) string {
	said, _ := p.Members[member].(string)
	return said
}

// Claims contains the target's capabilities that change the required items.
type Claims struct{ Mapping, Metadata, Reasoning, Resume bool }

// Turn is an answer as its reader hears it.
type Turn struct {
	script Script
	claims Claims
	ledger Ledger
	plan   *plan
	at     int  // index in plan.owed of the next item
	look   int  // index in plan.owed that was returned last
	skips  bool // there are thoughts between at and look

	said   int               // bytes of the next item that were received
	ids    map[string]string // of calls, by those of the script
	shown  bool              // a thought was received
	hidden bool              // a thought was left out
	quiet  bool              // thoughts aren't waited for
	over   bool              // finish, an error or an abort came
	came   string            // the current part, clipped for reports

	message string          // messageId of the message, as far as it is known
	brought map[string]bool // ids of calls whose outputs the client has brought
	// Sent returns the input that the model sent in place of that of a call, which is counted from 0; nil: it sent that one.
	Sent func(call int, input any) any

	// What it does, by what it is about.
	ending
}

// NewTurn returns the turn of a script before its first part.
func NewTurn(s Script, c Claims, l Ledger) *Turn {
	t := &Turn{script: s, claims: c, ledger: l, plan: read(s), ids: map[string]string{}}
	t.ending = ending{t}
	return t
}

// Hear takes a part.
func (t *Turn) Hear(p Part) error {
	t.came = clipped(p.Members)
	switch kind := p.Kind(); kind {
	case "start":
		return t.begins(p)
	case "text-delta":
		return t.says(text, p.Text("delta"))
	case "reasoning-delta":
		return t.says(thought, p.Text("delta"))
	case "tool-input-available", "tool-input-error":
		return t.calls(p)
	case "tool-output-available", "tool-output-error", "tool-output-denied":
		return t.returns(p)
	case "tool-approval-request":
		return t.asks(p)
	case "finish-step":
		if o, _ := t.next(); o != nil && o.kind == commit { // an error for missing items is returned by the next part
			t.pass(o)
		}
	case "error", "abort", "finish":
		return t.ends(p)
	default:
		if strings.HasPrefix(kind, "data-") {
			return t.data(p)
		}
	}
	return nil
}

// peek returns the next item that a reader must receive, nil for none. It skips barriers and empty texts: a server that
// didn't wait at a barrier breaks no rule.
func (t *Turn) peek() *owed {
	t.skips = false
	for t.look = t.at; t.look < len(t.plan.owed); t.look++ {
		o := &t.plan.owed[t.look]
		if o.kind != barrier && (o.text != "" || o.kind != text && o.kind != thought) {
			return o
		}
	}
	return nil
}

// next returns the next item that a reader must receive, without thoughts: a server may hide thoughts, all of them or none.
// The error is that of reasoning that is missing although other reasoning came.
func (t *Turn) next() (*owed, error) {
	o := t.peek()
	for o != nil && (o.kind == thought || o.kind == barrier || o.kind == text && o.text == "") {
		if o.kind == thought && o.text != "" && (t.said > 0 || t.shown) {
			return nil, t.missed(o, t.came)
		}
		t.skips = t.skips || o.kind == thought && o.text != ""
		if t.look++; t.look == len(t.plan.owed) {
			return nil, nil
		}
		o = &t.plan.owed[t.look]
	}
	return o, nil
}

func (t *Turn) pass(o *owed) {
	t.ledger.Saw(o.of)
	if o.of != chunks && t.claims.Mapping {
		t.ledger.Saw(chunks)
	}
	t.hidden = t.hidden || t.skips
	t.at, t.said = t.look+1, 0
}

// due describes an item for a report.
func (t *Turn) due(o *owed) string {
	if o.written != "" {
		return t.named(o) + ", of which the model writes the events with " + o.written
	}
	return t.named(o)
}

func (t *Turn) named(o *owed) string {
	switch o.kind {
	case text:
		return "the text " + clipped(o.text[t.said:])
	case thought:
		return "the reasoning " + clipped(o.text[t.said:])
	case call:
		return "a call of " + clipped(o.tool) + " with " + clipped(o.value)
	case output:
		return "the output " + clipped(o.value)
	case failure:
		return "a call that fails"
	case data:
		return "the part " + o.text + " with " + clipped(o.value)
	case commit:
		return "finish-step"
	case approval:
		return "tool-approval-request"
	case denial:
		return "tool-output-denied"
	case failed:
		return "an error, or a connection that breaks"
	case unfinished:
		return "an error, a connection that breaks, or a finish that gives no reason of the model: its answer ended without one"
	}
	return "abort"
}

func (t *Turn) missed(o *owed, got string) *Breach {
	return breach(o.of, t.due(o), got, "what is owed next doesn't come")
}

// foreign reports whether a text belongs to another agent.
func (t *Turn) foreign(said string) bool {
	return slices.ContainsFunc(t.plan.foreign, func(other string) bool {
		return strings.Contains(said, other) || len(said) > 3 && strings.Contains(other, said)
	})
}

// says takes text or reasoning of the model.
func (t *Turn) says(kind int, delta string) error {
	for delta != "" {
		o := t.peek()
		if kind == text {
			var err error
			if o, err = t.next(); err != nil {
				if b, is := err.(*Breach); is && strings.HasPrefix(t.peek().text[t.said:], delta) {
					return breach("helix-ui.reasoning.apart", b.Want, "the text "+clipped(delta), "what the model thinks comes as a text")
				}
				return err
			}
		}
		if o == nil || o.kind != kind {
			return t.stray(kind, delta, o)
		}
		rest := o.text[t.said:]
		switch {
		case strings.HasPrefix(rest, delta):
			t.at, t.hidden = t.look, t.hidden || t.skips
			t.said += len(delta)
			delta = ""
		case strings.HasPrefix(delta, rest):
			t.said, delta = len(o.text), delta[len(rest):]
		default:
			return t.stray(kind, delta, o)
		}
		if kind == thought {
			if t.hidden {
				return breach(o.of, "all of what the model thinks, or nothing of it", clipped(o.text), "a thought is shown behind one that is hidden")
			}
			t.shown = true
		}
		if t.said == len(o.text) {
			t.spoken(o)
		}
	}
	return nil
}

// spoken advances after a complete text or thought.
func (t *Turn) spoken(o *owed) {
	if strings.ContainsAny(o.text, "\r\n\x00") {
		t.ledger.Saw("helix-ui.wire.framing")
	}
	if o.kind == thought {
		t.ledger.Saw("helix-ui.reasoning.apart")
	}
	if len(t.plan.foreign) > 0 {
		t.ledger.Saw("helix-ui.mapping.agents")
	}
	t.pass(o)
}

// stray returns the violation of an unexpected text or thought.
func (t *Turn) stray(kind int, delta string, o *owed) error {
	want := "nothing more"
	if o != nil {
		want = t.due(o)
	}
	switch {
	case t.foreign(delta):
		return breach("helix-ui.mapping.agents", want, clipped(delta), "another agent speaks in the message")
	case kind == text && slices.ContainsFunc(t.plan.owed, func(o owed) bool { return o.kind == thought && strings.Contains(o.text, delta) }) && (t.skips || o == nil || o.kind != text):
		return breach("helix-ui.reasoning.apart", want, "the text "+clipped(delta), "what the model thinks comes as a text")
	case o != nil && o.kind != kind:
		return t.missed(o, clipped(delta))
	case kind == thought:
		return breach("helix-ui.reasoning.whole", want, clipped(delta), "a thought is another than the model's")
	}
	return breach("helix-ui.text.whole", want, clipped(delta), "a text is another than the model's")
}

// calls takes the input of a call.
func (t *Turn) calls(p Part) error {
	o, err := t.next()
	id, tool := p.Text("toolCallId"), p.Text("toolName")
	o = t.bring(o, func(o owed) bool { return o.kind == call && o.tool == tool && same(o.value, p.Members["input"]) })
	if o != nil && o.kind == call && t.Sent != nil {
		o.value = t.Sent(len(t.ids), o.value)
	}
	switch {
	case err != nil:
		return err
	case t.foreign(id):
		return breach("helix-ui.mapping.agents", "nothing", clipped(p.Members), "a call of another agent is shown")
	case o == nil:
		return breach("helix-ui.tools.arguments", "no call", clipped(p.Members), "there is a call that the model didn't make")
	case o.kind != call:
		return t.missed(o, clipped(p.Members))
	case tool != o.tool || !same(o.value, p.Members["input"]):
		return breach("helix-ui.tools.arguments", t.due(o), "a call of "+clipped(tool)+" with "+clipped(p.Members["input"]), "a call is another than the model's")
	case o.id != "" && id != o.id:
		return breach(chunks, clipped(o.id), clipped(id), "a call comes under another id")
	}
	t.ids[o.call] = id
	t.pass(o)
	return nil
}

// returns takes the result of a call. Preliminary outputs are ignored.
func (t *Turn) returns(p Part) error {
	if p.Members["preliminary"] == true {
		return nil
	}
	id := p.Text("toolCallId")
	o, err := t.next()
	o = t.bring(o, func(o owed) bool { return t.ids[o.call] == id })
	switch early := t.early(id, p); {
	case err != nil:
		return err
	case early != nil:
		return early
	case t.brought[id]:
		return nil
	case t.plan.open[id] && p.Kind() == "tool-output-error":
		return nil // no chunk ends this call
	case t.foreign(id):
		return breach("helix-ui.mapping.agents", "nothing", clipped(p.Members), "what came of a call of another agent is shown")
	case o == nil:
		return breach("helix-ui.tools.result", "nothing", clipped(p.Members), "there is an output that no tool returned")
	case o.kind != output && o.kind != failure && o.kind != denial:
		return t.missed(o, clipped(p.Members))
	case id != t.ids[o.call]:
		return breach(o.of, t.due(o)+" of "+clipped(t.ids[o.call]), clipped(p.Members), "what came of a call is told of another")
	case o.kind == denial && !denies(p):
		return breach(o.of, t.due(o), clipped(p.Members), "a denied call returns")
	case o.kind == failure && p.Kind() != "tool-output-error":
		return breach(o.of, "tool-output-error", clipped(p.Members), "a call that fails isn't said to")
	case o.kind == output && (p.Kind() != "tool-output-available" || !same(o.value, p.Members["output"])):
		return breach(o.of, t.due(o), clipped(p.Members), "an output isn't what the tool returned")
	}
	t.pass(o)
	return nil
}

// asks takes a request for approval.
func (t *Turn) asks(p Part) error {
	o, err := t.next()
	o = t.bring(o, func(o owed) bool { return o.kind == approval && t.ids[o.call] == p.Text("toolCallId") })
	switch {
	case t.told(p, "toolCallId"):
		return breach("helix-ui.mapping.agents", "nothing", clipped(p.Members), "what another agent asks is asked in the message")
	case err != nil || o == nil:
		return err
	case o.kind == approval && p.Text("toolCallId") == t.ids[o.call]:
		t.pass(o)
		return nil
	}
	return t.missed(o, clipped(p.Members))
}

// told reports whether a member of a part is a text of another agent's chunk.
func (t *Turn) told(p Part, member string) bool {
	return slices.Contains(t.plan.foreign, p.Text(member))
}

// data takes a data part. Those of the application's own may come at any time.
func (t *Turn) data(p Part) error {
	fits := func(o *owed) bool {
		return o.kind == data && o.text == p.Kind() && (same(o.value, p.Members["data"]) || o.own && holds(p.Members["data"], o.value)) && (o.id == "" || o.id == p.Text("id"))
	}
	o, err := t.next()
	if o != nil && fits(o) {
		t.pass(o)
		return nil
	}
	for i := range t.plan.owed {
		if !fits(&t.plan.owed[i]) {
			continue
		}
		if err != nil {
			return err
		}
		if o == nil {
			return breach(chunks, "nothing more", clipped(p.Members), "a part comes a second time")
		}
		return breach(chunks, t.due(o), clipped(p.Members), "a part doesn't come at its place")
	}
	output := t.script.Names["data-output"]
	if p.Kind() == cmp.Or(output, "data-output") && t.told(p, "data") {
		return breach("helix-ui.mapping.agents", "nothing", clipped(p.Members), "the result of another agent is told as that of the message")
	}
	if o != nil && o.kind == data && o.text == p.Kind() {
		return breach(chunks, t.due(o), clipped(p.Members), "a part isn't what its chunk says")
	}
	return nil
}
