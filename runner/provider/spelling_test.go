package provider

import (
	"io"
	"strings"
	"testing"
)

// TestSpellings: a body differs by its spelling, and states the same.
func TestSpellings(t *testing.T) {
	p := serve(t, Options{})
	want := map[Spelling]string{
		Marked: "\ufeffdata: {", "lines that end in CRLF": "}\r\n\r\n", "lines that end in CR": "}\r\r:\r", "no space behind data": "data:{",
		"two lines of data": "data: {\ndata: \"id\"", "fields other than data": "\nretry: 3000\n", "comments": ": ping\n\n",
	}
	for spelling, holds := range want {
		name := p.Add("s", Script{Steps: []Step{{Actions: []Action{spelling, Text("a b"), Spelling(""), Text(" c")}}}})
		raw, err := io.ReadAll(requestCompletion(t, p, user("x"+Marker(name)), nil).Body)
		if err != nil || !strings.Contains(string(raw), holds) {
			t.Errorf("%s: %v in %q", spelling, err, raw)
		}
		usual := strings.NewReplacer("\ufeff", "", "\r\n", "\n", "\r", "\n", "data:{", "data: {", "{\ndata: ", "{").Replace(string(raw))
		if got := listen(strings.NewReader(usual)); got.Text != "a b c" || !got.Done {
			t.Errorf("%s says %+v", spelling, got)
		}
	}
	if len(want) != len(Spellings())+1 {
		t.Errorf("%d spellings are tried of %d", len(want)-1, len(Spellings()))
	}
}
