package helixui

import (
	"cmp"
	"slices"
	"strings"
)

// Part is one part of an answer that came.
type Part struct {
	ID      string         // of its event, "" for none
	Members map[string]any // as encoding/json decodes them; never changed
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

// Turn is an answer as its reader receives it.
//
// Invariants: at only grows; the items of plan before it were received, hidden or needn't come.
type Turn struct {
	script    Script         // of the request; never changes
	claims    Claims         // of the server; never change
	occasions OccasionCounts // of the caller
	plan      *plan          // of script; items only grow
	at        int            // index in plan.items of the next item
	last      int            // index in plan.items that inspect returned last
	skips     bool           // there is reasoning between at and last

	received int               // bytes of the next item that were received
	ids      map[string]string // of calls, by those of the script
	shown    bool              // reasoning was received
	hidden   bool              // reasoning was left out
	quiet    bool              // reasoning isn't waited for
	over     bool              // finish, an error or an abort came
	came     string            // the current part, clipped for reports

	message string          // messageId of the message, as far as it is known
	brought map[string]bool // ids of calls whose outputs the client has brought
	// Sent returns the input that the model sent instead of that of a call, which is counted from 0; nil: it sent that one.
	Sent func(call int, input any) any

	// Methods, grouped by subject.
	ending
}

// NewTurn returns the turn of a script before its first part.
func NewTurn(s Script, c Claims, l OccasionCounts) *Turn {
	t := &Turn{script: s, claims: c, occasions: l, plan: read(s), ids: map[string]string{}}
	t.ending = ending{t}
	return t
}

// Receive takes a part.
func (t *Turn) Receive(p Part) error {
	t.came = clipped(p.Members)
	switch kind := p.Kind(); kind {
	case "start":
		return t.begins(p)
	case "text-delta":
		return t.takeText(text, p.Text("delta"))
	case "reasoning-delta":
		return t.takeText(reasoning, p.Text("delta"))
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

// inspect returns the next item that a reader must receive, nil for none. It skips barriers and empty texts: a server that
// didn't wait at a barrier breaks no rule.
func (t *Turn) inspect() *expectedItem {
	t.skips = false
	for t.last = t.at; t.last < len(t.plan.items); t.last++ {
		o := &t.plan.items[t.last]
		if o.kind != barrier && (o.text != "" || o.kind != text && o.kind != reasoning) {
			return o
		}
	}
	return nil
}

// next returns the next item that a reader must receive, without reasoning: a server may hide reasoning, all of it or none.
// The error is that of reasoning that is missing although other reasoning came.
func (t *Turn) next() (*expectedItem, error) {
	o := t.inspect()
	for o != nil && (o.kind == reasoning || o.kind == barrier || o.kind == text && o.text == "") {
		if o.kind == reasoning && o.text != "" && (t.received > 0 || t.shown) {
			return nil, t.missed(o, t.came)
		}
		t.skips = t.skips || o.kind == reasoning && o.text != ""
		if t.last++; t.last == len(t.plan.items) {
			return nil, nil
		}
		o = &t.plan.items[t.last]
	}
	return o, nil
}

func (t *Turn) pass(o *expectedItem) {
	t.occasions.Saw(o.of)
	if o.of != chunks && t.claims.Mapping {
		t.occasions.Saw(chunks)
	}
	t.hidden = t.hidden || t.skips
	t.at, t.received = t.last+1, 0
}

// describe describes an item for a report.
func (t *Turn) describe(o *expectedItem) string {
	if o.written != "" {
		return t.named(o) + ", of which the model writes the events with " + o.written
	}
	return t.named(o)
}

func (t *Turn) named(o *expectedItem) string {
	switch o.kind {
	case text:
		return "the text " + clipped(o.text[t.received:])
	case reasoning:
		return "the reasoning " + clipped(o.text[t.received:])
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

func (t *Turn) missed(o *expectedItem, got string) *Violation {
	return violated(o.of, t.describe(o), got, "what is owed next doesn't come")
}

// ofOtherAgent reports whether a text belongs to another agent.
func (t *Turn) ofOtherAgent(said string) bool {
	return slices.ContainsFunc(t.plan.otherAgents, func(other string) bool {
		return strings.Contains(said, other) || len(said) > 3 && strings.Contains(other, said)
	})
}

// takeText takes text or reasoning of the model.
func (t *Turn) takeText(kind int, delta string) error {
	for delta != "" {
		o := t.inspect()
		if kind == text {
			var err error
			if o, err = t.next(); err != nil {
				if b, is := err.(*Violation); is && strings.HasPrefix(t.inspect().text[t.received:], delta) {
					return violated("helix-ui.reasoning.apart", b.Want, "the text "+clipped(delta), "what the model thinks comes as a text")
				}
				return err
			}
		}
		if o == nil || o.kind != kind {
			return t.unexpected(kind, delta, o)
		}
		rest := o.text[t.received:]
		switch {
		case strings.HasPrefix(rest, delta):
			t.at, t.hidden = t.last, t.hidden || t.skips
			t.received += len(delta)
			delta = ""
		case strings.HasPrefix(delta, rest): // a delta may end one item and begin the next
			t.received, delta = len(o.text), delta[len(rest):]
		default:
			return t.unexpected(kind, delta, o)
		}
		if kind == reasoning {
			if t.hidden {
				return violated(o.of, "all of what the model thinks, or nothing of it", clipped(o.text), "a thought is shown behind one that is hidden")
			}
			t.shown = true
		}
		if t.received == len(o.text) {
			t.spoken(o)
		}
	}
	return nil
}

// spoken advances after a complete text or complete reasoning.
func (t *Turn) spoken(o *expectedItem) {
	if strings.ContainsAny(o.text, "\r\n\x00") {
		t.occasions.Saw("helix-ui.wire.framing")
	}
	if o.kind == reasoning {
		t.occasions.Saw("helix-ui.reasoning.apart")
	}
	if len(t.plan.otherAgents) > 0 {
		t.occasions.Saw("helix-ui.mapping.agents")
	}
	t.pass(o)
}

// unexpected returns the violation of an unexpected text or of unexpected reasoning.
func (t *Turn) unexpected(kind int, delta string, o *expectedItem) error {
	want := "nothing more"
	if o != nil {
		want = t.describe(o)
	}
	switch {
	case t.ofOtherAgent(delta):
		return violated("helix-ui.mapping.agents", want, clipped(delta), "another agent speaks in the message")
	case kind == text && slices.ContainsFunc(t.plan.items, func(o expectedItem) bool { return o.kind == reasoning && strings.Contains(o.text, delta) }) && (t.skips || o == nil || o.kind != text):
		return violated("helix-ui.reasoning.apart", want, "the text "+clipped(delta), "what the model thinks comes as a text")
	case o != nil && o.kind != kind:
		return t.missed(o, clipped(delta))
	case kind == reasoning:
		return violated("helix-ui.reasoning.whole", want, clipped(delta), "a thought is another than the model's")
	}
	return violated("helix-ui.text.whole", want, clipped(delta), "a text is another than the model's")
}

// calls takes the input of a call.
func (t *Turn) calls(p Part) error {
	o, err := t.next()
	id, tool := p.Text("toolCallId"), p.Text("toolName")
	t.bring(o, func(o expectedItem) bool {
		return o.kind == call && o.tool == tool && same(o.value, p.Members["input"])
	})
	if o != nil && o.kind == call && t.Sent != nil {
		o.value = t.Sent(len(t.ids), o.value)
	}
	switch {
	case err != nil:
		return err
	case t.ofOtherAgent(id):
		return violated("helix-ui.mapping.agents", "nothing", clipped(p.Members), "a call of another agent is shown")
	case o == nil:
		return violated("helix-ui.tools.arguments", "no call", clipped(p.Members), "there is a call that the model didn't make")
	case o.kind != call:
		return t.missed(o, clipped(p.Members))
	case tool != o.tool || !same(o.value, p.Members["input"]):
		return violated("helix-ui.tools.arguments", t.describe(o), "a call of "+clipped(tool)+" with "+clipped(p.Members["input"]), "a call is another than the model's")
	case o.id != "" && id != o.id:
		return violated(chunks, clipped(o.id), clipped(id), "a call comes under another id")
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
	t.bring(o, func(o expectedItem) bool { return t.ids[o.call] == id })
	switch early := t.early(id, p); {
	case err != nil:
		return err
	case early != nil:
		return early
	case t.brought[id]:
		return nil
	case t.plan.open[id] && p.Kind() == "tool-output-error":
		return nil // no chunk ends this call
	case t.ofOtherAgent(id):
		return violated("helix-ui.mapping.agents", "nothing", clipped(p.Members), "what came of a call of another agent is shown")
	case o == nil:
		return violated("helix-ui.tools.result", "nothing", clipped(p.Members), "there is an output that no tool returned")
	case o.kind != output && o.kind != failure && o.kind != denial:
		return t.missed(o, clipped(p.Members))
	case id != t.ids[o.call]:
		return violated(o.of, t.describe(o)+" of "+clipped(t.ids[o.call]), clipped(p.Members), "what came of a call is told of another")
	case o.kind == denial && !Denies(p.Kind(), p.Members["output"]):
		return violated(o.of, t.describe(o), clipped(p.Members), "a denied call returns")
	case o.kind == failure && p.Kind() != "tool-output-error":
		return violated(o.of, "tool-output-error", clipped(p.Members), "a call that fails isn't said to")
	case o.kind == output && (p.Kind() != "tool-output-available" || !same(o.value, p.Members["output"])):
		return violated(o.of, t.describe(o), clipped(p.Members), "an output isn't what the tool returned")
	}
	t.pass(o)
	return nil
}

// asks takes a request for approval.
func (t *Turn) asks(p Part) error {
	o, err := t.next()
	t.bring(o, func(o expectedItem) bool { return o.kind == approval && t.ids[o.call] == p.Text("toolCallId") })
	switch {
	case t.showsOtherAgent(p, "toolCallId"):
		return violated("helix-ui.mapping.agents", "nothing", clipped(p.Members), "what another agent asks is asked in the message")
	case err != nil || o == nil:
		return err
	case o.kind == approval && p.Text("toolCallId") == t.ids[o.call]:
		t.pass(o)
		return nil
	}
	return t.missed(o, clipped(p.Members))
}

// showsOtherAgent reports whether a member of a part is a text of another agent's chunk.
func (t *Turn) showsOtherAgent(p Part, member string) bool {
	return slices.Contains(t.plan.otherAgents, p.Text(member))
}

// data takes a data part. Parts of the application may come at any time.
func (t *Turn) data(p Part) error {
	fits := func(o *expectedItem) bool {
		return o.kind == data && o.text == p.Kind() && (same(o.value, p.Members["data"]) || o.chunkMembers && includes(p.Members["data"], o.value)) && (o.id == "" || o.id == p.Text("id"))
	}
	o, err := t.next()
	if o != nil && fits(o) {
		t.pass(o)
		return nil
	}
	for i := range t.plan.items {
		if !fits(&t.plan.items[i]) {
			continue
		}
		if err != nil {
			return err
		}
		if o == nil {
			return violated(chunks, "nothing more", clipped(p.Members), "a part comes a second time")
		}
		return violated(chunks, t.describe(o), clipped(p.Members), "a part doesn't come at its place")
	}
	output := t.script.Names["data-output"]
	if p.Kind() == cmp.Or(output, "data-output") && t.showsOtherAgent(p, "data") {
		return violated("helix-ui.mapping.agents", "nothing", clipped(p.Members), "the result of another agent is told as that of the message")
	}
	if o != nil && o.kind == data && o.text == p.Kind() {
		return violated(chunks, t.describe(o), clipped(p.Members), "a part isn't what its chunk says")
	}
	return nil
}
