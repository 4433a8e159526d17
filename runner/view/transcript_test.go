package view_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"github.com/streamcert/streamcert/runner/view"
	"github.com/streamcert/streamcert/runner/wire"
)

var update = flag.Bool("update", false, "write the transcripts in testdata anew")

// events reads the body of an event stream.
func events(t testing.TB, body string) []view.Event {
	t.Helper()
	var out []view.Event
	for e, err := range view.Events(wire.NewReader(strings.NewReader(body), wire.Options{})) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func transcript(t testing.TB, body string, o view.Options) (string, view.Count) {
	t.Helper()
	var b bytes.Buffer
	w := view.NewTranscript(&b, o)
	for _, e := range events(t, body) {
		if err := w.Event(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.Count()
}

func words(t testing.TB, body string, o view.Options) (text string, notes []string) {
	t.Helper()
	var b bytes.Buffer
	w := view.NewWords(&b, o, func(s string) error {
		notes = append(notes, s)
		return nil
	})
	for _, e := range events(t, body) {
		if err := w.Event(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), notes
}

// stream returns the body of a stream of chunks of the root agent, given as their members other than the common ones.
func stream(chunks ...string) string {
	var b strings.Builder
	for i, c := range chunks {
		b.WriteString(textChunk(i+1, "root", c))
	}
	return b.String()
}

func textChunk(n int, agent, members string) string {
	return fmt.Sprintf("id: %d\ndata: {\"type\":\"chunk\",\"sequence\":%d,\"chunk\":{\"agentId\":%q,\"agentType\":\"planner\",\"timestamp\":%d,%s}}\n\n",
		n, n, agent, 1733310000000+100*n, members)
}

func text(delta string) string { return fmt.Sprintf(`"type":"text_delta","delta":%s`, quote(delta)) }

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func TestTranscripts(t *testing.T) {
	names, err := filepath.Glob("testdata/*.sse")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{80, 40} {
			got, _ := transcript(t, string(body), view.Options{Width: width})
			path := strings.TrimSuffix(name, ".sse") + fmt.Sprintf("-%d.txt", width)
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
			for i, line := range strings.Split(got, "\n") {
				if wide := uniseg.StringWidth(line); wide > width {
					t.Errorf("%s:%d: %d columns", path, i+1, wide)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s:%d: blanks at the end", path, i+1)
				}
			}
		}
	}
}
