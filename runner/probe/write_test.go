package probe_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/probe"
)

func TestProbeWrite(t *testing.T) {
	p := &probe.Result{
		URL: "http://h\x1b", Tiers: []string{"observe"}, Listening: 34, Provable: []string{},
		Routes: []probe.Route{
			{Call: "GET /a", Presence: probe.Present, Status: 200},
			{Call: "POST /long", Presence: probe.Absent, Status: 404, Needed: 7},
			{Call: "POST /b", Presence: probe.Wrong, Detail: "reset \a", Needed: 1},
		},
		Capabilities: []probe.Capability{{Name: "resume"}, {Name: "reset", Closed: "not claimed"}},
		Unprovable:   map[string][]string{"POST /long": {"helix.a.b", "helix.a.c"}}, NotClaimed: []string{"x"},
		Unclear: map[string][]string{"POST /c": {"helix.a.d"}},
	}
	want := `http://h\x1b

  present  GET /a      200
  absent   POST /long  404  (needed by 7 requirements)
  wrong    POST /b     —    reset \a  (needed by 1 requirement)

tiers         observe
capabilities  resume  open
              reset   not claimed

requirements  0 can be proven
              34 could be judged by listening alone: record the stream and use ` + "`streamcert check`" + `
              2 not without POST /long: helix.a.b, helix.a.c
              1 if there is POST /c, which a run shows: helix.a.d
              1 belong to capabilities that aren't claimed
`
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
