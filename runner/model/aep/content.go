package aep

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Event is one event of a response.
type Event struct {
	Kind    string         // its type
	Members map[string]any // as encoding/json decodes them; never changed
	Raw     string         // its JSON
}

func (e Event) text(name string) string {
	s, _ := e.Members[name].(string)
	return s
}

// content is the content of a response, assembled from its events as a client assembles it.
type content struct {
	blocks   []*block          // in the order of their starts
	at       map[string]*block // the latest by event, messageId and blockId
	messages []string          // ids of the messages, in the order in which they began
	length   int               // of all texts, in bytes
	calls    int               // blocks of tool_call
	outcomes int               // blocks of tool_result
	answered []any             // the content of done
	answers  string            // the message that done completes
}

// block is a unit of content.
type block struct {
	kind    string          // type of its events
	message int             // index of its message in content.messages
	index   float64         // blockIndex
	indexed bool            // it has one
	name    string          // of the tool
	pieces  strings.Builder // concatenated deltas
	divided bool            // it has a piece
	stop    map[string]any  // members of its stop, nil before
}

// collect adds a stage of a block. A second start of a block begins another one; an event of a block that never started begins
// it.
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

// number returns a number as encoding/json decodes it.
func number(v any) (float64, bool) {
	n, ok := v.(float64)
	return n, ok
}

// text returns the joined pieces; without pieces, the text of the stop.
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

// text returns the texts of all blocks, in their order.
func (c *content) text() string {
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
