package aep

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestSpelled: a body means the same in every spelling, and each spelling is another one.
func TestSpelled(t *testing.T) {
	raw := encode(map[string]any{"texts": allTexts(0), "é/\\": named(1), "\\": "\\/", "😀": `\u0041`})
	var want any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for n := range 4 {
		var got any
		text := spelled(raw, n)
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(want, got) {
			t.Errorf("spelling %d: %v, %.300s", n, err, text)
		}
		seen[string(text)] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d spellings, expected 4", len(seen))
	}
	if got := string(spelled([]byte(`{"a/":"\\/😀é"}`), 1)); got != `{"a\/":"\\\/\ud83d\ude00\u00e9"}` {
		t.Errorf("in ASCII it is %s", got)
	}
}

// TestCatalogued: programs that hold all data name each text and each value.
func TestCatalogued(t *testing.T) {
	p := Draw(1, 0, "answers that hold data", func(string) bool { return true })
	all, payloads := false, map[int]bool{}
	for _, o := range p.operations {
		all = all || o.class == every
		for _, a := range o.acts {
			if a.name == "continue" && a.class == sample && a.size%3 == 0 {
				payloads[a.size/3%bareValues] = true
			}
		}
	}
	if !all || len(payloads) < bareValues {
		t.Errorf("%d of %d values, everything: %v", len(payloads), bareValues, all)
	}
}
