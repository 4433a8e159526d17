package judge_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// rendered returns the findings of a base, a line each, and its counts of occasions.
func rendered(b judge.Base) (lines []string, seen map[string]int) {
	for _, f := range b.Found() {
		lines = append(lines, fmt.Sprintf("%s@%d %s: %s, not %s", f.Requirement, f.Frame, f.Message, f.Want, f.Got))
	}
	return lines, b.Occasions()
}

func words(list ...string) (out []judge.Word) {
	for _, w := range list {
		out = append(out, judge.WordOf(w))
	}
	return out
}

// TestTemplates: each template finds its violation, counts its checks, and is silent about unknown facts.
func TestTemplates(t *testing.T) {
	at := judge.At(&wire.Frame{Index: 3})
	w := words("a", "b")
	number := func(n int64) judge.Number { return judge.Number{N: n, OK: true} }
	above := judge.Order{Message: "m", Want: "above %d"}
	least := judge.Order{Message: "m", Want: "at least %d", Equal: true}
	pair := judge.Brackets{
		Paired: "paired", Once: "once", Closed: "closed", Start: "start", End: "end",
		NeverBegan: "never began", Twice: "twice", LeftOpen: "left", Missing: "a %s", Open: "%d open",
	}
	name := func() string { return "x" }
	for what, c := range map[string]struct {
		do   func(*judge.Base)
		want []string
		seen map[string]int
	}{
		"the same word":     {func(b *judge.Base) { b.Same("id", at, "m", w[0], w[0]) }, nil, map[string]int{"id": 1}},
		"another word":      {func(b *judge.Base) { b.Same("id", at, "m", w[0], w[1]) }, []string{`id@3 m: "a", not "b"`}, map[string]int{"id": 1}},
		"no word before":    {func(b *judge.Base) { b.Same("id", at, "m", judge.Word{}, w[1]) }, nil, map[string]int{}},
		"another text":      {func(b *judge.Base) { b.SameText("id", at, "m", "a", "b") }, []string{`id@3 m: "a", not "b"`}, map[string]int{"id": 1}},
		"no text":           {func(b *judge.Base) { b.SameText("id", at, "m", "a", "") }, nil, map[string]int{}},
		"another number":    {func(b *judge.Base) { b.SameNumber("id", at, "m", number(1), number(2)) }, []string{`id@3 m: 1, not 2`}, map[string]int{"id": 1}},
		"another value":     {func(b *judge.Base) { b.SameValue("id", at, "m", false, "{}", []any{}) }, []string{`id@3 m: {}, not []`}, map[string]int{"id": 1}},
		"above":             {func(b *judge.Base) { b.Ascends("id", at, above, number(1), 2) }, nil, map[string]int{"id": 1}},
		"not above":         {func(b *judge.Base) { b.Ascends("id", at, above, number(1), 1) }, []string{`id@3 m: above 1, not 1`}, map[string]int{"id": 1}},
		"as much":           {func(b *judge.Base) { b.Ascends("id", at, least, number(1), 1) }, nil, map[string]int{"id": 1}},
		"less":              {func(b *judge.Base) { b.Ascends("id", at, least, number(1), 0) }, []string{`id@3 m: at least 1, not 0`}, map[string]int{"id": 1}},
		"nothing before":    {func(b *judge.Base) { b.Ascends("id", at, above, judge.Number{}, -1) }, nil, map[string]int{}},
		"an end too much":   {func(b *judge.Base) { b.Unopened(pair, at, true, true, "x") }, []string{`once@3 twice: one end, not another for "x"`}, map[string]int{"once": 1}},
		"an end alone":      {func(b *judge.Base) { b.Unopened(pair, at, false, true, "x") }, []string{`paired@3 never began: a start before it, not none for "x"`}, map[string]int{"paired": 1}},
		"an end, not sure":  {func(b *judge.Base) { b.Unopened(pair, at, false, false, "x") }, nil, map[string]int{}},
		"two left open":     {func(b *judge.Base) { b.AllClosed(pair, at, false, 2, name) }, []string{`closed@3 left: a "x", not 2 open`}, map[string]int{"closed": 1}},
		"all closed":        {func(b *judge.Base) { b.AllClosed(pair, at, true, 0, name) }, nil, map[string]int{"closed": 1}},
		"nothing was there": {func(b *judge.Base) { b.AllClosed(pair, at, false, 0, name) }, nil, map[string]int{}},
		"a name used twice": {func(b *judge.Base) {
			var names judge.Seen
			for range 2 {
				b.Unique("id", at, &names, w[0].Hash, "m", "its own", w[0].Shown)
			}
			names.Age()
			b.Unique("id", at, &names, w[0].Hash, "m", "its own", w[0].Shown)
		}, []string{`id@3 m: its own, not "a"`}, map[string]int{"id": 3}},
	} {
		b := judge.NewBase(judge.Options{}, judge.Wire{})
		c.do(&b)
		lines, seen := rendered(b)
		if diff := cmp.Diff(c.want, lines) + cmp.Diff(c.seen, seen); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
}

// rules returns the requirements of a pack that has all of them.
var rules = judge.Wire{
	ContentType: "type", CacheControl: "cache", UTF8: "utf8", NoBOM: "bom", BlankLine: "blank", SingleDataLine: "line",
	Heartbeat: "beat", BodyCloses: "closes", Unit: "event", AUnit: "an event",
}

func TestBytesOfABody(t *testing.T) {
	quiet := rules
	quiet.Heartbeat = ""
	slow := &wire.Frame{Terminated: true, Silence: 4 * time.Second}
	for what, c := range map[string]struct {
		rules judge.Wire
		do    func(*judge.Base)
		want  []string
	}{
		"silence":           {rules, func(b *judge.Base) { b.Bytes(slow) }, []string{"beat@0 nothing was sent for longer than the heartbeat interval: a comment at least every 2s, not 4s of silence"}},
		"no heartbeat rule": {quiet, func(b *judge.Base) { b.Bytes(slow) }, nil},
		"two lines":         {rules, func(b *judge.Base) { b.Lines(&wire.Frame{DataLines: 2}) }, []string{"line@0 the event's data stands on more than one line: 1 data line, not 2 data lines"}},
		"cut": {rules, func(b *judge.Base) {
			b.Bytes(&wire.Frame{DataLines: 1})
			b.Ends(record.ServerClose, false)
		}, []string{"blank@0 the body ends in the middle of an event, before its blank line: a blank line, not the end of the body"}},
		"cut by us": {rules, func(b *judge.Base) {
			b.Bytes(&wire.Frame{DataLines: 1})
			b.Ends(record.ClientClose, true)
		}, nil},
		"open":      {rules, func(b *judge.Base) { b.Ends(record.Open, true) }, []string{"closes@-1 the body stays open after the terminal event: the end of the body, not an open connection"}},
		"not known": {rules, func(b *judge.Base) { b.Ends(0, true) }, nil},
		"not a type": {rules, func(b *judge.Base) {
			b.StreamHead(judge.Head{Status: 200, Header: map[string][]string{"cache-control": {"No-Store"}}})
		}, []string{`type@-1 a stream is answered with another content type: text/event-stream, not ""`}},
		"kept": {rules, func(b *judge.Base) {
			b.StreamHead(judge.Head{Status: 200, Header: map[string][]string{"content-type": {"text/event-stream; charset"}}})
		}, []string{`cache@-1 caches may keep the stream: Cache-Control: no-cache or no-store, not ""`}},
	} {
		b := judge.NewBase(judge.Options{Heartbeat: 2 * time.Second}, c.rules)
		c.do(&b)
		if lines, _ := rendered(b); cmp.Diff(c.want, lines) != "" {
			t.Errorf("%s: %q", what, lines)
		}
	}
}

func TestHalfSurrogate(t *testing.T) {
	for text, want := range map[string]string{
		`"\ud83d\ude00"`: "", `"\ud83d"`: `\ud83d`, `"\ude00"`: `\ude00`, `"\ud83d\ud83d\ude00"`: `\ud83d`, `"\\ud83d"`: "", `"\ud83`: "", `"\u0041"`: "", `\`: "",
	} {
		if got := judge.HalfSurrogate([]byte(text)); got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

// TestExchange: the exchange determines which parts go to a machine, and which to the judge of answers.
func TestExchange(t *testing.T) {
	stream := []record.Header{{Name: "content-type", Value: "text/event-stream"}}
	for what, c := range map[string]struct {
		exchange record.Exchange
		want     string
	}{
		"control":        {record.Exchange{Request: record.Request{Kind: record.Control}, Response: record.Response{Status: 200}}, ""},
		"no answer":      {record.Exchange{Request: record.Request{Kind: record.Read}}, ""},
		"a stream":       {record.Exchange{Request: record.Request{Kind: record.Read, Path: "/?fromSequence=4", Origin: record.Produced}, Response: record.Response{Status: 200, End: record.Broken}}, "machine 4 connection broke 1"},
		"another status": {record.Exchange{Request: record.Request{Kind: record.Read}, Response: record.Response{Status: 202, Header: stream, End: record.Open}}, "machine  open 0"},
		"a refusal":      {record.Exchange{Request: record.Request{Kind: record.Read}, Response: record.Response{Status: 404, Answer: []byte("x")}}, "answer read 404 x"},
		"a part of one":  {record.Exchange{Request: record.Request{Kind: record.Read}, Response: record.Response{Status: 404, Answer: []byte("{"), End: record.ClientClose}}, ""},
		"a document":     {record.Exchange{Request: record.Request{Kind: record.Document}, Response: record.Response{Status: 200, Answer: []byte("{}")}}, "answer document 200 {}"},
	} {
		got := ""
		pack := judge.Judge{
			Machine: func(o judge.Options) judge.Machine { return &noting{o, &got} },
			Answer: func(_ judge.Options, a judge.Answer) ([]record.Finding, map[string]int) {
				got = fmt.Sprintf("answer %v %d %s", a.Kind, a.Status, a.Body)
				return nil, nil
			},
		}
		if judge.Exchange(pack, judge.Options{}, &c.exchange); got != c.want {
			t.Errorf("%s: %q", what, got)
		}
	}
}

// noting is a machine that records its input.
type noting struct {
	o    judge.Options
	note *string
}

func (n *noting) Head(h judge.Head) []record.Finding { *n.note = "machine " + h.Cursor; return nil }
func (n *noting) Frame(*wire.Frame) []record.Finding { return nil }
func (n *noting) Close(end record.End) []record.Finding {
	*n.note += fmt.Sprintf(" %v %d", end, n.o.Origin)
	return nil
}
func (n *noting) Occasions() map[string]int { return nil }
func (n *noting) Unknown() int              { return 0 }

// breaking is a machine that finds the same in every frame.
type breaking struct{ noting }

func (b *breaking) Frame(f *wire.Frame) []record.Finding {
	return []record.Finding{{Requirement: "toy.a.b", Message: "m", Frame: f.Index}}
}

// TestFindingsOfAnExchangeAreBounded: a violation in every frame is stored for the first.
func TestFindingsOfAnExchangeAreBounded(t *testing.T) {
	e := record.Exchange{Request: record.Request{Kind: record.Read}, Response: record.Response{Status: 200}}
	for i := range 3 {
		e.Frames = append(e.Frames, &wire.Frame{Index: i})
	}
	machine := func(o judge.Options) judge.Machine { return &breaking{noting{o, new(string)}} }
	if found, _ := judge.Exchange(judge.Judge{Machine: machine}, judge.Options{}, &e); len(found) != 1 || found[0].Frame != 0 {
		t.Errorf("got %+v", found)
	}
}

// TestOccasionsAreCountedByID: whatever the ids are, and however many.
func TestOccasionsAreCountedByID(t *testing.T) {
	b := judge.NewBase(judge.Options{}, judge.Wire{})
	want := map[string]int{}
	for n := range 3000 {
		id := fmt.Sprintf("toy.%d.same-end", n%1000)
		if n%2 == 0 {
			id = fmt.Sprint(n % 500)
		}
		b.Saw(id)
		want[id]++
	}
	b.Violation("seen.once", judge.Position{}, "m", "", "")
	b.Violation("1", judge.Position{}, "m", "", "")
	want["seen.once"]++
	b.Saw("1")
	want["1"]++
	b.Witness()
	if diff := cmp.Diff(want, b.Occasions()); diff != "" {
		t.Error(diff)
	}
}
