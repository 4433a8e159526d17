package alter

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Wire is the point where a server's events become bytes: it installs a change there, which is called once for each
// sequence and gets the bytes of each event, its blank line included.
type Wire[O, C, E any] func(change func(sequence C) func(block []byte, e E) []byte) func(O) O

// Frames are the bytes of those events of a wire that a condition means. The methods change them, and leave the bytes of
// all other events as they are.
type Frames[O, C, E any] struct {
	wire Wire[O, C, E]
	when When[C, E]
}

// When selects the frames of the events for which all conditions hold; without any, every frame.
func (w Wire[O, C, E]) When(conditions ...When[C, E]) Frames[O, C, E] {
	return Frames[O, C, E]{wire: w, when: And(conditions...)}
}

// BytesIn changes the bytes of each, and gets the sequence. It is called once for each sequence.
func (f Frames[O, C, E]) BytesIn(change func(course C) func(whole []byte, e E) []byte) func(O) O {
	return f.wire(func(course C) func([]byte, E) []byte {
		hit, change := f.when(course), change(course)
		return func(whole []byte, e E) []byte {
			if hit(e) {
				return change(whole, e)
			}
			return whole
		}
	})
}

// Bytes changes the bytes of each without remembering anything.
func (f Frames[O, C, E]) Bytes(change func(whole []byte, e E) []byte) func(O) O {
	return f.BytesIn(func(C) func([]byte, E) []byte { return change })
}

// Before writes a text before each frame.
func (f Frames[O, C, E]) Before(text string) func(O) O {
	return f.Bytes(func(whole []byte, _ E) []byte { return append([]byte(text), whole...) })
}

// Behind appends text after the blank line of each.
func (f Frames[O, C, E]) Behind(text string) func(O) O {
	return f.Bytes(func(whole []byte, _ E) []byte { return append(whole, text...) })
}

// Replace replaces a text everywhere in the bytes of each.
func (f Frames[O, C, E]) Replace(old, new string) func(O) O {
	return f.Bytes(func(whole []byte, _ E) []byte { return bytes.ReplaceAll(whole, []byte(old), []byte(new)) })
}

// Latin1 writes letters that Latin-1 has as one byte.
func (f Frames[O, C, E]) Latin1() func(O) O {
	return f.Bytes(func(whole []byte, _ E) []byte {
		out := make([]byte, 0, len(whole))
		for _, r := range string(whole) {
			if r >= 0x80 && r <= 0xff {
				out = append(out, byte(r))
				continue
			}
			out = utf8.AppendRune(out, r)
		}
		return out
	})
}

// Drop leaves them out.
func (f Frames[O, C, E]) Drop() func(O) O { return f.Bytes(func([]byte, E) []byte { return nil }) }

// Fields changes the fields of each.
func (f Frames[O, C, E]) Fields(change func(b *Block, e E)) func(O) O {
	return f.Bytes(func(whole []byte, e E) []byte {
		b := ParseBlock(whole)
		change(&b, e)
		return b.Append(nil)
	})
}

// Indent prints the JSON of each for people, with a data line for each of its lines.
func (f Frames[O, C, E]) Indent() func(O) O {
	return f.Fields(func(b *Block, _ E) {
		var pretty bytes.Buffer
		if json.Indent(&pretty, []byte(strings.Join(b.Data, "\n")), "", "  ") == nil {
			b.Data = strings.Split(pretty.String(), "\n")
		}
	})
}

// Unspaced removes the space after the colon of each field.
func (f Frames[O, C, E]) Unspaced() func(O) O {
	return f.Bytes(func(whole []byte, _ E) []byte {
		lines := bytes.Split(whole, []byte("\n"))
		for i, line := range lines {
			lines[i] = bytes.Replace(line, []byte(": "), []byte(":"), 1)
		}
		return bytes.Join(lines, []byte("\n"))
	})
}

// Unterminated removes the blank line after each.
func (f Frames[O, C, E]) Unterminated() func(O) O {
	return f.Bytes(func(whole []byte, _ E) []byte { return bytes.TrimSuffix(whole, []byte("\n")) })
}

// Name sets the event field; an empty name removes it.
func (f Frames[O, C, E]) Name(name string) func(O) O {
	return f.Fields(func(b *Block, _ E) { b.Event = name })
}

// JSON changes the text of the JSON in each.
func (f Frames[O, C, E]) JSON(change func(text []byte) []byte) func(O) O {
	return f.Bytes(func(whole []byte, _ E) []byte { return OnData(whole, change) })
}

// Members changes the members of the JSON object in each.
func (f Frames[O, C, E]) Members(change func(members Object, e E)) func(O) O {
	return f.Fields(func(b *Block, e E) { b.Members(func(o Object) { change(o, e) }) })
}

// Set sets a member to a JSON text.
func (f Frames[O, C, E]) Set(name, value string) func(O) O {
	return f.Members(func(members Object, _ E) { members[name] = json.RawMessage(value) })
}

// SetTo sets a member to the result of a function of the event, encoded as JSON.
func (f Frames[O, C, E]) SetTo(name string, value func(e E) any) func(O) O {
	return f.Members(func(members Object, e E) { members[name] = Encode(value(e)) })
}

// Remove takes members away.
func (f Frames[O, C, E]) Remove(names ...string) func(O) O {
	return f.Members(func(members Object, _ E) { members.Remove(names...) })
}

// Rename gives a member another name, if it is there.
func (f Frames[O, C, E]) Rename(old, new string) func(O) O {
	return f.Members(func(members Object, _ E) { members.Rename(old, new) })
}

// Quote makes a text of a member's JSON.
func (f Frames[O, C, E]) Quote(name string) func(O) O {
	return f.Members(func(members Object, _ E) { members.Quote(name) })
}
