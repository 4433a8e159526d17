package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// parse decodes a value; objects keep the order of their members.
func parse(text []byte) (any, error) {
	r := &parser{json.NewDecoder(bytes.NewReader(text))}
	r.d.UseNumber()
	v, err := r.value(maxNesting)
	var limit *LimitError
	switch {
	case errors.As(err, &limit):
		return nil, err
	case err == nil:
		_, err = r.d.Token()
	}
	if !errors.Is(err, io.EOF) {
		return nil, syntax("it is not one JSON value")
	}
	return v, nil
}

// maxNesting is the nesting from which a text is refused unread.
const maxNesting = 10_000

// errNesting ends the parsing of a text with too many levels.
var errNesting error = &LimitError{"levels of nesting", maxNesting}

// parser decodes token by token: encoding/json loses the order of the members of an object.
type parser struct{ d *json.Decoder }

// value reads the next value, which lies below depth containers. The error is errNesting, or that of the decoder.
func (r *parser) value(depth int) (any, error) {
	token, err := r.d.Token()
	if err != nil {
		return nil, noEnd(err)
	}
	at, ok := token.(json.Delim)
	switch {
	case !ok:
		return token, nil
	case depth == 0:
		return nil, errNesting
	case at == '[':
		a := &array{items: []any{}}
		for r.d.More() {
			item, err := r.value(depth - 1)
			if err != nil {
				return nil, err
			}
			a.items = append(a.items, item)
		}
		_, err = r.d.Token()
		return a, noEnd(err)
	}
	o := &object{index: map[string]int{}}
	for r.d.More() {
		name, err := r.d.Token()
		if err != nil {
			return nil, noEnd(err)
		}
		v, err := r.value(depth - 1)
		if err != nil {
			return nil, err
		}
		text, _ := name.(string) // the decoder accepts only strings there
		o.set(text, v)
	}
	_, err = r.d.Token()
	return o, noEnd(err)
}

// noEnd makes an error of an end that comes too early.
func noEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// encoded returns the JSON of a value, or about its first limit bytes. complete reports whether that is all of it.
func encoded(v any, limit int) (text []byte, complete bool) {
	w := writer{limit: limit}
	w.value(v)
	return w.b.Bytes(), w.b.Len() <= limit
}

// writer writes JSON up to a limit. It checks the limit between values, so that it exceeds it by one text at most.
type writer struct {
	b     bytes.Buffer
	limit int
}

// full reports whether the limit is exceeded, after which nothing more is written.
func (w *writer) full() bool { return w.b.Len() > w.limit }

// value writes a value. One that isn't known is null.
func (w *writer) value(v any) {
	switch v := v.(type) {
	case *object:
		w.members(v)
	case *array:
		w.items(v.items)
	case []any:
		w.items(v)
	case string:
		w.text(v)
	case nil, bool, json.Number, map[string]any:
		text, err := marshalled(v)
		if err != nil {
			text = "null" // a number that no decoder lets through
		}
		w.b.WriteString(text)
	default:
		w.b.WriteString("null")
	}
}

// members writes an object in the order of its members. Those of an open object that aren't known are left out.
func (w *writer) members(o *object) {
	w.b.WriteByte('{')
	first := true
	for _, m := range o.list {
		if w.full() {
			break
		}
		if _, isAbsent := m.value.(absent); m.gap || isAbsent {
			continue
		}
		if !first {
			w.b.WriteByte(',')
		}
		first = false
		w.text(m.name)
		w.b.WriteByte(':')
		w.value(m.value)
	}
	w.b.WriteByte('}')
}

// items writes an array.
func (w *writer) items(items []any) {
	w.b.WriteByte('[')
	for i, item := range items {
		if w.full() {
			break
		}
		if i > 0 {
			w.b.WriteByte(',')
		}
		w.value(item)
	}
	w.b.WriteByte(']')
}

// text writes a string.
func (w *writer) text(s string) {
	text, _ := marshalled(s) // a string is always written
	w.b.WriteString(text)
}

// marshalled returns the JSON of a value, its characters as themselves.
func marshalled(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}
