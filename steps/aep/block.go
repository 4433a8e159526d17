package aep

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/steps"
)

// block is a content block of a response, joined as a client does.
type block struct {
	kind     string          // type of its events
	key      string          // kind, messageId and blockId; a block that starts again has an equal one
	message  int             // its position among the messages
	index    float64         // blockIndex; 0 if it has none
	starts   *event          // the event that began it
	pieces   strings.Builder // concatenated deltas
	hasPiece bool            // it has a piece
	stop     map[string]any  // members of its stop, nil before
}

// blocks assembles the blocks of the events so far, message after message, in the order of blockIndex if every block has
// one, and otherwise in the order of their beginning.
func (t *turn) blocks() []*block {
	var out []*block
	at := map[string]*block{}
	messages := map[string]int{}
	indexed := true
	for _, e := range t.events {
		switch e.kind {
		case "text", "thinking", "tool_call", "tool_result":
		default:
			continue
		}
		key := e.kind + " " + e.text("messageId") + " " + e.text("blockId")
		b, known := at[key]
		if !known || e.text("stage") == "start" {
			message := e.text("messageId")
			if _, begun := messages[message]; !begun {
				messages[message] = len(messages)
			}
			b = &block{kind: e.kind, key: key, message: messages[message], starts: e}
			n, ok := e.value["blockIndex"].(json.Number)
			b.index = steps.Float(n)
			indexed = indexed && ok
			at[key] = b
			out = append(out, b)
		}
		switch e.text("stage") {
		case "delta":
			if piece, ok := e.value["delta"].(string); ok {
				b.pieces.WriteString(piece)
				b.hasPiece = true
			}
		case "stop":
			b.stop = e.value
		}
	}
	if indexed {
		slices.SortStableFunc(out, func(a, b *block) int {
			return cmp.Or(cmp.Compare(a.message, b.message), cmp.Compare(a.index, b.index))
		})
	}
	return out
}

// text returns the content of a text or thinking block.
func (b *block) text() string {
	if !b.hasPiece {
		s, _ := b.stop["text"].(string)
		return s
	}
	return b.pieces.String()
}

// joined returns the content of all blocks of a kind.
func (t *turn) joined(kind string) string {
	var all strings.Builder
	for _, b := range t.blocks() {
		if b.kind == kind {
			all.WriteString(b.text())
		}
	}
	return all.String()
}

// arguments returns the arguments of a call, from its deltas or its stop; ok is false if neither has them.
func (b *block) arguments() (v any, ok bool) {
	if strings.TrimSpace(b.pieces.String()) != "" {
		v, err := steps.Decode([]byte(b.pieces.String()))
		return v, err == nil
	}
	v, ok = b.stop["args"]
	return v, ok
}

func (t *turn) blocksOf(kind string) []*block {
	return slices.DeleteFunc(t.blocks(), func(b *block) bool { return b.kind != kind })
}

// contentOf returns the blocks of a type in the content of done.
func (t *turn) contentOf(kind string) []map[string]any {
	var out []map[string]any
	if t.over == nil {
		return nil
	}
	items, _ := t.over.value["content"].([]any)
	for _, item := range items {
		if object, _ := item.(map[string]any); object["type"] == kind {
			out = append(out, t.w.names.Specified(kind, object))
		}
	}
	return out
}
