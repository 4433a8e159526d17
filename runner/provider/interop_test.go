package provider

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/npmtest"
)

// understood is the result that a client library returns for an answer.
type understood struct {
	Text, Reasoning, Refusal string
	Calls                    []string
	Finish                   string
	Usage                    bool
	Error                    int // the status of an error; 1 for one in the middle of an answer
}

// TestPublicClientsRead: two public clients, in exact versions, understand every script as it is meant.
func TestPublicClientsRead(t *testing.T) {
	folder := npmtest.Install(t, "public clients", "interop")
	p := serve(t, Options{Key: "key-of-the-test"})
	rome, nowhere := `weather {"city":"Rome"}`, `weather {"city":"fail"}`
	text := spaced("word", 200)
	want := map[string]understood{
		"text":      {Text: "Hello there.", Finish: "stop", Usage: true},
		"empty":     {Finish: "stop", Usage: true},
		"long":      {Text: text, Finish: "stop", Usage: true},
		"reasoning": {Text: "It is 42.", Reasoning: "Let me think of it.", Finish: "stop", Usage: true},
		"refusal":   {Refusal: "I can't help with that.", Finish: "stop", Usage: true},
		"tool":      {Calls: []string{rome}, Finish: "tool_calls", Usage: true},
		"parallel":  {Text: "Looking.", Calls: []string{rome, nowhere}, Finish: "tool_calls", Usage: true},
		"badargs":   {Calls: []string{`weather {"city":`}, Finish: "tool_calls", Usage: true},
		"length":    {Text: "Too lo", Finish: "length", Usage: true},
		"filter":    {Text: "That", Finish: "content_filter", Usage: true},
		"bytes":     {Text: "Én byte om gangen: 😀 🏔", Reasoning: "Ærlig talt 😀.", Finish: "stop", Usage: true},
		"cut":       {Text: "Hel", Error: 1},
		"clean":     {Text: "Hel"},
		"broken":    {Text: "Hel", Error: 1},
		"error400":  {Error: 400}, "error401": {Error: 401}, "error429": {Error: 429}, "error500": {Error: 500},
	}
	for name := range builtIn() {
		if _, named := want[name]; !named && name != "stall" { // which has no end to be read
			t.Errorf("script %s is read by no client", name)
		}
	}
	names := make([]string, 0, len(want))
	for name := range want {
		names = append(names, name)
	}
	slices.Sort(names)
	read := exec.CommandContext(t.Context(), "node", append([]string{"read.mjs"}, names...)...)
	read.Dir, read.Env = folder, append(os.Environ(), "MODEL_URL="+p.URL(), "MODEL_KEY="+p.Key())
	var errs bytes.Buffer
	read.Stderr = &errs
	out, err := read.Output()
	if err != nil {
		t.Fatalf("reading by the public clients: %v\n%s", err, errs.Bytes())
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	if string(all["models"]) != `["streamcert"]` {
		t.Errorf("the models are %s", all["models"])
	}
	for name, want := range want {
		var got map[string]understood
		if err := json.Unmarshal(all[name], &got); err != nil || len(got) != 4 {
			t.Fatalf("%s: %v %v", name, got, err)
		}
		for way, got := range got {
			if diff := cmp.Diff(asRead(name, way, want), got); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, way, diff)
			}
		}
	}
	if notes := p.Notes(); len(notes) > 0 {
		t.Errorf("notes of public clients: %q", notes)
	}
}

// asRead returns the result that a client library returns for a script where it deviates from the script. way names the
// library and whether it streams.
func asRead(name, way string, want understood) understood {
	if want.Calls == nil {
		want.Calls = []string{}
	}
	whole := way == "openaiWhole" || way == "compatibleWhole"
	if whole && (name == "cut" || name == "clean") { // a document that is cut off says nothing
		want.Text, want.Error = "", 1
	}
	if whole && name == "broken" {
		want.Text, want.Error = "", 500
	}
	if way == "compatibleWhole" || way == "compatibleStreamed" {
		want.Text, want.Refusal = want.Text+want.Refusal, "" // it takes a refusal for text
	}
	if way == "compatibleStreamed" && name == "clean" { // the other client doesn't mind
		want.Error = 1
	}
	return want
}
