package steps

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// unit is one block of a response, put together as a client does.
type unit struct {
	kind   string
	key    string
	index  float64
	starts *told
	pieces strings.Builder
	cut    bool // it has a piece
	stop   map[string]any
}

// units puts the blocks together from what was read so far, in the order of
// blockIndex where every block has one, and else in that of their beginning.
func (t *turn) units() []*unit {
	var out []*unit
	at := map[string]*unit{}
	indexed := true
	for _, e := range t.events {
		switch e.kind {
		case "text", "thinking", "tool_call", "tool_result":
		default:
			continue
		}
		key := e.kind + " " + e.text("messageId") + " " + e.text("blockId")
		u, known := at[key]
		if !known || e.text("stage") == "start" {
			u = &unit{kind: e.kind, key: key, starts: e}
			n, ok := e.value["blockIndex"].(json.Number)
			u.index = float(n)
			indexed = indexed && ok
			at[key] = u
			out = append(out, u)
		}
		switch e.text("stage") {
		case "delta":
			if piece, ok := e.value["delta"].(string); ok {
				u.pieces.WriteString(piece)
				u.cut = true
			}
		case "stop":
			u.stop = e.value
		}
	}
	if indexed {
		slices.SortStableFunc(out, func(a, b *unit) int { return cmp.Compare(a.index, b.index) })
	}
	return out
}

// text is what a text or thinking block says.
func (u *unit) text() string {
	if !u.cut {
		s, _ := u.stop["text"].(string)
		return s
	}
	return u.pieces.String()
}

// joined is what all blocks of a kind say.
func (t *turn) joined(kind string) string {
	var b strings.Builder
	for _, u := range t.units() {
		if u.kind == kind {
			b.WriteString(u.text())
		}
	}
	return b.String()
}

// arguments are those of a call, by its deltas or by its stop; ok is false where
// neither has them.
func (u *unit) arguments() (v any, ok bool) {
	if strings.TrimSpace(u.pieces.String()) != "" {
		v, err := decode([]byte(u.pieces.String()))
		return v, err == nil
	}
	v, ok = u.stop["args"]
	return v, ok
}

func (t *turn) unitsOf(kind string) []*unit {
	return slices.DeleteFunc(t.units(), func(u *unit) bool { return u.kind != kind })
}

// contentOf are the blocks of a type in the content of done.
func (t *turn) contentOf(kind string) []map[string]any {
	var out []map[string]any
	if t.over == nil {
		return nil
	}
	items, _ := t.over.value["content"].([]any)
	for _, item := range items {
		if object, _ := item.(map[string]any); object["type"] == kind {
			out = append(out, object)
		}
	}
	return out
}
