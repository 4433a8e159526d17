package helixui_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	reference "github.com/streamcert/streamcert/reference/helix-ui"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// TestPublicClientsAnswerCalls: the client of the AI SDK, versions 6 and 7, answers calls of the reference that wait in the
// words of the kit, and has the message of the history afterwards.
func TestPublicClientsAnswerCalls(t *testing.T) {
	const pay, locate = `{"tool":{"name":"pay","arguments":{"eur":5},"approval":true,"result":{"paid":5}}}`, `{"tool":{"name":"locate","arguments":{},"client":true}}`
	asked := []struct {
		chat, script string
		answers      []map[string]any
	}{
		{"approved", `[{"text":"Let me pay."},` + pay + `,{"text":"Paid."}]`, []map[string]any{{"approved": true}}},
		{"denied", `[` + pay + `,` + pay + `,{"text":"Paid once."}]`, []map[string]any{{"approved": true}, {"approved": false}}},
		{"client", `[` + locate + `,{"text":"Oslo."}]`, []map[string]any{{"output": map[string]any{"city": "Oslo"}}}},
	}
	for _, version := range []string{"v6", "v7"} {
		t.Run(version, func(t *testing.T) {
			folder := installed(t, version)
			h := reference.New(reference.Options{})
			server := httptest.NewServer(h)
			t.Cleanup(func() { server.CloseClientConnections(); server.Close(); h.Close() })
			var items []map[string]any
			for _, a := range asked {
				items = append(items, map[string]any{"api": server.URL + "/chat", "chat": a.chat, "script": json.RawMessage(a.script), "answers": a.answers})
			}
			var got []struct {
				Posted   []map[string]any
				Streamed []string
				Messages []map[string]any
				Error    string
			}
			input, err := json.Marshal(items)
			if err != nil {
				t.Fatal(err)
			}
			program := exec.CommandContext(t.Context(), "node", "waiting.mjs")
			program.Dir, program.Stdin = folder, bytes.NewReader(input)
			out, err := program.Output()
			if err != nil || json.Unmarshal(out, &got) != nil || len(got) != len(asked) {
				t.Fatalf("%v: %s", err, out)
			}
			for n, a := range asked {
				if got[n].Error != "" || len(got[n].Posted) != 2 {
					t.Fatalf("%s: %s, and %d requests", a.chat, got[n].Error, len(got[n].Posted))
				}
				var parts []map[string]any
				for _, data := range dataOf(got[n].Streamed[0]) {
					var part map[string]any
					if json.Unmarshal([]byte(data), &part) == nil {
						parts = append(parts, part)
					}
				}
				user, _ := got[n].Posted[0]["messages"].([]any)[0].(map[string]any)
				id, _ := user["id"].(string)
				var want map[string]any
				if err := json.Unmarshal(client.Request{Chat: a.chat, Text: "Plan the trip", ID: id, Answered: client.Answered(parts, a.answers)}.Body(), &want); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got[n].Posted[1]); diff != "" {
					t.Errorf("%s: the answers (-kit +client):\n%s", a.chat, diff)
				}
				shown := got[n].Messages[len(got[n].Messages)-1]
				if diff := cmp.Diff(history(t, server.URL+"/chat/"+a.chat).Parts, shown["parts"]); diff != "" {
					t.Errorf("%s: the message (-history +client):\n%s", a.chat, diff)
				}
			}
		})
	}
}
