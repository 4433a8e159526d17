package diff

import (
	"testing"

	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/schemas"
)

// TestBodies: a body of a golden is recognised as the document with its members, and not if that is ambiguous.
func TestBodies(t *testing.T) {
	set, err := schemas.Load(schemas.FS, packs.Names()[0])
	if err != nil {
		t.Fatal(err)
	}
	e := &evidence{old: set, now: set, known: map[judged]verdicts{}, musts: map[judged][]string{}}
	for _, c := range []struct {
		body    string
		clients bool
		want    string
	}{
		{`{"chunkCount":0,"latestSequence":0,"status":"active"}`, false, "stream-info"},
		{`{"status":"paused"}`, true, "control/status"},
		{`{"chunkCount":0,"latestSequence":0,"status":7}`, false, ""},
		{`{"messages":[],"state":{},"status":"active","streamSequence":0,"timestamp":{ts1}}`, false, "snapshot"},
		{`{"messages":[],"state":{},"status":"active","streamSequence":0,"timestamp":"{ts1}"}`, false, "snapshot"},
		{`{"type":"end"}`, false, ""},
		{`no JSON`, false, ""},
		{`[]`, false, ""},
		{`{}`, true, ""},
	} {
		if got, _ := e.body([]byte(c.body), c.clients); got != c.want {
			t.Errorf("%s is %q, want %q", c.body, got, c.want)
		}
	}
}
