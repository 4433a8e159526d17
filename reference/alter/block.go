package alter

import (
	"bytes"
	"slices"
	"strings"
)

// Encoder is a function that appends the block of an event to dst. Its method makes it an encoder of any reference
// server whose events are of type E.
type Encoder[E any] func(dst []byte, e E) []byte

// Append calls the function.
func (f Encoder[E]) Append(dst []byte, e E) []byte { return f(dst, e) }

// Block is one event of a stream as its fields.
type Block struct {
	Event string   // empty: no event line
	ID    string   // empty: no id line
	Data  []string // one for each data line
}

// ParseBlock reads a block that a reference server wrote: fields with one space after the colon, lines that end with a
// line feed, a blank line at the end. It skips fields of other names.
func ParseBlock(whole []byte) Block {
	var b Block
	for _, line := range strings.Split(strings.TrimSuffix(string(whole), "\n\n"), "\n") {
		switch name, value, _ := strings.Cut(line, ": "); name {
		case "event":
			b.Event = value
		case "id":
			b.ID = value
		case "data":
			b.Data = append(b.Data, value)
		}
	}
	return b
}

// Append writes the block and its blank line.
func (b Block) Append(dst []byte) []byte {
	field := func(name, value string) {
		dst = append(append(append(append(dst, name...), ": "...), value...), '\n')
	}
	if b.Event != "" {
		field("event", b.Event)
	}
	if b.ID != "" {
		field("id", b.ID)
	}
	for _, line := range b.Data {
		field("data", line)
	}
	return append(dst, '\n')
}

// Members changes the members of the JSON object in the block's data.
func (b *Block) Members(change func(Object)) {
	members := Members([]byte(strings.Join(b.Data, "\n")))
	change(members)
	b.Data = []string{string(Encode(members))}
}

// OnData changes the JSON in a block that has one data line and no line after it.
func OnData(block []byte, change func(text []byte) []byte) []byte {
	const field = "data: "
	head, text, _ := bytes.Cut(block, []byte(field))
	return slices.Concat(head, []byte(field), change(bytes.TrimSuffix(text, []byte("\n\n"))), []byte("\n\n"))
}
