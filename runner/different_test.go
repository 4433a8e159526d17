package runner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// encoder rewrites the blocks of the reference's own encoder.
type encoder func(block []byte, e store.Event) []byte

func (f encoder) Append(dst []byte, e store.Event) []byte {
	return append(dst, f(helix.Frames{}.Append(nil, e), e)...)
}

func encoding(f encoder) func(reference.Options) reference.Options {
	return func(o reference.Options) reference.Options {
		o.Encoder = func(helix.Reader) helix.Encoder { return f }
		return o
	}
}

func numbering(f func(store.Position) int64) func(reference.Options) reference.Options {
	return func(o reference.Options) reference.Options {
		o.Store = &store.Memory{Number: f}
		return o
	}
}

// reordered writes the JSON of a block with its members in another order, white
// space and escapes, and members that nobody knows.
func reordered(block []byte, _ store.Event) []byte {
	head, data, _ := bytes.Cut(block, []byte("data: "))
	var v map[string]any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return block
	}
	v["x-trace"] = []any{"née", nil, true}
	out, err := json.MarshalIndent(v, "", "") // escapes <, > and &, and sorts the members
	if err != nil {
		return block
	}
	return []byte(string(head) + "data: " + strings.ReplaceAll(string(out), "\n", " ") + "\n\n")
}

// TestDifferentServersPass certifies servers that are right but not like the
// reference. A SHOULD that one of them doesn't follow is named; nothing else may
// be held against it.
func TestDifferentServersPass(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs of the whole suite")
	}
	suite := load(t)
	for _, c := range []struct {
		name  string
		apply func(reference.Options) reference.Options
		wrap  func(http.Handler) http.Handler
		warns []string
	}{
		{name: "CRLF line ends, no space after the colon", apply: encoding(func(b []byte, _ store.Event) []byte {
			lines := strings.Split(string(b), "\n")
			for i, line := range lines {
				if field, value, ok := strings.Cut(line, ": "); ok {
					lines[i] = field + ":" + value
				}
			}
			return []byte(strings.Join(lines, "\r\n"))
		})},
		{name: "comments, retry and a named message event", apply: encoding(func(b []byte, _ store.Event) []byte {
			return append([]byte(": a comment\nretry: 1000\nevent: message\n"), b...)
		})},
		{name: "other member order, white space, unknown members", apply: encoding(reordered)},
		{name: "data over two lines", warns: []string{"helix.wire.single-data-line"}, apply: encoding(func(b []byte, _ store.Event) []byte {
			return bytes.Replace(b, []byte(`,"`), []byte(",\ndata: \""), 1)
		})},
		{name: "a frame of an unknown type before each", apply: encoding(func(b []byte, _ store.Event) []byte {
			return append([]byte("data: {\"type\":\"ping\",\"at\":1}\n\n"), b...)
		})},
		{name: "sequences with gaps, from a thousand", warns: []string{"helix.resume.first-sequence", "helix.resume.gapless", "helix.wire.terminal-id-next"},
			apply: numbering(func(p store.Position) int64 { return max(p.Highest, 1000) + 3 })},
		{name: "charset in the content type", wrap: func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(&charset{w}, r) })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options()
			if c.apply != nil {
				o = c.apply(o)
			}
			ref := reference.New(o)
			defer ref.Close()
			var h http.Handler = ref
			if c.wrap != nil {
				h = c.wrap(h)
			}
			tg, err := target.New(config(serve(t, h)), target.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer tg.Close()
			res, err := suite.Run(context.Background(), runner.Options{Target: tg, Seed: 1, Transcripts: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range res.Report.Requirements {
				if q.Verdict == report.Warn && slices.Contains(c.warns, q.ID) {
					continue
				}
				if q.Verdict != report.Pass && q.Untestable == "" {
					t.Errorf("%s: %s %s", q.ID, q.Verdict, q.Reason)
					for _, f := range q.Findings[:min(1, len(q.Findings))] {
						t.Logf("  %s: %s\n  want %s\n  got  %s\n%s", f.Scenario, f.Message, f.Want, f.Got, f.Exchange)
					}
				}
			}
			for _, n := range res.Report.Notes {
				t.Errorf("the golden comparison holds it against the server: %+v", n)
			}
		})
	}
}

// charset adds a parameter to the media type of a stream.
type charset struct{ http.ResponseWriter }

func (c *charset) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *charset) WriteHeader(status int) {
	if c.Header().Get("Content-Type") == "text/event-stream" {
		c.Header().Set("Content-Type", "Text/Event-Stream; charset=UTF-8")
	}
	c.ResponseWriter.WriteHeader(status)
}
