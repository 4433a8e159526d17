package runner_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/spec"
)

var written = []runner.CheckFinding{
	{Level: spec.Must, Finding: judge.Finding{Requirement: "helix.wire.json", Message: "bad \x1b[2J", Want: "JSON", Got: "a\nb", Line: 3, Offset: 17, Instance: "/x"}},
	{Finding: judge.Finding{Message: "cut", Line: 5, Offset: 40}},
}

func TestCheckText(t *testing.T) {
	var b bytes.Buffer
	w := load(t).CheckText(&b, "a\x1b.sse")
	for _, f := range written {
		if err := w.Found(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(runner.Checked{Format: "sse", Events: 2, Bytes: 60, Must: 1, Notes: 1, Exercised: []string{"a", "b"}}, nil); err != nil {
		t.Fatal(err)
	}
	got, total, _ := strings.Cut(b.String(), " of ")
	want := `a\x1b.sse:3: byte 17: helix.wire.json (MUST): bad \x1b[2J at /x; want JSON, got a\nb
a\x1b.sse:5: byte 40: note: cut
a\x1b.sse: 2 events in 60 bytes (sse), 1 findings (1 MUST, 0 SHOULD), 1 notes, 2`
	if diff := cmp.Diff(want, got); diff != "" || !strings.HasSuffix(total, " requirements exercised\n") {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCheckJSONIsOneDocument(t *testing.T) {
	for n := range len(written) + 1 {
		var b bytes.Buffer
		w := load(t).CheckJSON(&b, "a.sse")
		for _, f := range written[:n] {
			if err := w.Found(f); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(runner.Checked{Events: 2}, errors.New("the disk is gone")); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Suite    struct{ Pack string }
			Findings []struct{ Level string }
			Summary  struct {
				Events int
				Error  string
			}
		}
		if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
			t.Fatalf("%v in %s", err, b.Bytes())
		}
		if len(doc.Findings) != n || doc.Suite.Pack != "helix" || doc.Summary.Error == "" || n == 2 && doc.Findings[1].Level != "note" {
			t.Errorf("%s", b.Bytes())
		}
	}
}

func TestProbeWrite(t *testing.T) {
	p := &runner.Probe{
		URL: "http://h\x1b", Tiers: []string{"observe"}, Listening: 34, Provable: []string{},
		Routes: []runner.ProbedRoute{
			{Call: "GET /a", Presence: runner.Present, Status: 200},
			{Call: "POST /long", Presence: runner.Absent, Status: 404, Needed: 7},
			{Call: "POST /b", Presence: runner.Wrong, Detail: "reset \a", Needed: 1},
		},
		Capabilities: []runner.ProbedCapability{{Name: "resume"}, {Name: "reset", Closed: "not claimed"}},
		Unprovable:   map[string][]string{"POST /long": {"helix.a.b", "helix.a.c"}}, NotClaimed: []string{"x"},
	}
	want := `http://h\x1b

  present  GET /a      200
  absent   POST /long  404  (needed by 7 requirements)
  wrong    POST /b     —    reset \a  (needed by 1 requirements)

tiers         observe
capabilities  resume     open
              reset      not claimed

requirements  0 can be proven
              34 could be judged by listening alone: record the stream and use ` + "`streamcert check`" + `
              2 not without POST /long: helix.a.b, helix.a.c
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
