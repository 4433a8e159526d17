package helixui

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

func loadSchemas(t testing.TB) *schemas.Set {
	t.Helper()
	set, err := schemas.Load(schemas.FS, "helix-ui")
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// head returns the head of a stream, with one header changed; "" changes none.
func head(name, value string) judge.Head {
	h := judge.Head{Status: 200, Header: map[string][]string{
		"content-type": {"text/event-stream"}, "cache-control": {"no-cache"}, "x-vercel-ai-ui-message-stream": {"v1"},
	}}
	if name != "" {
		h.Header[name] = []string{value}
	}
	return h
}

// judged judges a response.
func judged(t testing.TB, set *schemas.Set, h judge.Head, body string, end record.End) ([]string, map[string]int) {
	t.Helper()
	m := New(judge.Options{Origin: record.Produced, Schemas: set})
	found := m.Head(h)
	in := wire.NewReader(strings.NewReader(body), wire.Options{})
	for {
		f, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, m.Frame(f)...)
	}
	var ids []string
	for _, f := range append(found, m.Close(end)...) {
		if id := strings.TrimPrefix(f.Requirement, "helix-ui."); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, m.Occasions()
}

// body returns the events of parts, which are shortened: "text-start a" has the id a, "tool-output-available c" the call c.
func body(parts ...string) string {
	var b strings.Builder
	for _, short := range parts {
		kind, id, _ := strings.Cut(short, " ")
		data := `{"type":"` + kind + `"}`
		switch name, stage, _ := strings.Cut(kind, "-"); {
		case short[0] == '{' || short[0] == '[':
			data = short
		case stage == "delta":
			data = `{"type":"` + kind + `","id":"` + id + `","delta":"x"}`
		case name == "text" || name == "reasoning":
			data = `{"type":"` + kind + `","id":"` + id + `"}`
		case name == "tool":
			data = `{"type":"` + kind + `","toolCallId":"` + id + `","toolName":"t","input":{},"output":1,"inputTextDelta":"","errorText":"e"}`
		case kind == "finish":
			data = `{"type":"finish","finishReason":"` + id + `"}`
		case kind == "error":
			data = `{"type":"error","errorText":"e"}`
		}
		b.WriteString("data: " + data + "\n\n")
	}
	return b.String()
}

func TestMachine(t *testing.T) {
	set := loadSchemas(t)
	const done, stop = "[DONE]", "finish stop"
	for _, test := range []struct {
		name string
		body string
		want string // requirements
	}{
		{"text", body("start", "start-step", "text-start a", "text-delta a", "text-end a", "finish-step", stop, done), ""},
		{"an id again", body("start", "text-start a", "text-end a", "text-start a", "text-end a", stop, done), ""},
		{"a cut of the model", body("start", "start-step", "text-start a", "error", done), ""},
		{"an abort", body("start", "start-step", "text-start a", "abort", done), ""},
		{"an error and its end", body("start", "start-step", "text-start a", "text-end a", "error", "finish-step", "finish error", done), ""},
		{"an error alone", body("error", done), ""},
		{"data around", body(`{"type":"data-a","data":1}`, "start", stop, `{"type":"data-a","data":1}`, done), ""},
		{"outputs of an earlier message", body("start", "tool-output-available c", "start-step", "finish-step", stop, done), ""},
		{"a wrong input that fails too", body("start", "tool-input-start c", "tool-input-error c", "tool-output-error c", stop, done), ""},
		{"a call for the client", body("start", "tool-input-available c", "finish tool-calls", done), ""},
		{"no JSON", body("start", "{", stop, done), "parts.object"},
		{"no data", body("start", `{"type":"data-a"}`, stop, done), "parts.data"},
		{"no id", body("start", `{"type":"text-start"}`, stop, done), "parts.members"},
		{"another reason", body("start", "finish end_turn", done), "parts.optional"},
		{"unknown", body("start", "ping", stop, done), "parts.known"},
		{"no start", body("start-step", "finish-step", stop, done), "flow.start"},
		{"two starts", body("start", "start", stop, done), "flow.start-once"},
		{"no finish", body("start", done), "flow.finish"},
		{"behind finish", body("start", stop, "start-step", "finish-step", done), "flow.finish-last"},
		{"no end", body("start", stop), "flow.done"},
		{"behind the end", body("start", stop, done, done), "flow.done-last"},
		{"no text-start", body("start", "text-delta a", stop, done), "text.opened"},
		{"behind text-end", body("start", "text-start a", "text-end a", "text-delta a", stop, done), "text.opened"},
		{"no text-end", body("start", "text-start a", stop, done), "text.closed"},
		{"open twice", body("start", "text-start a", "text-start a", "text-end a", stop, done), "text.unique"},
		{"outlives its step", body("start", "start-step", "text-start a", "finish-step", "text-end a", stop, done), "text.step"},
		{"no reasoning-start", body("start", "reasoning-delta a", stop, done), "reasoning.opened"},
		{"no reasoning-end", body("start", "reasoning-start a", stop, done), "reasoning.closed"},
		{"thoughts open twice", body("start", "reasoning-start a", "reasoning-start a", "reasoning-end a", stop, done), "reasoning.unique"},
		{"a thought outlives its step", body("start", "start-step", "reasoning-start a", "finish-step", "reasoning-end a", stop, done), "reasoning.step"},
		{"no input", body("start", "start-step", "tool-output-available c", "finish-step", stop, done), "tools.opened"},
		{"no input start", body("start", "tool-input-delta c", "tool-input-available c", "tool-output-available c", stop, done), "tools.started"},
		{"two inputs", body("start", "tool-input-available c", "tool-input-available c", "tool-output-available c", stop, done), "tools.once"},
		{"two outputs", body("start", "tool-input-available c", "tool-output-available c", "tool-output-available c", stop, done), "tools.output-once"},
		{"no output", body("start", "tool-input-available c", stop, done), "tools.closed"},
		{"another tool", body("start", `{"type":"tool-input-start","toolCallId":"c","toolName":"other"}`, "tool-input-available c", "tool-output-available c", stop, done), "tools.name"},
		{"no start-step", body("start", "finish-step", stop, done), "steps.opened"},
		{"nested steps", body("start", "start-step", "start-step", "finish-step", "finish-step", stop, done), "steps.nested"},
		{"no finish-step", body("start", "start-step", stop, done), "steps.closed"},
		{"text behind an error", body("start", "error", "text-start a", "text-end a", done), "errors.silent"},
		{"ids go down", "id: 2\n" + body("start") + "id: 1\n" + body(stop, done), "resume.ascending"},
		{"another message", body(`{"type":"start","messageId":"a"}`, `{"type":"finish","messageId":"b"}`, done), "resume.same-message"},
		{"named", "event: start\n" + body("start", stop, done), "wire.unnamed"},
		{"two lines", "data: {\"type\":\ndata: \"start\"}\n\n" + body(stop, done), "wire.single-line"},
		{"no blank line", strings.TrimSuffix(body("start", stop, done), "\n\n") + "\n", "wire.blank-line"},
		{"a byte order mark", "\ufeff" + body("start", stop, done), "wire.no-bom"},
		{"Latin-1", body("start", stop, done) + ": \xe5\n\n", "wire.utf8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, occasions := judged(t, set, head("", ""), test.body, record.ServerClose)
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, id := range got {
				if occasions["helix-ui."+id] == 0 {
					t.Errorf("%s is broken, and had no occasion", id)
				}
			}
		})
	}
}

func TestHeads(t *testing.T) {
	set := loadSchemas(t)
	for want, h := range map[string]judge.Head{
		"": head("content-type", "text/event-stream; charset=utf-8"), "wire.content-type": head("content-type", "text/plain"),
		"wire.cache-control": head("cache-control", "max-age=60"), "wire.header": head("x-vercel-ai-ui-message-stream", "v2"),
	} {
		if got, _ := judged(t, set, h, body("start", "finish stop", "[DONE]"), record.ServerClose); strings.Join(got, " ") != want {
			t.Errorf("%v: got %q, want %q", h.Header, got, want)
		}
	}
	if got, _ := judged(t, set, head("", ""), body("start", "finish stop", "[DONE]"), record.Open); strings.Join(got, " ") != "flow.closes" {
		t.Errorf("an open body: got %q", got)
	}
}

// TestFreedoms: a server that uses the freedom of a requirement has an occasion for it, or no class could be earned.
func TestFreedoms(t *testing.T) {
	set := loadSchemas(t)
	for id, test := range map[string]string{
		"resume.same-message": body(`{"type":"start","messageId":"a"}`, "finish stop", "[DONE]"),
		"resume.ascending":    "id: b\n" + body(`{"type":"start","messageId":"a"}`) + "id: a\n" + body("finish stop", "[DONE]"),
		"tools.closed":        body("start", "tool-input-available c", "tool-output-available c", `{"type":"finish"}`, "[DONE]"),
	} {
		got, occasions := judged(t, set, head("", ""), test, record.ServerClose)
		if len(got) > 0 || occasions["helix-ui."+id] == 0 {
			t.Errorf("%s: accused of %q, %d occasions", id, got, occasions["helix-ui."+id])
		}
	}
}

// TestResumed: a reader that comes back may begin in the middle of everything, and lack nothing of the message.
func TestResumed(t *testing.T) {
	set := loadSchemas(t)
	h := head("", "")
	h.HasCursor, h.Cursor = true, "7"
	for _, rest := range []string{
		body("text-delta a", "text-end a", "tool-output-available c", "finish-step", "finish stop", "[DONE]"), body("[DONE]"), body(`{"type":"data-a","data":1}`, "[DONE]"),
	} {
		if got, _ := judged(t, set, h, rest, record.ServerClose); len(got) > 0 {
			t.Errorf("%q: got %q", rest, got)
		}
	}
}

// FuzzMachine: the machine takes any input without a panic, and continues.
func FuzzMachine(f *testing.F) {
	set := loadSchemas(f)
	f.Add(body("start", "start-step", "text-start a", "text-delta a", "text-end a", "finish-step", "finish stop", "[DONE]"))
	f.Add("data: [DONE]\n\ndata: null\n\nid: 9\ndata: {\"type\":7}\n\n")
	f.Fuzz(func(t *testing.T, body string) { judged(t, set, head("", ""), body, record.ServerClose) })
}
