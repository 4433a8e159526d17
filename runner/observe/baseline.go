package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/wire"
)

// roleOf returns the role of a frame for a resuming reader.
func roleOf(r *pack.Resume, f *wire.Frame) pack.Role {
	if r == nil || !f.Dispatched() {
		return pack.Other
	}
	return r.Role(f.Data)
}

// Bounds on the frames that are stored of a read.
const (
	mostCompared = 200_000
	mostOthers   = 10_000 // that no resume brings again: positions to disconnect at
)

// An excerpt is the frames of a read that are compared, and some of those between
// them.
type excerpt struct {
	frames   []*wire.Frame // in the order of the stream
	compared int           // frames that resumes have to repeat, stored up to mostCompared
	others   int           // all other frames, stored up to mostOthers
	left     int           // frames to be compared that were not stored
}

// add stores a frame if a resume must repeat it, and returns its role.
func (k *excerpt) add(resume *pack.Resume, f *wire.Frame) pack.Role {
	r := roleOf(resume, f)
	n, most := &k.compared, mostCompared
	if r == pack.Other || r == pack.Removal {
		n, most = &k.others, mostOthers
	}
	switch *n++; {
	case *n <= most:
		k.frames = append(k.frames, f)
	case most == mostCompared:
		k.left++
	}
	return r
}

// An event is one that must come again.
type event struct {
	id   string // of the first read
	data []byte // as the first read had it
	end  int64  // where its frame ends in the body of the first read
}

// A baseline is the result of one uninterrupted read.
type baseline struct {
	events   []event         // in the order of the stream, each id once
	index    map[string]int  // of events by id
	terminal *event          // nil for a stream that goes on
	gone     map[string]bool // ids that a later read from the start lacked; no resume has to repeat them
	idless   bool            // some chunks came without an id
}

// newBaseline returns the events of a read up to its terminal frame. Of two events with one id
// only the first counts.
func newBaseline(r *pack.Resume, frames []*wire.Frame) *baseline {
	b := &baseline{index: map[string]int{}, gone: map[string]bool{}}
	for _, f := range frames {
		switch roleOf(r, f) {
		case pack.Event:
			b.idless = b.idless || !f.HasID
			if _, twice := b.index[f.ID]; f.HasID && !twice {
				b.index[f.ID] = len(b.events)
				b.events = append(b.events, event{f.ID, f.Data, f.End})
			}
		case pack.Terminal:
			b.terminal = &event{f.ID, f.Data, f.End}
			return b
		}
	}
	return b
}

// drop forgets the events that a second read didn't bring.
func (b *baseline) drop(missing map[string]bool) {
	var left []event
	b.index = map[string]int{}
	for _, e := range b.events {
		if missing[e.id] {
			b.gone[e.id] = true
			continue
		}
		b.index[e.id] = len(left)
		left = append(left, e)
	}
	b.events = left
}

// latest returns the id of the last event.
func (b *baseline) latest() string { return b.events[len(b.events)-1].id }

// after returns the index of the last event that a cursor acknowledges, -1 for none.
func (b *baseline) after(cursor *string) int {
	if cursor == nil {
		return -1
	}
	if i, ok := b.index[*cursor]; ok {
		return i
	}
	at := -1
	for i, e := range b.events {
		if !above(e.id, *cursor) {
			at = i
		}
	}
	return at
}

// offset returns the position in the body of the first read at which the data after a cursor begins.
func (b *baseline) offset(cursor *string) int64 {
	if i := b.after(cursor); i >= 0 {
		return b.events[i].end
	}
	return 0
}

// ends reports whether a cursor is at or past the terminal frame.
func (b *baseline) ends(cursor *string) bool {
	if b.terminal == nil || b.terminal.id == "" || cursor == nil {
		return false
	}
	id := b.terminal.id
	return *cursor == id || digits(id) && digits(*cursor) && above(*cursor, id)
}

// digits reports whether an id is a decimal number.
func digits(id string) bool {
	if id == "" || id[0] == '0' && id != "0" {
		return false
	}
	for _, c := range []byte(id) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// above compares two decimal numbers of any length.
func above(a, b string) bool { return len(a) > len(b) || len(a) == len(b) && a > b }

// same reports whether two frames say the same in some members, however it is
// written.
func same(a, b []byte, members []string) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y map[string]json.RawMessage
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	for _, name := range members {
		if !sameValue(x[name], y[name]) {
			return false
		}
	}
	return true
}

// sameValue reports whether two JSON values are equal, members in any order. Values that are no JSON are equal only
// byte by byte.
func sameValue(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := canonical(a)
	y, errY := canonical(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// canonical writes a JSON value in one way: members sorted, no white space, numbers
// by their value.
func canonical(data []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("reading a frame: %w", err)
	}
	out, err := json.Marshal(asNumbers(v))
	if err != nil {
		return nil, fmt.Errorf("writing a frame: %w", err)
	}
	return out, nil
}

// asNumbers makes 1.0 and 1e0 the same as 1. Integers of any length stay exact.
func asNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if digits(string(v)) {
			return v
		}
		if f, err := strconv.ParseFloat(string(v), 64); err == nil {
			if text := strconv.FormatFloat(f, 'f', -1, 64); len(text) < 32 {
				return json.Number(text)
			}
		}
	case []any:
		for i := range v {
			v[i] = asNumbers(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = asNumbers(v[name])
		}
	}
	return v
}
