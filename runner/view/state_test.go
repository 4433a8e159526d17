package view_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/view"
)

func TestPatchesAreAppliedOrLeftOut(t *testing.T) {
	many := "[" + strings.Repeat(`{"op":"add","path":"/l/-","value":1},`, 30) + `{"op":"add","path":"/l/-","value":2}]`
	for name, c := range map[string]struct {
		before, patches, after string // after is "" if the patch must be left out
	}{
		"set":           {`{}`, `[{"op":"add","path":"/a","value":1}]`, `{"a":1}`},
		"append":        {`{"l":[1]}`, `[{"op":"add","path":"/l/-","value":2}]`, `{"l":[1,2]}`},
		"insert":        {`{"l":[1]}`, `[{"op":"add","path":"/l/0","value":2}]`, `{"l":[2,1]}`},
		"move":          {`{"a":1}`, `[{"op":"move","from":"/a","path":"/b"}]`, `{"b":1}`},
		"escaped":       {`{}`, `[{"op":"add","path":"/a~1b~0","value":1}]`, `{"a/b~":1}`},
		"many":          {`{"l":[]}`, many, `{"l":[` + strings.Repeat("1,", 30) + `2]}`},
		"html":          {`{}`, `[{"op":"add","path":"/a","value":"<&>"}]`, `{"a":"<&>"}`},
		"order":         {`{"z":1,"a":2}`, `[{"op":"replace","path":"/z","value":3}]`, `{"z":3,"a":2}`},
		"missing":       {`{}`, `[{"op":"replace","path":"/a","value":1}]`, ""},
		"half":          {`{}`, `[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}]`, ""},
		"negative":      {`{"l":[1]}`, `[{"op":"remove","path":"/l/-1"}]`, ""},
		"past the end":  {`{"l":[1]}`, `[{"op":"add","path":"/l/7","value":1}]`, ""},
		"no pointer":    {`{}`, `[{"op":"add","path":"a","value":1}]`, ""},
		"no path":       {`{}`, `[{"op":"add","value":1}]`, ""},
		"no value":      {`{}`, `[{"op":"add","path":"/a"}]`, ""},
		"no operation":  {`{}`, `[{"op":"merge","path":"/a","value":1}]`, ""},
		"no array":      {`{}`, `{"op":"add","path":"/a","value":1}`, ""},
		"test that not": {`{"a":1}`, `[{"op":"test","path":"/a","value":2}]`, ""},
	} {
		var s view.State
		if _, err := s.Apply(json.RawMessage(fmt.Sprintf(`[{"op":"add","path":"","value":%s}]`, c.before))); err != nil {
			t.Fatal(err)
		}
		_, err := s.Apply(json.RawMessage(c.patches))
		want := c.after
		if want == "" {
			want = c.before
		}
		if got := string(s.Document()); got != want || (err != nil) != (c.after == "") {
			t.Errorf("%s: got %s, %v; want %s", name, got, err, want)
		}
	}
}

func TestChangesSayWhatWasThere(t *testing.T) {
	var s view.State
	if string(s.Document()) != "{}" {
		t.Error("a state begins as {}")
	}
	changes, err := s.Apply(json.RawMessage(`[{"op":"add","path":"/a","value":{"b":[1]}},{"op":"replace","path":"/a/b/0","value":2},{"op":"remove","path":"/a"}]`))
	if err != nil || len(changes) != 3 || changes[0].Old != nil || string(changes[1].Old) != "1" || string(changes[2].Old) != `{"b":[2]}` {
		t.Errorf("%s %v", changes, err)
	}
}
