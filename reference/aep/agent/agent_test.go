package agent

import (
	"context"
	"encoding/json"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKnowsNoEvents: an instruction can't be an event, because nothing here can make one.
func TestKnowsNoEvents(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			if i.Path.Value == `"github.com/streamcert/streamcert/reference/text"` {
				continue // which knows no events either: it imports the standard library
			}
			if strings.Contains(i.Path.Value, ".") || strings.Contains(i.Path.Value, "net/http") {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, script := range []string{
		``, `null`, `[]`, `{}`, `{"script":[],"refuse":"internal_error"}`, `{"script":null}`, `{"script":{"text":"x"}}`,
		`{"script":[{}]}`, `{"script":[{"sing":"x"}]}`, `{"script":[{"text":"x","thinking":"y"}]}`, `{"script":[{"text":1}]}`,
		`{"script":[{"text":null}]}`, `{"script":[{"tool":{"arguments":{}}}]}`, `{"script":[{"tool":{"name":"","arguments":{}}}]}`,
		`{"script":[{"tool":{"name":"f","arguments":"{}"}}]}`, `{"script":[{"tool":{"name":"f","arguments":{},"x":1}}]}`,
		`{"script":[{"tool":{"name":"f","arguments":{},"error":1}}]}`, `{"script":[{"tool":{"name":"f","arguments":{},"summary":1}}]}`,
		`{"script":[{"echo":"everything"}]}`, `{"script":[{"continue":{"kind":"k"}}]}`, `{"script":[{"continue":{"kind":"","payload":1}}]}`,
		`{"script":[{"continue":{"kind":"k","payload":1}},{"text":"x"}]}`, `{"script":[{"fail":"thread_not_found"}]}`,
		`{"script":[{"fail":"agent_error"},{"text":"x"}]}`, `{"script":[{"await":""}]}`, `{"script":[{"hang":false}]}`,
		`{"refuse":"agent_error"}`, `{"refuse":1}`, `{"play":[]}`,
	} {
		if s, err := Parse([]byte(script)); err == nil {
			t.Errorf("%s: read as %+v", script, s)
		}
	}
}

func play(t *testing.T, script string, turn Turn) (received []string, err error) {
	t.Helper()
	s, err := Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	turn.Script = s
	turn.Await = func(_ context.Context, barrier string) error {
		received = append(received, "await "+barrier)
		return nil
	}
	err = Scripted{}.Run(t.Context(), turn, func(d Delta) error {
		received = append(received, strings.TrimSpace(strings.Join([]string{
			[]string{"text", "thinking", "call", "arguments", "called", "outcome", "action"}[d.Kind], d.Tool + d.ActionKind, d.Piece, string(d.Returned), string(d.Payload),
		}, "|")))
		return nil
	})
	return received, err
}

func TestPlay(t *testing.T) {
	turn := Turn{
		Messages: []string{"a <b>"}, History: nil, Results: []json.RawMessage{json.RawMessage(`{"actionId":"x"}`)}, Context: json.RawMessage(`{"n":1.0}`),
	}
	received, err := play(t, `{"script":[{"thinking":"hm"},{"text":"Plan the  trip"},{"await":"b"},{"echo":"messages"},{"echo":"history"},
		{"echo":"results"},{"echo":"context"},{"tool":{"name":"f","arguments":{"city":"Tromsø, Norway"},"result":7}},
		{"continue":{"kind":"k","payload":null}}]}`, turn)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"thinking||hm||", "text||Plan||", "text|| the||", "text||  trip||", "await b", `text||["a||`, `text|| <b>"]||`, "text||[]||",
		`text||[{"actionId":"x"}]||`, `text||{"n":1.0}||`, "call|f|||", `arguments||{"city":"Tro||`, `arguments||msø, Norway||`, `arguments||"}||`, "called||||",
		"outcome|f||7|", "action|k|||null"}
	if diff := cmp.Diff(want, received); diff != "" {
		t.Error(diff)
	}
}

func TestFailures(t *testing.T) {
	for code, want := range map[string]string{
		"agent_error": "agent_error: ", "tool_error": "tool_error: ", "internal_error": "the script has",
	} {
		if _, err := play(t, `{"script":[{"fail":"`+code+`"}]}`, Turn{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", code, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &Script{Instructions: []Instruction{{Name: "hang"}}}
	if err := (Scripted{}).Run(ctx, Turn{Script: s}, nil); err == nil {
		t.Error("hanging ends well")
	}
}

func TestPiecesJoin(t *testing.T) {
	for _, text := range []string{"", " ", "a", " a b ", "a\r\n\r\nb", "👩‍🚀 x", strings.Repeat("é", 40), "\u00a0x\u2028y"} {
		if got := strings.Join(fragments(text), ""); got != text {
			t.Errorf("fragments of %q join to %q", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"script":[{"text":"x"},{"tool":{"name":"f","arguments":{}}}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if s, err := Parse(raw); err == nil && s.Refuse == "" && s.Instructions == nil {
			t.Errorf("%q: neither a script nor a refusal", raw)
		}
	})
}
