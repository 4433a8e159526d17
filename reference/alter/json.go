package alter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Object is a JSON object whose members keep their bytes.
type Object map[string]json.RawMessage

// Encode writes JSON without the escapes that only HTML needs, so that a decorator changes only the intended part. It
// panics at a value that JSON can't express.
func Encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// Members reads an object; nil if the text isn't one.
func Members(text []byte) Object {
	var members Object
	if json.Unmarshal(text, &members) != nil {
		return nil
	}
	return members
}

// Text returns a member that is a string; empty if it isn't one.
func (o Object) Text(name string) string {
	var text string
	if json.Unmarshal(o[name], &text) != nil {
		return ""
	}
	return text
}

// Has reports whether a member is there, null or not.
func (o Object) Has(name string) bool { return o[name] != nil }

// Set sets a member to a value, encoded as JSON.
func (o Object) Set(name string, value any) { o[name] = Encode(value) }

// Remove takes members away.
func (o Object) Remove(names ...string) {
	for _, name := range names {
		delete(o, name)
	}
}

// Rename gives a member another name, if it is there.
func (o Object) Rename(old, new string) {
	if value, there := o[old]; there {
		o[new] = value
		delete(o, old)
	}
}

// Quote makes a text of a member's JSON, if the member is there.
func (o Object) Quote(name string) {
	if value, there := o[name]; there {
		o[name] = Encode(string(value))
	}
}

// Each changes each object in a list, if a member is a list of objects.
func (o Object) Each(name string, change func(one Object)) {
	o.Keep(name, func(one Object) bool {
		change(one)
		return true
	})
}

// Keep removes the objects of a member's list for which retain returns false; retain may change them.
func (o Object) Keep(name string, retain func(one Object) bool) {
	var list []Object
	if json.Unmarshal(o[name], &list) != nil {
		return
	}
	list = slices.DeleteFunc(append([]Object{}, list...), func(one Object) bool { return !retain(one) })
	o[name] = Encode(list)
}

// Walk replaces a decoded value and all in it, the innermost first. Members keep their names.
func Walk(v any, change func(any) any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = Walk(v[name], change)
		}
	case []any:
		for i := range v {
			v[i] = Walk(v[i], change)
		}
	}
	return change(v)
}

// Recode decodes a JSON text, whose numbers stay text, and encodes the result of change. A text that isn't JSON is returned
// as it is.
func Recode(text json.RawMessage, change func(any) any) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return text
	}
	return Encode(change(v))
}

// Spaced writes JSON with spaces and tabs between its tokens.
func Spaced(text []byte) []byte {
	var out bytes.Buffer
	if json.Indent(&out, text, "", "\t") != nil {
		return text
	}
	return append([]byte("  "), bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte(" "))...)
}

// Escaped escapes characters beyond ASCII in JSON, and every solidus that isn't escaped yet. Both occur only in strings.
func Escaped(text []byte) []byte {
	var out []byte
	begun := false // the character before begins an escape
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '/' && !begun:
			out = append(out, `\/`...)
		case r > 0xffff:
			out = fmt.Appendf(out, `\u%04x\u%04X`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		case r >= utf8.RuneSelf:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, text[:n]...)
		}
		begun, text = r == '\\' && !begun, text[n:]
	}
	return out
}
