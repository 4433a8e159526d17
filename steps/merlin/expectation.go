package merlin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/steps"
)

// shown is an event as it is compared.
type shown struct {
	name string // of the event
	data any    // decoded JSON
	raw  []byte // the text of a slice as it was written; nil for other events
}

// sendsThese compares the events between the beginning and the end, one a line: a name and members that the data must have.
// Consecutive slices are one message. The name step matches an event or a message with a step that has the members, and
// title one with the title of a manager. A word with a dollar sign before it matches any string, each time the same.
func (w *world) sendsThese(doc string) error {
	var want []shown
	for line := range strings.Lines(strings.TrimSpace(doc)) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		data, err := steps.Decode([]byte(text))
		if err != nil {
			return steps.Faultf("%s is no event: %v", line, err)
		}
		want = append(want, shown{name: name, data: data})
	}
	if err := w.readToEnd(); err != nil {
		return err
	}
	got := w.shown()
	if !slices.ContainsFunc(want, func(s shown) bool {
		return titleOf(s) != nil || s.name == "title" || steps.MemberOf(s.data, "metadata") != nil
	}) { // other steps check them
		got = slices.DeleteFunc(got, func(s shown) bool { return titleOf(s) != nil })
	}
	w.Saw(1)
	if fits(want, got, 0, map[string]string{}) {
		return nil
	}
	bound := map[string]string{}
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			return w.failure(fmt.Sprintf("event %d of the stream", i+1), want[i].String(), "the end")
		case i >= len(want):
			return w.failure(fmt.Sprintf("event %d of the stream", i+1), "the end", got[i].String())
		case !want[i].fits(got[i], bound):
			return w.failure(fmt.Sprintf("event %d of the stream", i+1), want[i].String(), got[i].String())
		}
	}
	return nil
}

// fits reports whether the events of got from the i-th on are the wanted ones, where steps that come again may be left out.
func fits(want, got []shown, i int, bound map[string]string) bool {
	if i == len(got) {
		return len(want) == 0
	}
	if also := maps.Clone(bound); len(want) > 0 && want[0].fits(got[i], also) && fits(want[1:], got, i+1, also) {
		return true
	}
	return again(got[:i], got[i]) && fits(want, got, i+1, bound)
}

// fits reports whether an event is a wanted one.
func (s shown) fits(got shown, bound map[string]string) bool {
	data := got.data
	switch s.name {
	case got.name:
	case "step":
		data = stepOf(got)
	case "title":
		data = titleOf(got)
	default:
		return false
	}
	return data != nil && contains(s.data, data, bound)
}

// untitled searches for the title of a manager, which a stream that shows no step has no occasion to send.
func untitled(w *world) error {
	if err := w.readToEnd(); err != nil {
		return err
	}
	for _, s := range w.shown() {
		switch {
		case titleOf(s) != nil:
			return w.failure("the stream shows a title", "steps alone", s.String())
		case stepOf(s) != nil:
			w.Saw(1)
		}
	}
	return nil
}

// titleOf returns the title of a manager that an event shows, in either form; nil for other events.
func titleOf(s shown) any {
	if stepOf(s) != nil {
		return nil
	}
	if s.name == "progress" {
		return steps.MemberOf(s.data, "payload")
	}
	return steps.MemberOf(s.data, "progress")
}

// again reports whether a step repeats its last state: a client that replaces the state shows no difference, so a server
// may send it or not.
func again(before []shown, s shown) bool {
	st := stepOf(s)
	if st == nil {
		return false
	}
	for _, b := range slices.Backward(before) {
		if last := stepOf(b); last != nil && steps.Same(steps.MemberOf(last, "id"), steps.MemberOf(st, "id")) {
			return b.name == s.name && !slices.ContainsFunc([]string{"name", "status", "values", "icon", "tags"}, func(of string) bool {
				return !steps.Same(steps.MemberOf(last, of), steps.MemberOf(st, of))
			})
		}
	}
	return false
}

// stepOf returns the step that an event shows, in either version; nil for other events.
func stepOf(s shown) any {
	if payload := steps.MemberOf(s.data, "payload"); s.name == "progress" && steps.MemberOf(payload, "id") != nil {
		return payload
	}
	return steps.MemberOf(steps.MemberOf(s.data, "progress"), "steps")
}

func (s shown) String() string { return s.name + " " + string(steps.Encode(s.data)) }

// shown returns the events of the stream that are compared. The first index of a stream without the control binding is the
// server's choice: it counts as 0.
func (w *world) shown() []shown {
	var out []shown
	var first *int64
	for _, f := range w.frames {
		s, ok := w.show(f)
		if !ok {
			continue
		}
		members, _ := s.data.(map[string]any)
		if number, is := members["index"].(json.Number); is && modelled(w) {
			n, _ := number.Int64() // the judge reports other values
			if first == nil {
				first = &n
			}
			members["index"] = json.Number(fmt.Sprint(n - *first))
		}
		if last := len(out) - 1; s.raw != nil && last >= 0 && out[last].raw != nil {
			out[last].raw = append(out[last].raw, s.raw...)
			out[last].data = map[string]any{"content": unquoted(out[last].raw)}
			continue
		}
		out = append(out, s)
	}
	return out
}

// show makes an event comparable; ok is false for the beginning, the end, events of another version of the protocol, and
// events that a server adds.
func (w *world) show(f *wire.Frame) (s shown, ok bool) {
	name := f.Event
	if name == "" {
		name = "message"
	}
	if !isKnown(name) || name == "INIT_MESSAGE_CONTENT" || name == "end" {
		return s, false
	}
	data, err := steps.Decode(f.Data)
	if err != nil {
		data = string(f.Data)
	}
	s = shown{name: name, data: data}
	if name == "progress" || steps.MemberOf(data, "type") == "progress" {
		return s, !modelled(w) // no model asks for it, and a server may have steps of its own
	}
	if name != "message" {
		return s, true
	}
	if w.version == 1 {
		inner, says := innerData(w.version, f)
		if says {
			s.raw = append([]byte{}, inner...)
			s.data = map[string]any{"content": unquoted(inner)}
		}
		return s, true
	}
	switch steps.MemberOf(data, "type") {
	case nil, "text", "reasoning", "progress", "toolCallResult":
		return s, true
	}
	return s, false // a server may send other types or not
}

// indexesDiffer compares the indexes of two texts of version 2, each that of another message.
func (w *world) indexesDiffer(one, other string) error {
	if err := w.readToEnd(); err != nil {
		return err
	}
	found := map[string]any{}
	for _, s := range w.shown() {
		if text, is := steps.MemberOf(s.data, "text").(string); is {
			found[string(steps.Encode(text))] = steps.MemberOf(s.data, "index")
		}
	}
	w.Saw(1)
	a, there := found[one]
	b, too := found[other]
	switch {
	case !there || !too:
		return w.failure("the texts of the stream", one+" and "+other, string(steps.Encode(found)))
	case steps.Same(a, b):
		return w.failure("the indexes of two texts", "two that differ", fmt.Sprintf("%s for both", steps.Encode(a)))
	}
	return nil
}

// contains reports whether a value has the expected content: all members of an object, all items of a list, an equal scalar.
func contains(want, got any, bound map[string]string) bool {
	switch want := want.(type) {
	case map[string]any:
		object, is := got.(map[string]any)
		for name, member := range want {
			value, there := object[name]
			if !is || !there && !absent(name, object, &value) || !contains(member, value, bound) {
				return false
			}
		}
		return is
	case []any:
		list, is := got.([]any)
		if !is || len(list) != len(want) {
			return false
		}
		for i := range want {
			if !contains(want[i], list[i], bound) {
				return false
			}
		}
		return true
	case string:
		text, is := got.(string)
		if word, isWord := strings.CutPrefix(want, "$"); isWord && bound != nil {
			if _, known := bound[word]; !known {
				bound[word] = text
			}
			want = bound[word]
		}
		return is && text == want
	case json.Number:
		return steps.Same(want, got)
	}
	return steps.Same(want, got)
}

// absent finds the other name of an index.
func absent(name string, object map[string]any, value *any) (there bool) {
	other := map[string]string{"index": "contentIndex", "contentIndex": "index"}[name]
	if other == "" {
		return false
	}
	*value, there = object[other]
	return there
}
