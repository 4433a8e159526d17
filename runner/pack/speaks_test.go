package pack_test

import (
	"testing"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/wire"
)

func TestSpeaks(t *testing.T) {
	for name, c := range map[string]struct {
		frames []string
		want   bool
	}{
		"in pieces":      {[]string{`{"delta":"well th"}`, `{"delta":"en"}`}, true},
		"trimmed":        {[]string{`{"delta":"well"}`, `{"delta":"then"}`}, true},
		"in a member":    {[]string{`{"chunk":[{"content":"well then"}],"text":""}`}, true},
		"one word":       {[]string{`{"delta":"well"}`}, false},
		"in two members": {[]string{`{"delta":"well","text":"then"}`}, false},
		"something else": {[]string{`{"delta":"Good morning"}`, `no JSON`}, false},
		"nothing at all": {nil, false},
	} {
		var frames []*wire.Frame
		for _, data := range c.frames {
			frames = append(frames, &wire.Frame{Data: []byte(data)})
		}
		if got := pack.Speaks(frames, "well then"); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
