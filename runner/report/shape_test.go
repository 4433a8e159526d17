package report_test

import (
	"testing"

	"github.com/streamcert/streamcert/runner/report"
)

func TestInShapeOf(t *testing.T) {
	const chunk = `event 2 ({"delta":"b","type":"text_delta"})`
	for _, c := range []struct{ want, got, shown string }{
		{chunk, `{"type":"chunk","sequence":1,"chunk":{"type":"text_delta","delta":"<a>"}}`, `a chunk with sequence 1 ({"delta":"<a>","type":"text_delta"})`},
		{chunk, `{"type":"end"}`, `a frame of type end ({"type":"end"})`},
		{chunk, "the end of the stream", "the end of the stream"},
		{chunk, `{"type":"chunk","chunk":{"delta":"… (900 bytes)`, `{"type":"chunk","chunk":{"delta":"… (900 bytes)`},
		{`"First. Done."`, "First.  Done.", `"First.  Done."`},
		{`"a"`, `"b"`, `"b"`},
		{`"a"`, `12`, `12`},
		{"a sequence above 1", "1", "1"},
		{"", "x", "x"},
	} {
		if got := report.InShapeOf(c.want, c.got); got != c.shown {
			t.Errorf("want %s, got %s: shown as %s, expected %s", c.want, c.got, got, c.shown)
		}
	}
}
