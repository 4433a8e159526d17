package wire

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestDataThatIsHeavyDecoded: a block is refused whose values would take far more memory than its bytes, and one with as many
// of the same characters in a text isn't.
func TestDataThatIsHeavyDecoded(t *testing.T) {
	for name, c := range map[string]struct {
		begin, part, end string
		n                int
		heavy            bool
	}{
		"empty objects":         {"[", "{},", "{}]", 5_000_000, true},
		"objects in objects":    {"[", `{"a":{}},`, "{}]", 1_600_000, true},
		"numbers":               {"[", "1,", "1]", 7_500_000, true},
		"operations of a patch": {"[", `{"op":"add","path":"/a/0","value":1},`, "{}]", 400_000, false},
		"one text":              {`["\"`, `{},\\`, `"]`, 3_000_000, false},
		"levels without an end": {"", "[", "", 5_000_000, false},
	} {
		body := "data: " + c.begin + strings.Repeat(c.part, c.n) + c.end
		for _, end := range []string{"\n\n", ""} {
			r := NewReader(strings.NewReader("data: 1\n\n"+body+end), Options{})
			if f, err := r.Next(); err != nil || string(f.Data) != "1" {
				t.Fatal(f, err)
			}
			_, err := r.Next()
			var limit *LimitError
			switch heavy := errors.As(err, &limit); {
			case heavy != c.heavy || !heavy && err != nil:
				t.Errorf("%s: %v", name, err)
			case heavy && (!limit.Decoded || limit.Offset != 9 || limit.Line != 3 || len(r.Tail()) < len(body)):
				t.Errorf("%s: %+v", name, limit)
			}
			if _, again := r.Next(); c.heavy && again != err || !c.heavy && !errors.Is(again, io.EOF) {
				t.Errorf("%s: then %v", name, again)
			}
		}
	}
}
