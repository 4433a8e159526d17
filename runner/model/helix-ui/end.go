package helixui

import (
	"encoding/json"
	"slices"
	"strings"
)

// ending judges how a turn begins and ends.
type ending struct{ *Turn }

// begins takes the start of the message.
func (t ending) begins(p Part) error {
	if t.claims.Resume {
		if t.occasions.Saw("helix-ui.resume.message-id"); p.Text("messageId") == "" {
			return violated("helix-ui.resume.message-id", "a messageId", clipped(p.Members), "start doesn't name the message")
		}
	}
	if now := p.Text("messageId"); t.message == "" {
		t.message = now
	} else if t.occasions.Saw("helix-ui.waiting.message"); now != "" && now != t.message {
		return violated("helix-ui.waiting.message", clipped(t.message), clipped(now), "the response to the answers is of another message")
	}
	return t.described("helix-ui.metadata.start", t.script.Start, p)
}

// BeginsAgain compares the start part that a refreshed page gets with the first one. fromStart: the page gets the message
// from its start; a part that continues it needs no metadata.
func (t ending) BeginsAgain(first, again Part, fromStart bool) error {
	if id := first.Text("messageId"); id != again.Text("messageId") {
		return violated("helix-ui.resume.message-id", clipped(id), clipped(again.Members), "a page that was refreshed gets the answer as another message")
	}
	if fromStart {
		return t.described("helix-ui.metadata.start", t.script.Start, again)
	}
	return nil
}

// described compares the metadata of a part.
func (t ending) described(of string, metadata map[string]any, p Part) error {
	if !t.claims.Metadata {
		return nil
	}
	got, there := p.Members["messageMetadata"]
	if metadata == nil {
		if t.occasions.Saw("helix-ui.metadata.absent"); there {
			return violated("helix-ui.metadata.absent", "none", clipped(got), "a part has metadata that nobody configured")
		}
		return nil
	}
	want, computed := map[string]any{}, false
	for name, v := range metadata {
		if v == "{agentId}" {
			v, computed = t.script.Chat, true
		}
		want[name] = v
	}
	if t.occasions.Saw(of); computed {
		t.occasions.Saw("helix-ui.metadata.computed")
	}
	if same(any(want), got) {
		return nil
	}
	shown, _ := got.(map[string]any)
	for name, v := range metadata {
		if had := shown[name]; v == "{agentId}" && had != nil && had != t.script.Chat {
			of = "helix-ui.metadata.computed"
		}
	}
	return unequal(of, want, got, "the metadata is another than what is configured")
}

// reasons are the stop reasons of a model.
var reasons = []string{"stop", "length", "content-filter", "tool-calls"}

// ends takes the part that ends the message.
func (t ending) ends(p Part) error {
	if t.over {
		return nil // finish may follow an error
	}
	o, err := t.next()
	if err != nil {
		return err
	}
	switch kind := p.Kind(); {
	case o != nil && o.kind == unfinished && kind == "finish" && slices.Contains(reasons, p.Text("finishReason")):
		return violated(o.of, t.describe(o), "the finish reason "+clipped(p.Text("finishReason")), "an answer that the model didn't finish is told as a whole one")
	case o != nil && (kind == "error" && o.kind == failed || kind != "abort" && o.kind == unfinished || kind == "abort" && o.kind == aborted && (o.value == nil || o.value == p.Members["reason"])):
		t.over = true
		t.pass(o)
		return nil
	case kind == "abort" && t.showsOtherAgent(p, "reason") || kind == "error" && t.showsOtherAgent(p, "errorText"):
		return violated("helix-ui.mapping.agents", "nothing", clipped(p.Members), "the message ends as another agent does")
	case o != nil:
		return t.missed(o, clipped(p.Members))
	case kind != "finish":
		return violated("helix-ui.flow.finish", "finish", clipped(p.Members), "a run that came to its end ends in another way")
	}
	t.over = true
	if n := len(t.plan.items); n > 0 && t.plan.items[n-1].kind == approval && t.plan.items[n-1].of == chunks && p.Text("finishReason") != "" && p.Text("finishReason") != "tool-calls" {
		return violated(chunks, `"tool-calls"`, clipped(p.Text("finishReason")), "a message that waits for an approval ends for another reason")
	}
	return t.described("helix-ui.metadata.finish", t.script.Finish, p)
}

// Fails reports whether the run fails, and no other item must come before.
func (t ending) Fails() bool {
	o, err := t.next()
	return err == nil && o != nil && (o.kind == failed || o.kind == unfinished)
}

// Refused takes a response that isn't a stream: a run that fails before any output may be refused.
func (t ending) Refused() bool {
	if t.at > 0 || !t.Fails() {
		return false
	}
	t.pass(t.inspect())
	t.over = true
	return true
}

// Over reports whether the message has ended.
func (t ending) Over() bool { return t.over }

// Ended takes the end of the body; broken: the connection broke. got describes what came instead of the next item.
func (t ending) Ended(broken bool, got string) error {
	if t.over {
		return nil
	}
	t.came = got
	o, err := t.next()
	switch {
	case err != nil:
		return err
	case o == nil:
		return violated("helix-ui.flow.finish", "finish", got, "the message doesn't come to its end")
	case (o.kind == failed || o.kind == unfinished) && broken:
		t.pass(o)
		t.over = true
		return nil
	}
	return t.missed(o, got)
}

// Waits returns the barrier before which all items have come that a server can't hide, "" if one is missing.
func (t ending) Waits() string {
	said := t.received
	for _, o := range t.plan.items[t.at:] {
		switch {
		case o.kind == barrier:
			return o.text
		case o.kind == reasoning && !t.shown && (t.hidden || t.quiet || !t.claims.Reasoning):
		case (o.kind == text || o.kind == reasoning) && said >= len(o.text):
		default:
			return ""
		}
		said = 0
	}
	return ""
}

// Speaks reports whether a text must come before the next barrier.
func (t ending) Speaks() bool {
	for _, o := range t.plan.items[t.at:] {
		if o.kind == barrier {
			return false
		}
		if o.kind == text && o.text != "" {
			return true
		}
	}
	return false
}

// Thinks reports whether the next item is reasoning, and none was sent.
func (t ending) Thinks() bool {
	o := t.inspect()
	return o != nil && o.kind == reasoning && !t.shown
}

// Silent returns the violation of a server that doesn't send a required text.
func (t ending) Silent(got string) *Violation {
	o := t.inspect()
	return violated("helix-ui.text.live", t.describe(o), got, "a text doesn't come while the agent waits")
}

// NextBarrier returns the next barrier although items before it are missing: other items than texts may be delayed, or
// never come.
func (t ending) NextBarrier() string {
	t.quiet = true
	for _, o := range t.plan.items[t.at:] {
		if o.kind == barrier {
			return o.text
		}
	}
	return ""
}

// Released continues after a barrier.
func (t ending) Released(name string) {
	for i := t.at; i < len(t.plan.items); i++ {
		if o := t.plan.items[i]; o.kind == barrier && o.text == name {
			t.plan.items = slices.Delete(t.plan.items, i, i+1)
			for n := range t.plan.free {
				if i < t.plan.free[n].from {
					t.plan.free[n].shift(-1)
				}
			}
			break
		}
	}
	t.occasions.Saw("helix-ui.text.live")
}

// Garbled returns the violation of unreadable data where the next text contains framing characters, nil for any other.
func (t ending) Garbled(raw []byte) error {
	o := t.inspect()
	if o == nil || json.Valid(raw) || o.kind != text && o.kind != reasoning || !strings.ContainsAny(o.text, "\r\n\x00") {
		return nil
	}
	return violated("helix-ui.wire.framing", t.describe(o), clipped(string(raw)), "a text changes the framing of the stream")
}

// Early reports whether the message ended before its end, and whether that was because the run failed.
func (t ending) Early() (early, failure bool) {
	for _, o := range t.plan.items {
		failure = failure || o.kind == failed || o.kind == unfinished
		early = early || failure || o.kind == aborted
	}
	return early, failure
}
