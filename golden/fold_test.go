package golden

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestChanges: equal changes of different lines have the same text.
func TestChanges(t *testing.T) {
	const before = `# toy.words.all · One
== the client attaches
> GET /streams/{stream}/events
> last-event-id: 2
< 200
< content-type: text/event-stream
< date: today
id: 3
data: {"date":1,"list":[{"a":1},{"a":2}],"text":"x"}

== server closes

# toy.words.all · Two
== the client attaches
> GET /a
< 200
< date: yesterday

# toy.words.gone · Three
== the client attaches
`
	const after = `# toy.words.all · One
== the client attaches
> GET /streams/{stream}/events
> last-event-id: 3
< 404
< content-type: text/event-stream
id: 3
data: {"list":[{"a":1},{"a":3}],"new":true,"text":"x"}

== server closes

# toy.words.all · Two
== the client attaches
> GET /a
< 200

# toy.words.new · Four
== the client attaches
`
	parse := func(text string) File {
		f, err := Parse("a.txt", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	var got []string
	for _, c := range Changes(parse(before), parse(after)) {
		got = append(got, c.Requirement+": "+c.What)
	}
	want := []string{
		"toy.words.all: header `last-event-id` of a request changed",
		"toy.words.all: status changed",
		"toy.words.all: header `date` of a response removed",
		"toy.words.all: member `date` removed",
		"toy.words.all: member `list/*/a` changed",
		"toy.words.all: member `new` added",
		"toy.words.all: header `date` of a response removed",
		"toy.words.gone: a transcript is gone",
		"toy.words.new: a transcript is new",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if same := Changes(parse(before), parse(before)); same != nil {
		t.Errorf("nothing changed, got %v", same)
	}
}
