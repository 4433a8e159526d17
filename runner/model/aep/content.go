package aep

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Event is one event of a response.
type Event struct {
	Kind    string
	Members map[string]any
	Raw     string // its JSON
}

func (e Event) text(name string) string {
	s, _ := e.Members[name].(string)
	return s
}

// content is the content of a response, assembled from its events as a client assembles it.
type content struct {
	blocks   []*block
	at       map[string]*block
	messages []string // ids of the messages, in the order in which they began
	length   int      // of all texts, in bytes
	calls    int
	outcomes int
	metadata bool
	answered []any  // the content of done
	answers  string // the message that done completes
}

// block is a unit of content.
type block struct {
	kind    string
	message int // index of its message in content.messages
	index   float64
	indexed bool
	name    string // of the tool
	pieces  strings.Builder
	divided bool // it has a piece
	stop    map[string]any
}

// collect adds a stage of a block.
func (c *content) collect(e Event) {
	key := e.Kind + " " + e.text("messageId") + " " + e.text("blockId")
	b := c.at[key]
	if b == nil || e.text("stage") == "start" {
		b = &block{kind: e.Kind, message: c.indexOf(e.text("messageId")), name: e.text("toolName")}
		b.index, b.indexed = number(e.Members["blockIndex"])
		if c.at == nil {
			c.at = map[string]*block{}
		}
		c.at[key], c.blocks = b, append(c.blocks, b)
		switch e.Kind {
		case "tool_call":
			c.calls++
		case "tool_result":
			c.outcomes++
		}
	}
	before := len(b.text())
	switch e.text("stage") {
	case "delta":
		if piece, ok := e.Members["delta"].(string); ok {
			b.pieces.WriteString(piece)
			b.divided = true
		}
	case "stop":
		b.stop = e.Members
	}
	if e.Kind == "text" {
		c.length += len(b.text()) - before
	}
}

// indexOf returns the index of a message in the response.
func (c *content) indexOf(message string) int {
	i := slices.Index(c.messages, message)
	if i < 0 {
		i, c.messages = len(c.messages), append(c.messages, message)
	}
	return i
}

func number(v any) (float64, bool) {
	n, ok := v.(float64)
	return n, ok
}

func (b *block) text() string {
	if b.divided {
		return b.pieces.String()
	}
	s, _ := b.stop["text"].(string)
	return s
}

// of lists the blocks of a kind, message after message, and in each in the order of blockIndex where every block has one.
func (c *content) of(kind string) []*block {
	out := slices.DeleteFunc(slices.Clone(c.blocks), func(b *block) bool { return b.kind != kind })
	if !slices.ContainsFunc(c.blocks, func(b *block) bool { return !b.indexed }) {
		slices.SortStableFunc(out, func(a, b *block) int {
			return cmp.Or(cmp.Compare(a.message, b.message), cmp.Compare(a.index, b.index))
		})
	}
	return out
}

func (c *content) joined() string {
	var all strings.Builder
	for _, b := range c.of("text") {
		all.WriteString(b.text())
	}
	return all.String()
}

// arguments returns the arguments of one of the calls, from its pieces, its stop or done; known is false if none has them.
func (c *content) arguments(calls []*block, b *block) (v any, known bool) {
	if text := b.pieces.String(); strings.TrimSpace(text) != "" {
		if json.Unmarshal([]byte(text), &v) != nil {
			return text, true
		}
		return v, true
	}
	if v, known = b.stop["args"]; known {
		return v, true
	}
	var inDone []map[string]any
	for _, item := range c.answered {
		if object, _ := item.(map[string]any); object["type"] == "tool_use" {
			inDone = append(inDone, object)
		}
	}
	if len(inDone) != len(calls) { // done has those of its own message alone
		only := slices.Index(c.messages, c.answers)
		calls = slices.DeleteFunc(slices.Clone(calls), func(call *block) bool { return call.message != only })
	}
	if n := slices.Index(calls, b); n >= 0 && n < len(inDone) {
		v, known = inDone[n]["args"]
		return v, known || b.divided
	}
	return nil, b.divided
}

// contents judges the content of messages.
type contents struct{ *Turn }

// beginning checks that the text received so far is a prefix of the text of the first script steps.
//
// aep.content.text: the texts are the agent's text, without its reasoning.
func (t contents) beginning(acts int) error {
	want := t.literal(acts)
	got := t.joined()
	if !strings.HasPrefix(want, got) && !t.echoes(acts) {
		return t.differs(want, got)
	}
	return nil
}

// echoes reports whether one of the first script steps is an echo, whose text the script doesn't contain.
func (t contents) echoes(acts int) bool {
	return slices.ContainsFunc(t.Script[:acts], func(a ScriptStep) bool { return a.Name == "echo" })
}

// literal returns the text that the first script steps specify, without the text of its echoes.
func (t contents) literal(acts int) string {
	var all strings.Builder
	for _, act := range t.Script[:acts] {
		if act.Name == "text" {
			all.WriteString(act.Text)
		}
	}
	return all.String()
}

func (t contents) differs(want, got string) error {
	for _, m := range markers.FindAllString(got, -1) {
		if m != t.Marker() && !(t.echoes(len(t.Script)) && t.thread.owns(m)) {
			return violation("aep.security.isolation", "the texts of this request", clipped(got), "the response holds what belongs to %s", m)
		}
	}
	for _, act := range t.Script {
		if act.Name == "thinking" && len(act.Text) > len(t.Marker()) && strings.Contains(got, act.Text) && !strings.Contains(want, act.Text) {
			return violation("aep.content.thinking-apart", "what the agent says", clipped(got), "a text contains the agent's reasoning")
		}
	}
	w, g := apart(want, got)
	return violation("aep.content.text", w, g, "the texts of a response differ from the agent's text")
}

// complete compares the complete response with the complete script.
func (t contents) complete() error {
	rest := t.joined()
	whole := rest
	for _, act := range t.Script {
		switch act.Name {
		case "text":
			after, ok := strings.CutPrefix(rest, act.Text)
			if !ok {
				return t.differs(t.literal(len(t.Script)), whole)
			}
			rest = after
		case "echo":
			d := json.NewDecoder(strings.NewReader(rest))
			var got any
			if err := d.Decode(&got); err != nil {
				return violation(echoed[act.Text], "JSON", clipped(rest), "the agent's echo of its %s is incomplete", act.Text)
			}
			rest = rest[d.InputOffset():]
			if err := t.repeated(act.Text, got); err != nil {
				return err
			}
		}
	}
	if strings.TrimSpace(rest) != "" || rest != "" && !t.echoes(len(t.Script)) {
		return t.differs(t.literal(len(t.Script)), whole)
	}
	t.thread.world.Occasions.Saw("aep.content.text")
	if err := t.dividedCharacter(); err != nil {
		return err
	}
	return t.called()
}

// dividedCharacter finds a divided character in reasoning: its halves become U+FFFD, in any form in which a server sends reasoning.
func (t contents) dividedCharacter() error {
	const half = "\ufffd"
	thought, got := 0, 0
	for _, act := range t.Script {
		if act.Name == "thinking" {
			thought += strings.Count(act.Text, half)
		}
	}
	for _, b := range t.of("thinking") {
		got += strings.Count(b.text(), half)
	}
	if got > thought {
		return violation("aep.content.whole-characters", fmt.Sprintf("U+FFFD %d times", thought), count(got), "a thought holds halves of characters")
	}
	return nil
}

// echoed contains the requirements that an agent's echo checks.
var echoed = map[string]string{
	"messages": "aep.request.text-blocks", "history": "aep.threads.history", "results": "aep.actions.result", "context": "aep.request.context",
}

// repeated compares the agent's echo with the client's request.
func (t contents) repeated(what string, got any) error {
	var want any
	switch what {
	case "history":
		return t.thread.history(t.Turn, got)
	case "messages":
		want = allBared(t.Texts)
		if list, ok := got.([]any); ok {
			got = barer(list)
		}
	case "context":
		// aep.request.context-once, that no other keys reach it, is a SHOULD NOT.
		handed, _ := got.(map[string]any)
		sent := map[string]any{}
		for name := range t.Context {
			if v, there := handed[name]; there {
				sent[name] = v
			}
		}
		want, got = append([]any{}, t.Context), []any{sent}
		if t.Context == nil {
			want = []any{map[string]any{}}
		}
	case "results":
		objects := []any{}
		for _, r := range t.Results {
			objects = append(objects, r.Object(t.thread.world.Result))
		}
		if want = objects; t.unclear() { // which of them count is the server's to say
			return nil
		}
	}
	if !same(want, got) {
		w, g := apart(text(decoded(want)), text(got))
		return violation(echoed[what], w, g, "the agent was handed other %s than were sent", what)
	}
	t.thread.world.Occasions.Saw(echoed[what])
	return nil
}

// barer is allBared for an agent's history.
func barer(list []any) any {
	out := []any{}
	for _, item := range list {
		if text, ok := item.(string); ok {
			item = bared(text)
		}
		out = append(out, item)
	}
	return out
}

func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return string(raw)
}

// same compares a value that was sent with one that came; numbers are doubles.
func same(want, got any) bool { return reflect.DeepEqual(decoded(want), got) }

// given returns the arguments that the model gave to a call.
func (t contents) given(call int, act ScriptStep) any {
	if t.Sent == nil {
		return act.Tool.Arguments
	}
	return t.Sent(call, act.Tool.Arguments)
}

// called compares the calls and their outcomes.
func (t contents) called() error {
	occasions := t.thread.world.Occasions
	calls, n := t.of("tool_call"), 0
	for _, act := range t.Script {
		if act.Name != "tool" {
			continue
		}
		if n++; n > len(calls) {
			continue
		}
		call := calls[n-1]
		got, known := t.arguments(calls, call)
		switch {
		case call.name != "" && call.name != act.Tool.Name:
			return violation("aep.tools.call", clipped(act.Tool.Name), clipped(call.name), "call %d names another tool", n)
		case known && !same(t.given(n-1, act), got):
			w, g := apart(text(decoded(t.given(n-1, act))), text(got))
			return violation("aep.tools.arguments", w, g, "call %d has other arguments", n)
		case known:
			occasions.Saw("aep.tools.arguments")
		}
		occasions.Saw("aep.tools.call")
		occasions.Saw("aep.tools.result")
		occasions.Saw("aep.tools.payload-hidden")
	}
	if n != t.calls {
		return violation("aep.tools.call", count(n), count(t.calls), "the response has another number of calls")
	}
	if n != t.outcomes {
		return violation("aep.tools.result", count(n), count(t.outcomes), "the response has another number of outcomes")
	}
	return nil
}
