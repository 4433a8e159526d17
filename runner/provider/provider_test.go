package provider

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func serve(t testing.TB, o Options) *Provider {
	t.Helper()
	p, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// user returns a conversation of one message.
func user(text string) []map[string]any { return []map[string]any{{"role": "user", "content": text}} }

// requestCompletion posts a request for a completion. Its body is closed with the test.
func requestCompletion(t testing.TB, p *Provider, messages any, more map[string]any) *http.Response {
	t.Helper()
	q := map[string]any{"model": "m", "messages": messages, "stream": true, "stream_options": map[string]any{"include_usage": true}}
	for k, v := range more {
		q[k] = v
	}
	return post(t, p, "/chat/completions", string(encode(q)))
}

func post(t testing.TB, p *Provider, path, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, p.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.Key())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// streamed is the content of a streamed answer as a client parses it.
type streamed struct {
	Text, Thinking, Refusal string
	Calls                   []string // name, id and arguments of each
	Finish                  string
	Usage, Done, Broken     bool
	Interrupted             bool // the body ended in an error
}

func listen(body io.Reader) streamed {
	var out streamed
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		data, found := strings.CutPrefix(lines.Text(), "data: ")
		if !found {
			continue
		}
		if data == "[DONE]" {
			out.Done = true
			continue
		}
		var e struct {
			Error   any
			Usage   any
			Choices []struct {
				Delta struct {
					Content, Refusal string
					Thinking         string `json:"reasoning_content"`
					Calls            []struct {
						Index    int
						ID       string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
				Finish *string `json:"finish_reason"`
			}
		}
		if json.Unmarshal([]byte(data), &e) != nil {
			continue // cut off
		}
		out.Broken = out.Broken || e.Error != nil
		out.Usage = out.Usage || e.Usage != nil
		for _, c := range e.Choices {
			out.Text, out.Thinking, out.Refusal = out.Text+c.Delta.Content, out.Thinking+c.Delta.Thinking, out.Refusal+c.Delta.Refusal
			for _, call := range c.Delta.Calls {
				if call.ID != "" {
					out.Calls = append(out.Calls, call.Function.Name+" "+call.ID+" ")
				}
				out.Calls[call.Index] += call.Function.Arguments
			}
			if c.Finish != nil {
				out.Finish = *c.Finish
			}
		}
	}
	out.Interrupted = lines.Err() != nil
	return out
}

func TestStreams(t *testing.T) {
	p := serve(t, Options{Key: "k"})
	for name, want := range map[string]streamed{
		"text":      {Text: "Hello there.", Finish: "stop", Usage: true, Done: true},
		"empty":     {Finish: "stop", Usage: true, Done: true},
		"reasoning": {Thinking: "Let me think of it.", Text: "It is 42.", Finish: "stop", Usage: true, Done: true},
		"refusal":   {Refusal: "I can't help with that.", Finish: "stop", Usage: true, Done: true},
		"tool":      {Calls: []string{`weather call_tool_0 {"city":"Rome"}`}, Finish: "tool_calls", Usage: true, Done: true},
		"parallel": {Text: "Looking.", Finish: "tool_calls", Usage: true, Done: true,
			Calls: []string{`weather call_parallel_0 {"city":"Rome"}`, `weather call_parallel_1 {"city":"fail"}`}},
		"badargs": {Calls: []string{`weather call_badargs_0 {"city":`}, Finish: "tool_calls", Usage: true, Done: true},
		"length":  {Text: "Too lo", Finish: "length", Usage: true, Done: true},
		"filter":  {Text: "That", Finish: "content_filter", Usage: true, Done: true},
		"cut":     {Text: "Hel", Interrupted: true},
		"clean":   {Text: "Hel"},
		"broken":  {Text: "Hel", Broken: true},
		"bytes":   {Thinking: "Ærlig talt 😀.", Text: "Én byte om gangen: 😀 🏔", Finish: "stop", Usage: true, Done: true},
	} {
		res := requestCompletion(t, p, user("hi "+Marker(name)), nil)
		if got := listen(res.Body); res.StatusCode != 200 || !cmp.Equal(want, got) {
			t.Errorf("%s: %d (-want +got):\n%s", name, res.StatusCode, cmp.Diff(want, got))
		}
	}
	if res := requestCompletion(t, p, user("hi"), map[string]any{"stream_options": nil}); listen(res.Body).Usage {
		t.Error("usage came without being asked for")
	}
	if notes := p.Notes(); len(notes) > 0 {
		t.Errorf("notes of what was right: %q", notes)
	}
}

func TestDocuments(t *testing.T) {
	p := serve(t, Options{})
	get := func(name string) map[string]any {
		var v map[string]any
		res := requestCompletion(t, p, user(Marker(name)), map[string]any{"stream": false})
		if err := json.NewDecoder(res.Body).Decode(&v); err != nil {
			t.Fatal(name, err)
		}
		return v["choices"].([]any)[0].(map[string]any)
	}
	if c := get("reasoning"); c["finish_reason"] != "stop" || c["message"].(map[string]any)["reasoning_content"] != "Let me think of it." {
		t.Error(c)
	}
	if c := get("parallel"); c["finish_reason"] != "tool_calls" || len(c["message"].(map[string]any)["tool_calls"].([]any)) != 2 {
		t.Error(c)
	}
	if c := get("refusal"); c["message"].(map[string]any)["refusal"] != "I can't help with that." || c["message"].(map[string]any)["content"] != nil {
		t.Error(c)
	}
	if _, err := io.ReadAll(requestCompletion(t, p, user(Marker("cut")), map[string]any{"stream": false}).Body); err == nil {
		t.Error("a document that is cut off came whole")
	}
}

// TestWhatOnlySomeProvidersSend: deltas, usage and bytes come as a script has them, in pieces whatever the events.
func TestWhatOnlySomeProvidersSend(t *testing.T) {
	p := serve(t, Options{})
	name := p.Add("t", Script{Steps: []Step{{Actions: []Action{
		Delta(`{"content":"Hé","index":2}`), Bytes(": noise\n\ndata: {odd}\n\n"), Pieces(3), Delta(`{"content":"😀"}`), Usage(`{"total_tokens":7}`), Await("b"), Pieces(0), Text("!"),
	}}}})
	p.Release(name, "b")
	body, err := io.ReadAll(requestCompletion(t, p, user(Marker(name)), nil).Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"delta":{"content":"Hé","index":2}`, "\n\n: noise\n\ndata: {odd}\n\ndata: ", `"choices":[],"usage":{"total_tokens":7}}`} {
		if strings.Count(string(body), part) != 1 {
			t.Errorf("%s isn't there once:\n%s", part, body)
		}
	}
	if got := listen(strings.NewReader(string(body))); got.Text != "Hé😀!" || !got.Done || strings.Count(string(body), `"usage":{`) != 1 {
		t.Errorf("%+v", got)
	}
	if got := written(t, p, name); got != "Hé😀!" {
		t.Errorf("the document says %q", got)
	}
}

// written returns the text of an answer that isn't streamed.
func written(t *testing.T, p *Provider, name string) string {
	t.Helper()
	var v struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.NewDecoder(requestCompletion(t, p, user(Marker(name)), map[string]any{"stream": false}).Body).Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v.Choices[0].Message.Content
}

func TestFaults(t *testing.T) {
	p := serve(t, Options{})
	for name, want := range map[string]struct {
		status int
		kind   string
	}{"error400": {400, "invalid_request_error"}, "error401": {401, "invalid_request_error"}, "error429": {429, "requests"}, "error500": {500, "server_error"}} {
		res := requestCompletion(t, p, user(Marker(name)), nil)
		var body struct {
			Error struct{ Message, Type string }
		}
		if err := json.NewDecoder(res.Body).Decode(&body); err != nil || res.StatusCode != want.status || body.Error.Type != want.kind || body.Error.Message == "" {
			t.Errorf("%s: %d %+v %v", name, res.StatusCode, body, err)
		}
		if got := res.Header.Get("Retry-After"); (got != "") != (want.status == 429) {
			t.Errorf("%s: Retry-After %q", name, got)
		}
	}
}

func TestBadInput(t *testing.T) {
	p := serve(t, Options{Key: "right"})
	for body, status := range map[string]int{
		`not json`: 400, `{}`: 400, `{"messages":[]}`: 400, `{"messages":[{"role":"user","content":7}]}`: 400, `{"messages":{}}`: 400,
		string(encode(map[string]any{"messages": user(Marker("nobody-knows"))})): 400,
	} {
		res := post(t, p, "/chat/completions", body)
		text, _ := io.ReadAll(res.Body)
		if res.StatusCode != status || !strings.Contains(string(text), `"invalid_request_error"`) {
			t.Errorf("%s: %d %s", body, res.StatusCode, text)
		}
	}
	res, err := http.Post(p.URL()+"/chat/completions", "application/json", strings.NewReader(`{}`))
	if err != nil || res.StatusCode != 401 {
		t.Error("without its key:", res, err)
	}
	if res := post(t, p, "/nowhere", `{}`); res.StatusCode != 404 {
		t.Error("nowhere:", res.StatusCode)
	}
	if res := post(t, p, "/models", `{}`); res.StatusCode != 405 {
		t.Error("posting to models:", res.StatusCode)
	}
	notes := strings.Join(p.Notes(), "\n")
	for _, want := range []string{"had no key", "could not be read", "no script " + Marker("nobody-knows"), "answered 404", "answered 405"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note of %q:\n%s", want, notes)
		}
	}
}

func TestModels(t *testing.T) {
	p := serve(t, Options{})
	res, err := http.Get(p.URL() + "/models")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var list struct {
		Object string
		Data   []struct{ ID, Object string }
	}
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil || list.Object != "list" || len(list.Data) != 1 || list.Data[0].Object != "model" {
		t.Errorf("%+v %v", list, err)
	}
}

// TestStepIsCounted: the same request gets the same answer, and the next step comes once the assistant has spoken.
func TestStepIsCounted(t *testing.T) {
	p := serve(t, Options{})
	name := p.Add("sc-test", Script{Steps: []Step{{Actions: []Action{Call{Name: "f", Arguments: "{}"}}}, {Actions: []Action{Text("then")}}}})
	messages := []map[string]any{
		{"role": "user", "content": "old " + Marker("text")}, {"role": "assistant", "content": "old answer"},
		{"role": "user", "content": []any{map[string]any{"type": "text", "text": "go "}, map[string]any{"type": "text", "text": Marker(name)}}},
	}
	for range 2 {
		if got := listen(requestCompletion(t, p, messages, nil).Body); len(got.Calls) != 1 || got.Text != "" {
			t.Fatalf("the first step: %+v", got)
		}
	}
	messages = append(messages, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{}}, map[string]any{"role": "tool", "content": "1"})
	for range 2 {
		if got := listen(requestCompletion(t, p, messages, nil).Body); got.Text != "then" {
			t.Fatalf("the second step: %+v", got)
		}
	}
	if p.Requested(name) != 2 {
		t.Error("steps asked for:", p.Requested(name))
	}
	messages = append(messages, map[string]any{"role": "assistant", "content": "then"})
	if got := listen(requestCompletion(t, p, messages, nil).Body); !strings.Contains(got.Text, "without a script") || len(p.Notes()) != 1 {
		t.Errorf("behind the end: %+v %q", got, p.Notes())
	}
	p.Forget(name)
	if got := listen(requestCompletion(t, p, messages[:3], nil).Body); !strings.Contains(got.Text, "without a script") || len(p.Notes()) != 1 {
		t.Errorf("once forgotten: %+v %q", got, p.Notes())
	}
}

func TestEcho(t *testing.T) {
	p := serve(t, Options{})
	name := p.Add("sc-test", Script{Steps: []Step{{Actions: []Action{Echo("messages"), Echo("history")}}}, Messages: 2})
	messages := []map[string]any{
		{"role": "system", "content": "be kind"}, {"role": "user", "content": "one" + Marker("text")},
		{"role": "assistant", "content": "a"}, {"role": "tool", "content": "1"}, {"role": "assistant", "content": "b"},
		{"role": "user", "content": "<two>"}, {"role": "user", "content": "three" + Marker(name)},
	}
	want := `["<two>","three"][{"user":"one"},{"agent":"ab"}]`
	if got := listen(requestCompletion(t, p, messages, nil).Body); got.Text != want {
		t.Errorf("want %s, got %s", want, got.Text)
	}
}

func TestBarriers(t *testing.T) {
	p := serve(t, Options{})
	name := p.Add("sc-test", Script{Steps: []Step{{Actions: []Action{Text("One."), Await("go"), Text("Two."), Await("never")}}}})
	body := bufio.NewReader(requestCompletion(t, p, user(Marker(name)), nil).Body)
	until := func(text string) {
		t.Helper()
		for {
			line, err := body.ReadString('\n')
			if err != nil {
				t.Fatalf("before %q: %v", text, err)
			}
			if strings.Contains(line, text) {
				return
			}
		}
	}
	until("One.")
	if !p.Release(name, "go") || !p.Release(name, "go") {
		t.Error("a script isn't known")
	}
	until("Two.")
	p.Forget(name)
	until("[DONE]")
	if p.Release(name, "go") {
		t.Error("a script that was forgotten is known")
	}
}

func TestTools(t *testing.T) {
	p := serve(t, Options{})
	text := func(body string) string {
		b, _ := io.ReadAll(post(t, p, "/tools", body).Body)
		return string(b)
	}
	if got := text(`{"id":"call_parallel_0"}`); got != `{"result":{"city":"Rome","sky":"sunny"}}` {
		t.Error(got)
	}
	if got := text(`{"id":"call_parallel_1"}`); got != `{"error":"no such city"}` {
		t.Error(got)
	}
	for _, body := range []string{`{"id":"call_parallel_9"}`, `{"id":"x"}`, `nothing`} {
		if got := text(body); !strings.Contains(got, `"invalid_request_error"`) {
			t.Error(body, got)
		}
	}
}

// TestStall: an answer without further output stays open until its client leaves.
func TestStall(t *testing.T) {
	p := serve(t, Options{})
	ended := make(chan streamed, 1)
	res := requestCompletion(t, p, user(Marker("stall")), nil)
	go func() { ended <- listen(res.Body) }()
	select {
	case got := <-ended:
		t.Fatalf("it ended: %+v", got)
	case <-time.After(50 * time.Millisecond):
	}
	_ = res.Body.Close()
	if got := <-ended; got.Text != "Wait" {
		t.Errorf("%+v", got)
	}
}

// TestSplit: wherever a body is split into pieces, it is the same body.
func TestSplit(t *testing.T) {
	p := serve(t, Options{})
	whole := ""
	for n := range 8 {
		s := Script{Steps: []Step{{Actions: []Action{Thinking("Ærlig 😀"), Text("én to tre"), Call{Name: "f", Arguments: `{"å":"😀😀😀😀😀"}`}}}}, Split: n}
		name := p.Add("sc", s)
		b, err := io.ReadAll(requestCompletion(t, p, user(Marker(name)), nil).Body)
		if err != nil {
			t.Fatal(err)
		}
		body := strings.ReplaceAll(string(b), name, "NAME")
		if n == 0 {
			whole = body
		}
		if body != whole {
			t.Errorf("pieces of %d bytes: %s", n, cmp.Diff(whole, body))
		}
	}
}

func TestMarkers(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "⟦sc:": "", "⟦sc:⟧": "", "a ⟦sc:x⟧": "x", "⟦sc:x⟧⟦sc:y⟧ z": "y", "⟦sc:" + strings.Repeat("x", 200) + "⟧": "",
	} {
		if got, ok := marked(text); got != want && ok {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := unmarked("a⟦sc:x⟧ b⟦sc:y⟧⟦sc:"); got != "a b⟦sc:" {
		t.Error(got)
	}
}

func TestListenFails(t *testing.T) {
	p := serve(t, Options{})
	if _, err := Start(Options{Listen: strings.TrimSuffix(strings.TrimPrefix(p.URL(), "http://"), "/v1")}); err == nil || !strings.Contains(err.Error(), "model.listen") {
		t.Error(err)
	}
}

// BenchmarkDeltas: scripted deltas a second, to 32 requests at once.
func BenchmarkDeltas(b *testing.B) {
	const readers, deltas = 32, 1000
	p := serve(b, Options{})
	name := p.Add("sc", Script{Steps: []Step{{Actions: []Action{Text(spaced("word", deltas))}}}})
	body := fmt.Sprintf(`{"stream":true,"messages":[{"role":"user","content":%q}]}`, Marker(name))
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: readers}}
	b.ResetTimer()
	for b.Loop() {
		var all sync.WaitGroup
		for range readers {
			all.Go(func() {
				res, err := client.Post(p.URL()+"/chat/completions", "application/json", strings.NewReader(body))
				if err != nil {
					b.Error(err)
					return
				}
				defer res.Body.Close()
				n, err := io.Copy(io.Discard, res.Body)
				if err != nil || n < 100*deltas {
					b.Error(n, err)
				}
			})
		}
		all.Wait()
	}
	b.ReportMetric(float64(b.N)*readers*deltas/b.Elapsed().Seconds(), "deltas/s")
}

// TestNotesAreBounded: whatever a server names in its requests, little of it is stored.
func TestNotesAreBounded(t *testing.T) {
	p, err := Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for n := range 2 * mostNotes {
		p.note(fmt.Sprint(n, strings.Repeat("é", longestNote)))
	}
	notes := p.Notes()
	if len(notes) != mostNotes {
		t.Errorf("%d notes are kept", len(notes))
	}
	for _, note := range notes {
		if len(note) > longestNote || !utf8.ValidString(note) {
			t.Fatalf("a note has %d bytes: %q", len(note), note)
		}
	}
}
