package crosscheck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
)

// rules treats the complete answer as an id.
var rules = Rules{Isolation: "p.c.apart", IDs: func(e *record.Exchange, see func(requirement, name, id string)) {
	see("p.c.unique", "ticket", string(e.Answer))
}}

func exchange(path, body, answer string, frames ...string) *record.Exchange {
	e := &record.Exchange{Request: record.Request{Kind: record.Read, Path: path, Body: []byte(body)}, Response: record.Response{Answer: []byte(answer)}}
	for i, data := range frames {
		e.Frames = append(e.Frames, &wire.Frame{Index: i, Data: []byte(data)})
	}
	return e
}

func TestRepeated(t *testing.T) {
	l := New(rules, "sc-a")
	one, two := l.Row(Scenario{"One", "a:1"}), l.Row(Scenario{"Two", "b:2"})
	for _, c := range []struct {
		row  *Row
		id   string
		want string
	}{
		{one, "x", ""}, {one, "x", ""}, {two, "y", ""}, {two, "x", `x, as in "One" (a:1)`}, {two, "y", ""},
		{l.Row(Scenario{"One", "a:1"}), "y", `y, as in "Two" (b:2)`}, // once more, by itself
	} {
		got := ""
		for _, f := range c.row.Repeated(exchange("", "", c.id)) {
			got += f.Got
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.id, got, c.want)
		}
	}
	for n := range most {
		one.Repeated(exchange("", "", fmt.Sprint(n)))
	}
	if one.Repeated(exchange("", "", "new")); two.Repeated(exchange("", "", "new")) != nil || len(l.ids) != most {
		t.Errorf("%d ids are kept", len(l.ids))
	}
}

func TestStrays(t *testing.T) {
	stamp := func(n int) string {
		return fmt.Sprintf(`{"chunk":{"timestamp": %d}}`, golden.Epoch+n*target.EpochLength+7)
	}
	for _, c := range []struct{ name, path, body, answer, frame, want string }{
		{"its own", "/streams/sc-a-1", stamp(1), "sc-a-1", stamp(1), ""},
		{"a name", "/streams/sc-a-1", "", "sc-a-2.", "", "the name sc-a-2"},
		{"a longer name", "/streams/sc-a-2", "", "sc-a-21", "", ""}, // no scenario's
		{"a timestamp", "/", stamp(1), "", stamp(2), "a timestamp"},
		{"a timestamp in a text", "/", stamp(1), "", strings.ReplaceAll(stamp(2), `"`, `\"`), "a timestamp"},
		{"another number", "/", stamp(1), "", strings.ReplaceAll(stamp(2), "timestamp", "id"), ""},
		{"nobody's timestamp", "/", stamp(1), "", stamp(0) + stamp(9) + `{"timestamp":1702329600001}{"timestamp":1795000000000}{"timestamp":"2023"}timestamp`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := New(rules, "sc-a")
			row := l.Row(Scenario{"One", "a:1"})
			e := exchange(c.path, c.body, c.answer, c.frame)
			row.AddRequest(e)
			for _, s := range row.Strays(e) {
				l.Await(s)
			}
			l.Row(Scenario{"Two", "b:2"}).AddRequest(exchange("/x/sc-a-2", stamp(2), "")) // after it came
			got := ""
			for _, f := range l.Leaks() {
				got += f.Got + f.Requirement
			}
			if want := c.want + ` of "Two" (b:2)p.c.apart`; got != want && (c.want != "" || got != "") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestWithoutRules(t *testing.T) {
	row := New(Rules{}, "sc").Row(Scenario{})
	e := exchange("", "", "sc-1")
	if diff := cmp.Diff(0, len(row.Repeated(e))+len(row.Strays(e))); diff != "" {
		t.Error(diff)
	}
}
