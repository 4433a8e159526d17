package model

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestUnequalShowsWhatDiffers: long values are shown around their difference, short ones completely.
func TestUnequalShowsWhatDiffers(t *testing.T) {
	long := strings.Repeat("ß", 270_000)
	for _, c := range []struct {
		want, got  any
		show, come string
	}{
		{"a", "b", `"a"`, `"b"`},
		{[]byte(`{"a":1}`), []byte(nil), `{"a":1}`, "nothing"},
		{json.RawMessage(`[1]`), nil, `[1]`, "null"},
		{long + "x and the end", long + "another end", `ßßx and the end"… (from byte 5399`, `ßßanother end"… (from byte 5399`},
		{long, "short", `"ßß`, `"short"`},
		{long, long + "more", `ßß"… (from byte 5399`, `ßßmore"… (from byte 5399`},
	} {
		b := Unequal("p.a.b", c.want, c.got, "another")
		if !strings.Contains(b.Want, c.show) || !strings.Contains(b.Got, c.come) || len(b.Want) > 300 || len(b.Got) > 300 {
			t.Errorf("want %s\ngot  %s", b.Want, b.Got)
		}
	}
}
