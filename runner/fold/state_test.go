package fold_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
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
		f := fold.New(fold.Options{Trusting: true})
		if err := patched(f, fmt.Sprintf(`[{"op":"add","path":"","value":%s}]`, c.before), nil); err != nil {
			t.Fatal(err)
		}
		err := patched(f, c.patches, nil)
		want := c.after
		if want == "" {
			want = c.before
		}
		if got := string(f.State(f.Root).JSON()); got != want || (err != nil) != (c.after == "") {
			t.Errorf("%s: got %s, %v; want %s", name, got, err, want)
		}
	}
}

func TestStatesAreSeenBeforeEachOperation(t *testing.T) {
	f := fold.New(fold.Options{Trusting: true})
	var before []string
	err := patched(f, `[{"op":"add","path":"/a","value":{"b":[1]}},{"op":"replace","path":"/a/b/0","value":2},{"op":"remove","path":"/a"}]`,
		func(_ int, state *patch.Document) error {
			before = append(before, string(state.JSON()))
			return nil
		})
	if diff := cmp.Diff([]string{`{}`, `{"a":{"b":[1]}}`, `{"a":{"b":[2]}}`}, before); diff != "" || err != nil {
		t.Errorf("(-want +got) %s%v", diff, err)
	}
}

// patched shows a patch of the root agent to a fold.
func patched(f *fold.Fold, patches string, before func(int, *patch.Document) error) error {
	p := &fold.Patch{Before: before}
	p.Operations, p.Err = patch.Operations([]byte(patches))
	c := &fold.Chunk{Kind: "state_patch", AgentID: "a", Patch: p, Length: len(patches), Members: object{}}
	f.Advance(judge.Number{})
	f.Meet(c)
	return f.Take(c).Err
}
