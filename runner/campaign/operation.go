package campaign

import (
	"fmt"
	"iter"
	"regexp"
	"strconv"
	"strings"
)

// Operation is a line of a program: something that happens several times in a row.
type Operation struct {
	Count int    // from 1 to MostTimes
	Kind  string // one that the pack knows
	Class string // of its data, "" for an operation without data; Every for all classes in turn
	Size  int    // of its data, in bytes
	// Choice selects one of the ways in which it may happen the first time, from 0, the usual one. The next time it happens by
	// the next choice, so that an operation of some length happens in all its ways.
	Choice int
}

// Every selects all classes of data in turn.
const Every = "every"

const (
	// MostTimes is the largest Count of an operation.
	MostTimes = 5000
	mostBytes = 4 << 20
)

var operation = regexp.MustCompile(`^(\d{1,7}) ([a-z ]+?)(?: of ([a-z-]+) data of (\d{1,7}) bytes)?(?: by choice (\d{1,7}))?$`)

// HasData reports whether its text contains data.
func (o Operation) HasData() bool { return o.Class != "" }

func (o Operation) String() string {
	out := fmt.Sprintf("%d %s", o.Count, o.Kind)
	if o.HasData() {
		out += fmt.Sprintf(" of %s data of %d bytes", o.Class, o.Size)
	}
	return out + ByChoice(o.Choice)
}

// ByChoice returns how a line of a program ends that has a choice, "" for the usual one.
func ByChoice(choice int) string {
	if choice == 0 {
		return ""
	}
	return fmt.Sprintf(" by choice %d", choice)
}

// ParseOperation reads an operation as String writes it. known reports whether a kind exists, and whether it has data.
func ParseOperation(text string, known func(kind string) (data, known bool)) (o Operation, err error) {
	m := operation.FindStringSubmatch(text)
	if m == nil {
		return o, fmt.Errorf("%q is no operation", text)
	}
	o = Operation{Kind: m[2], Class: m[3]}
	for i, to := range map[int]*int{1: &o.Count, 4: &o.Size, 5: &o.Choice} {
		if m[i] == "" {
			continue
		}
		if *to, err = strconv.Atoi(m[i]); err != nil {
			return o, fmt.Errorf("%q: %w", text, err)
		}
	}
	switch data, is := known(o.Kind); {
	case !is:
		return o, fmt.Errorf("%q: there is no operation %q", text, o.Kind)
	case data != o.HasData():
		return o, fmt.Errorf("%q: data is said where it is held, and nowhere else", text)
	case data && o.Class != Every && !IsClass(o.Class):
		return o, fmt.Errorf("%q: there is no class of data %q", text, o.Class)
	case o.Count > MostTimes || o.Size > mostBytes || o.Count*o.Size > mostBytes:
		return o, fmt.Errorf("%q: a number is beyond what a history may have", text)
	}
	return o, nil
}

// After returns the operation as it happens after n times.
func (o Operation) After(n int) Operation {
	o.Choice += n
	return o
}

// apart is the distance of the choices of two texts that the operation has at once. Their classes differ, and of three
// consecutive ones one has no number.
const apart = 37

// Sample returns the nth text, from 0, that the operation has at once. Two of three choices have a number in front, so that
// no two texts of a program are the same; the others are unchanged, such as white space alone.
func (o Operation) Sample(nth, number int) string {
	o.Choice += apart * nth
	made := o.Sized()
	if o.Class != "plain" && o.Choice%3 == 0 {
		return made
	}
	return fmt.Sprintf("%d %s", number, made)
}

// Sized returns the text of the operation's data without a number.
func (o Operation) Sized() string {
	class, i := o.Class, o.Choice
	if class == Every {
		class, i = TextClass(i)
	}
	return Text(class, i, o.Size)
}

// Simpler lists the replacements of an operation for shrinking.
func (o Operation) Simpler() []Operation {
	var out []Operation
	add := func(change func(*Operation)) {
		other := o
		if change(&other); other != o && other.Count > 0 {
			out = append(out, other)
		}
	}
	add(func(o *Operation) { o.Count = 1 })
	add(func(o *Operation) { o.Count /= 2 })
	add(func(o *Operation) { o.Count-- })
	add(func(o *Operation) { o.Choice = 0 })
	if o.HasData() {
		add(func(o *Operation) { o.Class = "plain" })
		add(func(o *Operation) { o.Size = 1 })
		add(func(o *Operation) { o.Size /= 2 })
	}
	return out
}

// Lines returns the lines of the text of a program, without the space around them. Empty ones don't count.
func Lines(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && !yield(line) {
				return
			}
		}
	}
}

// Number reads the digits of a line of a program; more digits than any number there has are a number beyond all of them.
func Number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 1 << 30
	}
	return n
}

// Plural returns the form of an English word with which so many are counted.
func Plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// NarrowBuffer is the receive buffer in bytes of a connection whose reader stalls or reads slowly, so that the server keeps
// what it has to send.
const NarrowBuffer = 4 << 10
