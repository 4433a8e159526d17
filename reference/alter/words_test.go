package alter

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// played applies an alteration to a sequence of one-letter texts; the result is the text of the items, joined.
func played(alteration func([]Change[string, string]) []Change[string, string], items string) string {
	changes := alteration(nil)
	var out []string
	for _, begin := range changes {
		change := begin("course")
		for _, item := range strings.Fields(items) {
			out = append(out, change(item)...)
		}
	}
	return strings.Join(out, " ")
}

// texts is a flow of texts: it appends the changes that are installed there.
func texts(change Change[string, string]) func([]Change[string, string]) []Change[string, string] {
	return func(all []Change[string, string]) []Change[string, string] { return append(all, change) }
}

type textFlow = Flow[[]Change[string, string], string, string]

func is(text string) When[string, string] {
	return Each[string](func(item string) bool { return strings.HasPrefix(item, text) })
}

func never() When[string, string] { return is("").Not() }

func TestWhen(t *testing.T) {
	const items = "a b a c a b a"
	for _, c := range []struct {
		name string
		when When[string, string]
		want string // without the selected items
	}{
		{"each", is("a"), "b c b"},
		{"nothing", never(), items},
		{"not", is("a").Not(), "a a a a"},
		{"or", is("b").Or(is("c")), "a a a a"},
		{"and, of no conditions", And[string, string](), ""},
		{"nth", is("a").Nth(2), "a b c a b a"},
		{"from", is("a").From(3), "a b a c b"},
		{"every", is("a").Every(2), "a b c a b"},
		{"since, with the item that begins", is("").Since(is("c")), "a b a"},
		{"after, without it", is("").After(is("c")), "a b a c"},
		{"before", is("a").Before(is("c")), "b c a b a"},
		{"next", is("a").Next(is("b")), "a b c a b"},
		{"between, again and again", is("").Between(is("b"), is("c")), "a b c a b"},
		{"between, where each ends what it begins", is("a").Between(is("a"), is("b").Or(is("c"))), items},
		{"within, where more began than ended", is("").Within(is("b").Or(is("c")), is("a").Nth(2).Or(is("a").Nth(3))), "a a a"},
		{"per, for each anew", Per(func(item string) string { return item }, is("").From(2)), "a b c"},
		{"counts all, not what other conditions leave", is("a").Nth(4).And(is("").After(is("b").Nth(2))), "a b a c a b"},
		{"in other courses", In[string, string](func(course string) bool { return course == "other" }), items},
	} {
		if got := played(textFlow(texts).When(c.when).Drop(), items); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestChoice(t *testing.T) {
	chosen := textFlow(texts).When(is("a"))
	for _, c := range []struct {
		name string
		do   func([]Change[string, string]) []Change[string, string]
		want string
	}{
		{"drop", chosen.Drop(), "b1 c1 b2"},
		{"repeat", chosen.Repeat(), "a1 a1 b1 a2 a2 a3 a3 c1 b2"},
		{"edit", chosen.Edit(func(item *string) { *item += "!" }), "a1! b1 a2! a3! c1 b2"},
		{"edit in", chosen.EditIn(func(course string, item *string) { *item = course }), "course b1 course course c1 b2"},
		{"edit course", chosen.EditSequence(func(string) func(*string) {
			n := 0
			return func(item *string) { n++; *item = fmt.Sprint(n) }
		}), "1 b1 2 3 c1 b2"},
		{"edit by", chosen.EditBy(is("b"), func(item *string, last string) { *item += last }), "a1 b1 a2b1 a3b1 c1 b2"},
		{"follow by", chosen.FollowBy(is("b"), func(item, last string) []string { return []string{item + last} }), "a1 b1 a2 a2b1 a3 a3b1 c1 b2"},
		{"to by", chosen.ToBy(is("b"), func(item, last string) []string { return []string{last + item} }), "a1 b1 b1a2 b1a3 c1 b2"},
		{"hold behind", chosen.HoldBehind(is("b")), "b1 a1 c1 b2 a2 a3"},
		{"follow", chosen.Follow(func(_, item string) []string { return []string{item[1:]} }), "a1 1 b1 a2 2 a3 3 c1 b2"},
		{"map to nothing that changes", chosen.Map(func(string) func(string) []string { return nil }), "a1 b1 a2 a3 c1 b2"},
		{"late", chosen.Delay(never()), "a1 b1 a2 a3 c1 b2"},
		{"late, behind", chosen.Delay(is("c")), "a1 b1 a2 c1 a3 b2"},
		{"drop before", chosen.DropBefore(is("c")), "a1 b1 a2 c1 b2"},
		{"hold until", chosen.HoldUntil(is("c")), "b1 a1 a2 a3 c1 b2"},
		{"again", chosen.Again(is("c")), "a1 b1 a2 a3 a3 c1 b2"},
		{"stick", Stick(chosen, func(item *string) *string { return item }), "a1 b1 a1 a1 c1 b2"},
	} {
		if got := played(c.do, "a1 b1 a2 a3 c1 b2"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDelayLast: an item that no other follows is never sent.
func TestDelayLast(t *testing.T) {
	if got := played(textFlow(texts).When(is("a")).Delay(never()), "b a"); got != "b" {
		t.Errorf("got %q", got)
	}
}

func TestRenumber(t *testing.T) {
	type item struct{ n int }
	flow := Flow[[]int, string, item](func(change Change[string, item]) func([]int) []int {
		return func(numbers []int) (out []int) {
			next := change("")
			for _, n := range numbers {
				out = append(out, next(item{n})[0].n)
			}
			return out
		}
	})
	even := Each[string](func(i item) bool { return i.n%2 == 0 })
	got := Renumber(flow.When(even), 7, func(i *item) *int { return &i.n })([]int{2, 3, 4, 4})
	if !slices.Equal(got, []int{7, 3, 8, 9}) {
		t.Errorf("got %v", got)
	}
}

func TestFrames(t *testing.T) {
	// The wire of this test is a block of the event; an alteration of the wire is a function on an event.
	wire := Wire[func(string) string, string, string](func(change func(string) func([]byte, string) []byte) func(func(string) string) func(string) string {
		return func(encode func(string) string) func(string) string {
			course := change("course")
			return func(e string) string { return string(course([]byte(encode(e)), e)) }
		}
	})
	encode := func(e string) string { return "event: " + e + "\ndata: {\"kind\":\"" + e + "\",\"n\":7}\n\n" }
	chosen := wire.When(is("a"))
	for _, c := range []struct {
		name string
		do   func(func(string) string) func(string) string
		want string
	}{
		{"drop", chosen.Drop(), ""},
		{"before", chosen.Before(": x\n"), ": x\nevent: a\ndata: {\"kind\":\"a\",\"n\":7}\n\n"},
		{"behind", chosen.Behind(": x\n"), "event: a\ndata: {\"kind\":\"a\",\"n\":7}\n\n: x\n"},
		{"replace", chosen.Replace("a", "o"), "event: o\ndoto: {\"kind\":\"o\",\"n\":7}\n\n"},
		{"indent", chosen.Indent(), "event: a\ndata: {\ndata:   \"kind\": \"a\",\ndata:   \"n\": 7\ndata: }\n\n"},
		{"unspaced", chosen.Unspaced(), "event:a\ndata:{\"kind\":\"a\",\"n\":7}\n\n"},
		{"unterminated", chosen.Unterminated(), "event: a\ndata: {\"kind\":\"a\",\"n\":7}\n"},
		{"spaced", chosen.JSON(Spaced), "event: a\ndata:   { \t\"kind\": \"a\", \t\"n\": 7 }\n\n"},
		{"name", chosen.Name(""), "data: {\"kind\":\"a\",\"n\":7}\n\n"},
		{"JSON", chosen.JSON(func([]byte) []byte { return []byte("0") }), "event: a\ndata: 0\n\n"},
		{"set", chosen.Set("n", "null"), "event: a\ndata: {\"kind\":\"a\",\"n\":null}\n\n"},
		{"set to", chosen.SetTo("n", func(e string) any { return e }), "event: a\ndata: {\"kind\":\"a\",\"n\":\"a\"}\n\n"},
		{"remove", chosen.Remove("n", "m"), "event: a\ndata: {\"kind\":\"a\"}\n\n"},
		{"rename", chosen.Rename("n", "m"), "event: a\ndata: {\"kind\":\"a\",\"m\":7}\n\n"},
		{"quote", chosen.Quote("n"), "event: a\ndata: {\"kind\":\"a\",\"n\":\"7\"}\n\n"},
	} {
		altered := c.do(encode)
		if got := altered("a"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if got := altered("b"); got != encode("b") {
			t.Errorf("%s: another event became %q", c.name, got)
		}
	}
}

func TestObject(t *testing.T) {
	o := Members([]byte(`{"list":[{"a":1},{"b":2}],"text":"é"}`))
	o.Each("list", func(one Object) { one.Rename("a", "c") })
	o.Keep("list", func(one Object) bool { return !one.Has("b") })
	o.Keep("text", func(Object) bool { t.Error("a text is no list"); return false })
	if got := string(Encode(o)); got != `{"list":[{"c":1}],"text":"é"}` || o.Text("text") != "é" || o.Text("list") != "" {
		t.Errorf("got %s", got)
	}
}

func TestEscaped(t *testing.T) {
	const want = `"a\u00e9\ud83d\uDE00 \/\/ \n\\\/"`
	if got := string(Escaped([]byte(`"a` + "\u00e9\U0001f600" + ` /\/ \n\\/"`))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPerKey(t *testing.T) {
	var l PerKey[int]
	if Count(&l, "a") != 1 || Count(&l, "a") != 2 || l.Swap("a", 7) != 2 || l.Get("a") != 7 || l.Get("b") != 0 {
		t.Errorf("got %d and %d", l.Get("a"), l.Get("b"))
	}
	alteration := WithState(func(n *int) func(int) int {
		return func(o int) int { *n++; return o + *n }
	})
	if alteration(1) != 2 || alteration(1) != 2 { // each server has a state of its own
		t.Error("two servers share a state")
	}
}
