package helix

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// bareStream returns a body whose data are chunks without frames.
func bareStream(lines ...string) string {
	var b strings.Builder
	for _, text := range lines {
		if !strings.HasPrefix(text, "raw ") {
			text = "raw " + line(text, 0, true)
		}
		b.WriteString(dataEvent(strings.TrimPrefix(text, "raw ")))
	}
	return b.String()
}

const over = `stream_end streamId="s" timestamp=1702329600000`

func TestBareChunks(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"good":                {[]string{begins("c1"), back("c1"), `a output output=1`, over + " finalOutput=1"}, ""},
		"no end":              {[]string{begins("c1"), back("c1")}, ""},
		"of the future":       {[]string{textDelta, `z memory_written`, over}, ""},
		"of a frame's name":   {[]string{textDelta, `raw {"type":"status",` + common + `}`}, ""},
		"after the end":       {[]string{textDelta, over, textDelta, textDelta}, "bare.end-message"},
		"two ends":            {[]string{textDelta, over, over}, "bare.end-message"},
		"a frame":             {[]string{textDelta, "raw " + line(textDelta, 1, false)}, "bare.chunk"},
		"an end frame":        {[]string{textDelta, "end"}, "bare.chunk"},
		"no JSON":             {[]string{"raw {"}, "bare.chunk"},
		"no object":           {[]string{"raw null"}, "bare.chunk"},
		"no type":             {[]string{"raw {}"}, "bare.chunk"},
		"end without stream":  {[]string{textDelta, "stream_end timestamp=1702329600000"}, "bare.chunk"},
		"end without a time":  {[]string{textDelta, `stream_end streamId="s"`}, "bare.chunk"},
		"a schema":            {[]string{`a text_delta`}, "chunks.members"},
		"no agent":            {[]string{`a text_delta delta="x" agentId=`}, "chunks.agent-id"},
		"the internal mark":   {[]string{textDelta + " __streamEnd=true"}, "lifecycle.no-sentinel"},
		"a call without end":  {[]string{begins("c1"), over}, "tools.ended"},
		"an end without call": {[]string{textDelta, back("c1")}, "tools.start-first"},
		"half a character":    {[]string{`a text_delta delta="\udc00"`}, "text.whole-characters"},
		"another output":      {[]string{`a output output=1`, over + " finalOutput=2"}, "output.final-output"},
	} {
		t.Run(name, func(t *testing.T) {
			m := New(judge.Options{Origin: record.Produced, Profile: judge.BareChunks, Schemas: loadSchemas(t)})
			found := append(m.Head(good), framesOf(t, m, bareStream(c.lines...))...)
			found = append(found, m.Close(record.ServerClose)...)
			if got := strings.Join(requirementsOf(found), " "); got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, found)
			}
			for _, f := range found {
				if m.Occasions()[f.Requirement] == 0 {
					t.Errorf("%s without an occasion", f.Requirement)
				}
			}
		})
	}
}

// Rules about the envelope have no occasion where there is none.
func TestBareChunksHaveNoEnvelope(t *testing.T) {
	m := New(judge.Options{Origin: record.Produced, Profile: judge.BareChunks, Schemas: loadSchemas(t), Bare: true})
	for i, text := range []string{textDelta, begins("c1"), back("c1"), over} {
		m.Frame(&wire.Frame{Index: i, Line: i + 1, Data: []byte(line(text, 0, true)), DataLines: 1, Terminated: true})
	}
	m.Close(record.ServerClose)
	got := m.Occasions()
	for id := range got {
		switch rest, isWire := strings.CutPrefix(id, "helix.wire."); {
		case isWire && rest != "utf8", strings.HasPrefix(id, "helix.ordering."), id == lifecycleOneTerminal, id == lifecycleBodyCloses:
			t.Errorf("%s has an occasion", id)
		}
	}
	want := map[string]int{bareChunk: 4, bareEndMessage: 1, toolsEnded: 1}
	for id, n := range want {
		if got[id] != n {
			t.Errorf("%s: %d occasions, want %d", id, got[id], n)
		}
	}
}

// A recording of bare chunks may begin anywhere.
func TestABareRecordingMayBeginAnywhere(t *testing.T) {
	m := New(judge.Options{Origin: record.Produced, Profile: judge.BareChunks, Schemas: loadSchemas(t)})
	found := append(m.Head(judge.Head{Removed: true}), framesOf(t, m, bareStream(`b text_delta delta="x"`, back("c1"), finish, over))...)
	if diff := cmp.Diff([]record.Finding(nil), found); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownBareChunksAreCounted(t *testing.T) {
	m := New(judge.Options{Origin: record.Produced, Profile: judge.BareChunks, Schemas: loadSchemas(t)})
	framesOf(t, m, bareStream(textDelta, `a memory_written`, over))
	if m.Unknown() != 1 {
		t.Errorf("%d chunks of an unknown type, want 1", m.Unknown())
	}
}
