package check_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/check"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/recording"
)

// suites returns those of all packs, in the order in which a recording is recognised.
func suites(t *testing.T) []*pack.Suite {
	t.Helper()
	var all []*pack.Suite
	for _, name := range []string{"helix", "aep", "helix-ui", "merlin"} {
		all = append(all, certifytest.Load(t, name))
	}
	return all
}

// findings lists the output of a check of a recording: the requirements that it breaks with the line, and notes; then the
// error.
func findings(t *testing.T, all []*pack.Suite, s *pack.Suite, body []byte) []string {
	t.Helper()
	in, out := bytes.NewReader(body), []string{}
	o := recording.Options{Others: check.All(all), Found: func(f recording.Finding) error {
		if f.Requirement == "" {
			f.Requirement = "note: " + f.Message
		}
		out = append(out, fmt.Sprintf("%d %s", f.Line, f.Requirement))
		return nil
	}}
	_, err := check.Run(context.Background(), s, in, o)
	var empty *recording.EmptyError
	switch {
	case errors.As(err, &empty):
		out = append(out, empty.Message)
	case err != nil:
		t.Fatal(err)
	}
	return out
}

const (
	isResumed = "1 note: the ids begin above 1: the recording is judged as a response to a reader that came back"
	noLine    = "15 note: the recording ends before the blank line of its last frame, without which readers drop it; it is not judged"
)

// TestField: recordings of public servers get the findings of their faults.
func TestField(t *testing.T) {
	for name, want := range map[string][]string{
		"01-in": {},
		"04-in": {
			"1 helix-ui.flow.start", "1 helix-ui.reasoning.opened", "3 helix-ui.reasoning.opened", "5 helix-ui.reasoning.opened",
			"13 helix-ui.steps.opened",
		},
		"04-own-golden":        {isResumed},
		"05-in":                {"15 helix-ui.parts.members"},
		"06-in":                {"5 helix-ui.flow.start-names"},
		"06-start-first":       {},
		"06-transient":         {},
		"06-unnamed-start":     {},
		"07-in":                {"1 helix-ui.flow.start"},
		"08-between-line-ends": {},
		"08-split":             {"7 helix-ui.parts.object"},
		"08-split-blank":       {"7 helix-ui.parts.object"},
		"09-in":                {"11 helix-ui.text.opened", "13 helix-ui.text.opened"},
		"12-in":                {"5 helix-ui.parts.known"},
		"12-kinds":             {"3 helix-ui.parts.object", "9 helix-ui.wire.unnamed", "9 helix-ui.parts.object"},
		"40-small-anthropic":   {"the 3 events aren't those of pack helix; is it of another protocol? It looks like the messages of Anthropic"},
		"40-small-openai":      {"the 2 events aren't those of pack helix; is it of another protocol? It looks like the chat completions of OpenAI"},
		"41-in":                {},
		"43-blank-at-end":      {"1 helix-ui.wire.blank-line"},
		"43-in":                {"1 helix-ui.wire.blank-line"},
		"43-last-only":         {noLine},
		"44-in":                {"5 helix-ui.parts.optional", "7 helix-ui.parts.optional", "13 helix-ui.parts.optional"},
	} {
		t.Run(name, func(t *testing.T) {
			all := suites(t)
			body, err := os.ReadFile(filepath.Join("testdata", "field", name+".sse"))
			if err != nil {
				t.Fatal(err)
			}
			s, _ := check.Recognise(all, bytes.NewReader(body))
			if diff := cmp.Diff(want, findings(t, all, s, body)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// events returns a recording of events with this data, each after some fields.
func events(fields string, data ...string) []byte {
	var b strings.Builder
	for _, one := range data {
		b.WriteString(strings.ReplaceAll(fields, "\\n", "\n") + "data: " + one + "\n\n")
	}
	return []byte(b.String())
}

// TestOtherProtocols: a stream of another protocol is judged by no pack, and named where it is known.
func TestOtherProtocols(t *testing.T) {
	for name, body := range map[string][]byte{
		"OpenAI":       events("", `{"object":"chat.completion.chunk","choices":[]}`, "[DONE]"),
		"responses":    events("", `{"type":"response.created","response":{}}`, `{"type":"response.output_text.delta","delta":"a"}`, `{"type":"error","message":"x"}`),
		"Anthropic":    events("", `{"type":"message_start"}`, `{"type":"ping"}`, `{"type":"content_block_delta","index":0}`),
		"AG-UI":        events("", `{"type":"RUN_STARTED","runId":"r","threadId":"t"}`, `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}`),
		"JSON-RPC":     events("event: message\\n", `{"jsonrpc":"2.0","id":1,"result":{}}`),
		"Gemini":       events("", `{"candidates":[{"content":{}}]}`),
		"LangGraph":    append(events("event: metadata\\n", `{"run_id":"r"}`), append(events("event: values\\n", `{"messages":[]}`, `{"messages":[1]}`), events("event: end\\n", `null`)...)...),
		"nothing":      events("", `{"hello":1}`, `{"world":2}`),
		"Ollama":       []byte(`{"model":"m","created_at":"2026","message":{},"done":false}` + "\n" + `{"model":"m","created_at":"2026","done":true}` + "\n"),
		"another pack": events("", `{"type":"stepping"}`, `{"type":"stopped"}`),
	} {
		t.Run(name, func(t *testing.T) {
			all := suites(t)
			for _, s := range all {
				got := findings(t, all, s, body)
				if len(got) != 1 || !strings.Contains(got[0], "is it of another protocol?") {
					t.Errorf("%s: %q", s.Pack.Name, got)
					continue
				}
				if named := name != "nothing" && name != "another pack" && name != "responses"; named && !strings.Contains(got[0], name) {
					t.Errorf("%s: %s isn't named: %s", s.Pack.Name, name, got[0])
				}
			}
		})
	}
}

// TestOtherPacks: a recording of another pack is recognised, and has no findings.
func TestOtherPacks(t *testing.T) {
	all := suites(t)
	for of, body := range map[string][]byte{
		"helix":    events("", `{"type":"chunk","sequence":1,"chunk":{"type":"text_delta","agentId":"a","delta":"x"}}`, `{"type":"status","status":"running"}`),
		"helix-ui": events("", `{"type":"start"}`, `{"type":"start-step"}`, `{"type":"text-start","id":"a"}`, `{"type":"data-x","data":{}}`),
		"merlin":   events("event: message\\n", `{"content":"a"}`, `{"content":"b"}`),
	} {
		for _, s := range all {
			if got := findings(t, all, s, body); s.Pack.Name != of && (len(got) != 1 || !strings.HasSuffix(got[0], "It looks like pack "+of)) {
				t.Errorf("%s by %s: %q", of, s.Pack.Name, got)
			}
		}
	}
}

// TestJoined: events that no blank line parts are one fault in every pack, however they are joined.
func TestJoined(t *testing.T) {
	all := suites(t)
	for i, rule := range []string{"helix.wire.blank-line", "aep.wire.blank-line", "helix-ui.wire.blank-line", "merlin.wire.blank-line"} {
		for _, body := range []string{
			"data: {\"type\":\"a\"}\ndata: {\"type\":\"b\"}\n\n", "data: {\"type\":\"a\"}\r\ndata: [DONE]\r\n\r\n",
			"id: 1\nevent: message\ndata: {\"type\":\"a\"}\nid: 2\nevent: message\ndata: {\"type\":\"b\"}\n", "data:{}\n \ndata:{}\n \n",
		} {
			if got := findings(t, all, all[i], []byte(body)); len(got) != 1 || got[0] != "1 "+rule {
				t.Errorf("%q: %q, want %s alone", body, got, rule)
			}
		}
		whole := "data: {\"type\":\ndata: \"a\"}\n\n"
		if got := findings(t, all, all[i], []byte(whole)); len(got) != 1 || !strings.Contains(got[0], "another protocol") {
			t.Errorf("%q: %q", whole, got)
		}
	}
}

// TestStopped: a recording that stops between events states where, in every pack.
func TestStopped(t *testing.T) {
	all := suites(t)
	const chunk = `{"type":"chunk","sequence":1,"chunk":{"type":"tool_start",` + members + `,"toolCallId":"c","toolName":"t","arguments":{}}}`
	block := `{"event":"text","requestId":"r","timestamp":"2026-01-01T00:00:00Z","messageId":"m","blockId":"b","stage":"start"}`
	for _, test := range []struct {
		suite      int
		body, want string
	}{
		{0, string(events("", `{"type":"status","status":"active"}`)), "before the frame end or fail"},
		{0, "id: 1\n" + string(events("", chunk)), "in an open call"},
		{1, string(events("event: text\n", block)), "in an open block of text"},
		{2, string(events("", `{"type":"start"}`)), "before finish"},
		{2, string(events("", `{"type":"start"}`, `{"type":"start-step"}`)), "in an open step"},
		{2, string(events("", `{"type":"start"}`, `{"type":"start-step"}`, `{"type":"text-start","id":"a"}`)), "in an open text part"},
		{2, string(events("", `{"type":"start"}`, `{"type":"tool-input-start","toolCallId":"a","toolName":"t"}`)), "in an open call"},
		{2, string(events("", `{"type":"start"}`, `{"type":"finish"}`)), "behind finish, and before [DONE]"},
		{3, string(events("event: message\n", `{"content":"","index":0,"text":"a","type":"text"}`)), "before the event end"},
	} {
		got := findings(t, all, all[test.suite], []byte(test.body))
		if len(got) == 0 || !strings.Contains(got[len(got)-1], "note: the recording ends "+test.want+";") {
			t.Errorf("%q: %q, want %q", test.body, got, test.want)
		}
	}
}
