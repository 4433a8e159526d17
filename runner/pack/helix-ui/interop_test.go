package helixui_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/golden"
	reference "github.com/streamcert/streamcert/reference/helix-ui"
	"github.com/streamcert/streamcert/runner/npmtest"
)

// assembled is the message that a client library assembled from a stream.
type assembled struct {
	Parts    []any
	Metadata any
	Error    string
	Nothing  bool
}

// installed returns a folder with a version of the AI SDK and the programs of the interop folder.
func installed(t *testing.T, version string) string {
	t.Helper()
	return npmtest.Install(t, "the AI SDK", "interop", "interop/"+version)
}

// read has the client of the AI SDK read streams, or answers again; started is called for each of the latter.
func read(t *testing.T, folder string, items []map[string]string, started func()) map[string]assembled {
	t.Helper()
	input, err := json.Marshal(items)
	if err != nil {
		t.Fatal(err)
	}
	program := exec.CommandContext(t.Context(), "node", "read.mjs")
	program.Dir, program.Stdin = folder, bytes.NewReader(input)
	var out bytes.Buffer
	program.Stdout = &out
	said, err := program.StderrPipe()
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if lines.Text() == "begun" {
			started()
			continue
		}
		errs.WriteString(lines.Text() + "\n")
	}
	if err := program.Wait(); err != nil {
		t.Fatalf("reading by the client of the AI SDK: %v\n%s", err, errs.String())
	}
	got := map[string]assembled{}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	return got
}

// answer is a response of a golden.
var answer = regexp.MustCompile(`(?ms)^> (POST|GET) .*?^< 200\n(?:< [^\n]*\n)*(.*?)^== (?:server|client) closes`)

// failed matches an error part: keys are sorted.
var failed = regexp.MustCompile(`(?m)^data: \{"errorText":[^\n]*"type":"error"\}$`)

// newer are the types that version 6 doesn't know.
var newer = regexp.MustCompile(`"type":"(tool-approval-response|reasoning-file|steering-message|custom|reset-step)"`)

// response is one of a golden.
type response struct{ name, body string }

// responses returns those of all goldens of the pack.
func responses(t *testing.T) []response {
	t.Helper()
	names, err := golden.Names(golden.FS)
	if err != nil {
		t.Fatal(err)
	}
	var all []response
	for _, name := range names {
		if !strings.HasPrefix(name, "helix-ui/") {
			continue
		}
		text, err := golden.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before := ""
		for _, m := range answer.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[0], `"messageId":"{messageId}","messages"`) { // it answers calls, so that the response continues a message
				m[2] = before + m[2]
			}
			all = append(all, response{name + " " + strconv.Itoa(len(all)), m[2]})
			before = strings.ReplaceAll(m[2], "data: [DONE]\n\n", "")
		}
	}
	return all
}

// TestPublicClientsReadGoldens: the client of the AI SDK, versions 6 and 7, reads every response of the goldens that begins
// with its message. It throws at an error part, and version 6 at parts of version 7.
func TestPublicClientsReadGoldens(t *testing.T) {
	var items []map[string]string
	for _, r := range responses(t) {
		if strings.Contains(r.body, `"type":"start"`) {
			items = append(items, map[string]string{"name": r.name, "body": r.body})
		}
	}
	if len(items) < 80 {
		t.Fatalf("%d responses, expected one of nearly every golden", len(items))
	}
	for _, version := range []string{"v6", "v7"} {
		t.Run(version, func(t *testing.T) {
			got := read(t, installed(t, version), items, func() {})
			for _, item := range items {
				name, body := item["name"], item["body"]
				throws := failed.MatchString(body) || strings.Contains(body, `"type":"tool-approval-response"`) ||
					version == "v6" && newer.MatchString(body)
				if (got[name].Error != "") != throws {
					t.Errorf("%s: %q, expected an error: %t", name, got[name].Error, throws)
				}
			}
		})
	}
}

// live asks a chat of the reference for an answer, whose body is returned when it has started.
func live(t *testing.T, url, script string) io.ReadCloser {
	t.Helper()
	body := `{"messages":[{"id":"user-1","role":"user","parts":[{"type":"text","text":"Plan the trip"}]}],"conformance":{"script":` + script + `}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("POST %s: %v %v", url, res, err)
	}
	return res.Body
}

// history returns the latest message in the history of a chat of the reference.
func history(t *testing.T, url string) assembled {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/messages", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var told struct{ Messages []assembled }
	if err := json.NewDecoder(res.Body).Decode(&told); err != nil || len(told.Messages) == 0 {
		t.Fatalf("the history: %v %v", told, err)
	}
	return told.Messages[len(told.Messages)-1]
}

// TestPublicClientsAgreeWithHistory: the message that the client of the AI SDK assembles from an answer, from its start or
// after a refresh in its middle, equals that in the history of the reference.
func TestPublicClientsAgreeWithHistory(t *testing.T) {
	const weather = `{"tool":{"name":"weather","arguments":{"city":"Rome"},"result":{"sky":"sunny"}}}`
	scripts := map[string]string{
		"text":    `[{"text":"Hello there."},{"await":"b"},{"text":" And you?"}]`,
		"thought": `[{"thinking":"hm hm"},{"text":"It is 42."},{"await":"b"},{"thinking":"so"},{"text":" Or 43."}]`,
		"tools":   `[{"text":"Look."},` + weather + `,{"await":"b"},` + weather + `,{"text":"Sunny."}]`,
		"data":    `[{"text":"Look."},{"chunk":{"type":"custom","eventName":"progress","data":{"done":3}}},{"chunk":{"type":"subagent_start","callId":"c"}},{"await":"b"},{"chunk":{"type":"subagent_end","callId":"c"}},{"chunk":{"type":"state_patch","patches":[]}}]`,
		"failure": `[{"text":"Look."},{"tool":{"name":"weather","arguments":{"city":"Atlantis"},"error":"no such city"}},{"await":"b"},{"text":"Hm."}]`,
	}
	for _, version := range []string{"v6", "v7"} {
		t.Run(version, func(t *testing.T) {
			folder := installed(t, version)
			h := reference.New(reference.Options{})
			server := httptest.NewServer(h)
			t.Cleanup(func() { server.CloseClientConnections(); server.Close(); h.Close() })
			for name, script := range scripts {
				url := server.URL + "/chat/" + name
				first := live(t, url, script)
				again := read(t, folder, []map[string]string{{"name": name, "api": server.URL + "/chat", "chat": name}}, func() {
					release, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/control/chat/"+name+"/release", strings.NewReader(`{"barrier":"b"}`))
					if err != nil {
						t.Error(err)
						return
					}
					release.Header.Set("Content-Type", "application/json")
					if res, err := http.DefaultClient.Do(release); err != nil || res.StatusCode != http.StatusNoContent {
						t.Errorf("the release: %v %v", res, err)
					}
				})
				whole, err := io.ReadAll(first)
				if err != nil {
					t.Fatal(err)
				}
				from := read(t, folder, []map[string]string{{"name": name, "body": string(whole)}}, func() {})
				want := history(t, url)
				for way, got := range map[string]assembled{"from its start": from[name], "after a refresh": again[name]} {
					if diff := cmp.Diff(want.Parts, got.Parts); diff != "" || got.Error != "" {
						t.Errorf("%s, %s: %s (-history +client):\n%s", name, way, got.Error, diff)
					}
				}
				if nothing := read(t, folder, []map[string]string{{"name": name, "api": server.URL + "/chat", "chat": name}}, func() {}); !nothing[name].Nothing {
					t.Errorf("%s: after its end there is %v to read", name, nothing)
				}
			}
		})
	}
}

// dataOf returns the data of the events of a stream, each on one line.
func dataOf(body string) []string {
	data := []string{}
	for line := range strings.Lines(body) {
		if one, is := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "data: "); is {
			data = append(data, one)
		}
	}
	return data
}

// TestPublicEventSourceReadsGoldens: an EventSource receives every event of every stream of the goldens, in its order.
func TestPublicEventSourceReadsGoldens(t *testing.T) {
	folder := installed(t, "v7")
	var streams []response
	for _, r := range responses(t) {
		if len(dataOf(r.body)) > 0 {
			streams = append(streams, r)
		}
	}
	if len(streams) < 100 {
		t.Fatalf("%d streams, expected those of nearly every golden", len(streams))
	}
	var again sync.Map // addresses that were read
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if _, read := again.LoadOrStore(r.URL.Path, true); read || err != nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "retry: 10\n\n"+streams[i].body) // lost data is noticed below
	}))
	t.Cleanup(server.Close)
	arguments := []string{"source.mjs"}
	for i := range streams {
		arguments = append(arguments, server.URL+"/"+strconv.Itoa(i))
	}
	program := exec.CommandContext(t.Context(), "node", arguments...)
	program.Dir = folder
	out, err := program.Output()
	if err != nil {
		t.Fatalf("the EventSource: %v", err)
	}
	var got [][]string
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(streams) {
		t.Fatalf("%d streams, expected %d: %v", len(got), len(streams), err)
	}
	for i, s := range streams {
		if diff := cmp.Diff(dataOf(s.body), got[i]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.name, diff)
		}
	}
}

// TestPublicEventSourceReconnects: an EventSource that is disconnected after every second event gets each of them once, and
// stops.
func TestPublicEventSourceReconnects(t *testing.T) {
	folder := installed(t, "v7")
	h := reference.New(reference.Options{})
	cut := make(chan struct{})
	var once sync.Once
	cuts := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w = &cutting{ResponseWriter: w, broken: func() { once.Do(func() { close(cut) }) }}
		}
		h.ServeHTTP(w, r)
	})
	server := httptest.NewServer(cuts)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close(); h.Close() })
	url := server.URL + "/chat/cut"
	body := live(t, url, `[{"text":"One two three four five."},{"await":"b"},{"text":" Six."}]`)
	source := exec.CommandContext(t.Context(), "node", "source.mjs", url+"/stream")
	source.Dir = folder
	done := make(chan []byte, 1)
	go func() {
		out, err := source.Output()
		if err != nil {
			t.Errorf("the EventSource: %v", err)
		}
		done <- out
	}()
	<-cut // the first time
	release := strings.NewReader(`{"barrier":"b"}`)
	if res, err := http.Post(server.URL+"/control/chat/cut/release", "application/json", release); err != nil || res.StatusCode != http.StatusNoContent {
		t.Fatalf("the release: %v %v", res, err)
	}
	whole, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	// The end of the stream has no id: a reader that was cut before it finds nothing more to read.
	want := [][]string{slices.DeleteFunc(dataOf(string(whole)), func(data string) bool { return data == "[DONE]" })}
	var got [][]string
	if err := json.Unmarshal(<-done, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the events of the EventSource (-want +got):\n%s", diff)
	}
}

// cutting breaks a response after its second event, and makes the reader reconnect soon.
type cutting struct {
	http.ResponseWriter
	events int
	broken func() // called when it breaks
}

// Write implements http.ResponseWriter.
func (c *cutting) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		event, after, _ := bytes.Cut(rest, []byte("\n\n"))
		if c.events == 0 {
			event = append([]byte("retry: 10\n"), event...)
		}
		if _, err := c.ResponseWriter.Write(append(event, "\n\n"...)); err != nil {
			return 0, err
		}
		if c.events++; c.events == 2 {
			_ = http.NewResponseController(c.ResponseWriter).Flush() // it breaks next
			c.broken()
			panic(http.ErrAbortHandler)
		}
		rest = after
	}
	return len(p), nil
}

// Unwrap lets a ResponseController reach the connection.
func (c *cutting) Unwrap() http.ResponseWriter { return c.ResponseWriter }
