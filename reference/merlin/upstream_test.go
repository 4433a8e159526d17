package merlin

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bodies are response bodies of models of several vendors: with a leading role, comments, CRLF, parallel calls, reasoning,
// usage, characters of each length in UTF-8, and a character whose two surrogates are in different events.
var bodies = map[string]string{
	"a word": "data: {\"choices\":[{\"delta\":{\"content\":\"é😀\"}}]}\n\ndata: [DONE]\n\n",
	"text and usage": "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\n\n" +
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Grüße, 世界\"}}]}\n\n: keep-alive\n\n" +
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" 😀!\"},\"finish_reason\":\"stop\"}]}\n\n" +
		"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":5,\"total_tokens\":8}}\n\ndata: [DONE]\n\n",
	"parallel calls": "data: {\"choices\":[{\"delta\":{\"content\":null,\"tool_calls\":[{\"index\":0,\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":\"find\",\"arguments\":\"\"}}," +
		"{\"index\":1,\"id\":\"call_2\",\"type\":\"function\",\"function\":{\"name\":\"book\",\"arguments\":\"{\\\"to\\\":\"}}]}}]}\n\n" +
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\"\\\"Tromsø\\\"}\"}},{\"index\":0,\"function\":{\"arguments\":\"{}\"}}]}}]}\n\ndata: [DONE]\n\n",
	"thoughts": "data: {\"choices\":[{\"delta\":{\"reasoning\":{\"text\":\"Hm, 世\",\"index\":0}}}]}\n\n" +
		"data: {\"choices\":[{\"delta\":{\"reasoning\":{\"text\":\"\",\"index\":0,\"signature\":\"sig=\"}}}]}\n\n" +
		"data: {\"choices\":[{\"delta\":{\"content\":\"So.\",\"index\":1}}]}\n\ndata: [DONE]\n\n",
	"CRLF and a citation": "data: {\"choices\":[{\"delta\":{\"content\":\"a\",\"index\":0}}]}\r\n\r\n" +
		"data: {\"choices\":[{\"delta\":{\"index\":0,\"citation\":{\"document_index\":0,\"cited_text\":\"ü\"}}}]}\r\n\r\n" +
		"data: {\"choices\":[{\"delta\":{\"content\":\"b\",\"index\":1}}]}\r\n\r\ndata: [DONE]\r\n\r\n",
	"halves of a character": "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"\\ude00b\"}}]}\n\ndata: [DONE]\n\n",
}

// answer is the result of a stream for its client: the text and the aggregate.
type answer struct {
	Text  string
	Total Aggregate
}

// played streams some pieces in a version.
func played(t *testing.T, version int, pieces []string) answer {
	t.Helper()
	var instructions []Instruction
	for _, p := range pieces {
		instructions = append(instructions, Instruction{Bytes: &p})
	}
	var got answer
	o := Options{
		Aggregated: func(_ *RunState, total *Aggregate) {
			total.finish()
			got.Total = *total
			got.Total.Content, got.Total.calls = []string{strings.Join(total.Content, "")}, nil
		},
		Events: func(*RunState) func(Event) []Event {
			return func(e Event) []Event {
				text, typed := e.Data["text"].(string)
				if content, is := e.Data["content"].(string); is && !typed {
					text = content
				}
				got.Text += text
				return nil
			}
		},
	}.WithDefaults()
	web := json.RawMessage(`{"type":"web","url":"u","title":"t"}`)
	s := newStream(o, &RunState{Version: version, Start: Start{Attachments: []json.RawMessage{web}}}, context.Background())
	if err := s.play(func() error { return s.performAll(instructions) }); err != nil {
		t.Fatal(err)
	}
	return got
}

// TestEverySplit: a body has the same content in any division, also inside a line end or a character.
func TestEverySplit(t *testing.T) {
	for name, body := range bodies {
		for version := 1; version <= 2; version++ {
			t.Run(fmt.Sprintf("%s in version %d", name, version), func(t *testing.T) {
				want := played(t, version, []string{body})
				if want.Text == "" && want.Total.ToolCalls == nil {
					t.Fatal("the body says nothing")
				}
				for i := range len(body) + 1 {
					if diff := cmp.Diff(want, played(t, version, []string{body[:i], body[i:]}), cmp.AllowUnexported(Aggregate{})); diff != "" {
						t.Fatalf("cut after byte %d: -want +got:\n%s", i, diff)
					}
				}
				single := strings.Split(body, "")
				if diff := cmp.Diff(want, played(t, version, single), cmp.AllowUnexported(Aggregate{})); diff != "" {
					t.Errorf("a character a piece: -want +got:\n%s", diff)
				}
			})
		}
	}
}

// TestEveryTwoSplits splits the shortest body at two positions.
func TestEveryTwoSplits(t *testing.T) {
	body := bodies["a word"]
	for version := 1; version <= 2; version++ {
		want := played(t, version, []string{body})
		for i := range len(body) + 1 {
			for j := i; j <= len(body); j++ {
				if got := played(t, version, []string{body[:i], body[i:j], body[j:]}); !cmp.Equal(want, got, cmp.AllowUnexported(Aggregate{})) {
					t.Fatalf("version %d, cut after bytes %d and %d: got %v, want %v", version, i, j, got, want)
				}
			}
		}
	}
}

// TestReadRequest: bad input is refused in a sentence.
func TestReadRequest(t *testing.T) {
	for _, body := range []string{
		``, `[]`, `{"conformance":{}}`, `{"conformance":{"stream":"s","acts":[{}]}}`, `{"conformance":{"stream":"s","acts":[{"split":-1}]}}`,
		`{"conformance":{"stream":"s","acts":[{"subagent":{"index":0,"acts":[{"subagent":{"index":0,"acts":[{"stop":true}]}}]}}]}}`,
	} {
		if _, err := readRequest([]byte(body)); err == nil {
			t.Errorf("%s is taken", body)
		}
	}
	if r, err := readRequest([]byte(`{"message":"m"}`)); err != nil || r.Script != nil {
		t.Errorf("got %v, %v", r, err)
	}
}

// FuzzUpstream: for any output of the model in any division, the reader doesn't panic and loses no complete event after it.
func FuzzUpstream(f *testing.F) {
	for _, body := range bodies {
		f.Add([]byte(body), 7)
	}
	f.Fuzz(func(t *testing.T, body []byte, at int) {
		var u upstream
		at = max(0, min(at, len(body)))
		u.read(body[:at])
		u.read(body[at:])
		u.read([]byte("\n\n"))
		u.half = ""
		got := u.read([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n"))
		if len(got) == 0 || got[len(got)-1].Content != "x" {
			t.Errorf("got %v", got)
		}
	})
}
