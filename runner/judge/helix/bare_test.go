package helix

import (
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// bare judges lines as a recording without events: one frame's data a line.
func bare(t *testing.T, lines ...string) ([]record.Finding, judge.Machine) {
	m := New(judge.Options{Origin: record.Produced, Schemas: loadSchemas(t), Bare: true})
	var out []record.Finding
	for i, line := range lines {
		out = append(out, m.Frame(&wire.Frame{Index: i, Line: i + 1, Data: []byte(line), DataLines: 1, Terminated: true})...)
	}
	return out, m
}

func TestBareFramesAreJudgedByTheirData(t *testing.T) {
	data := func(event string) string {
		_, rest, _ := strings.Cut(event, "data: ")
		return strings.TrimSpace(rest)
	}
	good := []string{data(text(1, 0)), data(status("paused")), data(truncatedAt(3, 1)), data(ended(2))}
	found, m := bare(t, good...)
	if len(found) > 0 {
		t.Fatal(found)
	}
	for id := range m.Occasions() {
		switch strings.TrimPrefix(id, "helix.") {
		case "wire.chunk-id", "wire.id-digits", "wire.terminal-id", "wire.terminal-id-next", "wire.single-data-line",
			"wire.blank-line", "wire.unnamed", "wire.no-bom", "status.no-id", "truncation.not-numbered":
			t.Errorf("%s was counted without an event around the data", id)
		}
	}
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"order":        {[]string{data(text(2, 0)), data(text(1, 0))}, "ordering.ascending"},
		"no sequence":  {[]string{strings.Replace(good[0], `,"sequence":1`, "", 1)}, "wire.sequence"},
		"bad utf8":     {[]string{strings.Replace(good[0], `"x"`, "\"\xff\"", 1)}, "wire.utf8"},
		"bare chunk":   {[]string{`{"type":"text_delta",` + common + `,"delta":"x"}`}, "wire.chunk-frame"},
		"not JSON":     {[]string{`{"type":`}, "wire.json"},
		"after an end": {[]string{good[3], good[1]}, "lifecycle.one-terminal"},
	} {
		found, _ := bare(t, c.lines...)
		if got := strings.Join(requirementsOf(found), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestUnknownFramesAreCounted(t *testing.T) {
	found, m := bare(t, `{"type":"text-start","id":"1"}`, `{"type":"error","code":"a"}`, `{"type":"end"}`)
	if len(found) > 0 || m.Unknown() != 2 {
		t.Error(found, m.Unknown())
	}
}

func TestABareChunkOfARelayIsLeftAlone(t *testing.T) {
	r := response{head: good, body: dataEvent(`{"type":"text_delta",` + common + `,"delta":"x"}`)}
	if found, _ := r.judge(t, loadSchemas(t)); len(found) > 0 {
		t.Error(found)
	}
}
