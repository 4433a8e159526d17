package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

// observeURL runs the command by itself.
func observeURL(t *testing.T, in string, args ...string) cmdtest.Ran {
	t.Helper()
	var out, errs bytes.Buffer
	a := testApp()
	a.in, a.out, a.errs = strings.NewReader(in), &out, &errs
	cmd := newObserve(a)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetFlagErrorFunc(badFlag)
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	return cmdtest.Ran{Code: exit(a.errs, cmd.ExecuteContext(context.Background())), Out: out.String(), Errs: errs.String()}
}

// aStream serves three chunks and an end, from after the cursor.
func aStream(t *testing.T, resumes bool) (url string, named *[]string) {
	t.Helper()
	named = &[]string{}
	var frames []string
	for i := 1; i <= 3; i++ {
		frames = append(frames, fmt.Sprintf("id: %d\ndata: {\"type\":\"chunk\",\"chunk\":{\"type\":\"text_delta\",\"agentId\":\"a\","+
			"\"agentType\":\"t\",\"timestamp\":%d,\"step\":1,\"delta\":\"é\"},\"sequence\":%d}\n\n", i, i+1702329600000, i))
	}
	frames = append(frames, "id: 4\ndata: {\"type\":\"end\"}\n\n")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(*named) == 0 {
			b, _ := io.ReadAll(r.Body)
			*named = append(*named, r.Method, r.Header.Get("X-Key"), string(b))
		}
		from := 0
		if resumes {
			_, _ = fmt.Sscan(r.Header.Get("Last-Event-ID"), &from)
		}
		if from > 3 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = io.WriteString(w, strings.Join(frames[from:], ""))
	}))
	t.Cleanup(s.Close)
	return s.URL, named
}

func TestObserve(t *testing.T) {
	url, named := aStream(t, true)
	capture := filepath.Join(t.TempDir(), "c.sse")
	r := observeURL(t, "", "--sweep", "--seed", "3", "--cuts", "20", "-H", "X-Key: very-secret", "--save", capture, url)
	if r.Code != 0 || !strings.Contains(r.Out, "nothing was lost, repeated or out of order") || !strings.Contains(r.Out, "seed 3") {
		t.Errorf("%+v", r)
	}
	if got := strings.Join(*named, " "); got != "GET very-secret " || strings.Contains(r.Out, "very-secret") {
		t.Errorf("%q: %s", got, r.Out)
	}
	if r := streamcert(t, "", "check", capture); r.Code != 0 || !strings.Contains(r.Out, "4 events") {
		t.Errorf("the capture can't be checked: %+v", r)
	}
	if r := streamcert(t, "", "view", capture); r.Code != 0 || !strings.Contains(r.Out, "ééé") {
		t.Errorf("the capture can't be viewed: %+v", r)
	}
	if left, _ := os.ReadDir(filepath.Dir(capture)); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestObserveAServerThatDoesntResume(t *testing.T) {
	url, _ := aStream(t, false)
	r := observeURL(t, "", "--sweep", "--format", "json", url)
	var doc struct {
		Requirements []struct{ ID, Verdict string }
	}
	if err := json.Unmarshal([]byte(r.Out), &doc); err != nil || r.Code != broken {
		t.Fatalf("%v: %+v", err, r)
	}
	failed := ""
	for _, q := range doc.Requirements {
		if q.Verdict == "fail" {
			failed += q.ID
		}
	}
	if failed != "helix.resume.after-cursor" {
		t.Error(failed)
	}
}

func TestObservePosts(t *testing.T) {
	url, named := aStream(t, true)
	body := cmdtest.Write(t, "body.json", "from a file")
	for _, c := range [][]string{{"-d", "@" + body, "from a file"}, {"-d", "@-", "from standard input"}, {"-d", "text", "text"}} {
		*named = nil
		r := observeURL(t, "from standard input", append(c[:2:2], url)...)
		if got := strings.Join(*named, " "); r.Code != 0 || got != "POST  "+c[2] {
			t.Errorf("%q %+v", got, r)
		}
	}
}

func TestObserveUsage(t *testing.T) {
	for line, words := range map[string][]string{
		"":                                    {"URL"},
		"ftp://x":                             {"ftp://x", "http://HOST"},
		"http://u:very-secret@":               {"http://"},
		"127.0.0.1:80/x":                      {"127.0.0.1:80/x begins with neither", "http://HOST"},
		"host/x?token=very-secret":            {"host/x?token=*** begins with neither"},
		"u:very-secret@host/x":                {"***@host/x begins with neither"},
		"http://h -H very-secret":             {"11 characters", "NAME: VALUE"},
		"http://h --pack hellix":              {"did you mean helix?"},
		"http://h --profile bar":              {"did you mean bare?"},
		"http://h --format xml":               {"console or json"},
		"http://h --for 0s":                   {"--for"},
		"http://h --cuts 0":                   {"--cuts 0"},
		"http://h --cut 0":                    {"--cut", "above 0"},
		"http://h --cut 1 --after 2":          {"one of them"},
		"http://h -d @missing.json":           {"missing.json"},
		"http://h --save nowhere/x.sse":       {"--save", "nowhere"},
		"http://h --sweep -H Last-Event-ID:3": {"Last-Event-ID"},
		"http://h --swep":                     {"did you mean --sweep?"},
	} {
		r := observeURL(t, "", strings.Fields(line)...)
		r.OneLine(t, misuse, words...)
		if strings.Contains(r.Errs, "very-secret") {
			t.Errorf("a secret is shown: %s", r.Errs)
		}
	}
	observeURL(t, "", closedAddress(t)).OneLine(t, failed, "connection refused; is the server running, and the URL right?")
}

// TestObserveOtherProtocols: a stream of another protocol is no verdict, as for check, and the likely one is named.
func TestObserveOtherProtocols(t *testing.T) {
	for name, body := range map[string]string{
		"OpenAI":    "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: [DONE]\n\n",
		"Anthropic": "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, body)
		}))
		for _, args := range [][]string{{s.URL}, {s.URL, "--pack", "helix"}, {s.URL, "--pack", "merlin"}} {
			if r := observeURL(t, "", args...); r.Code != failed || !strings.Contains(r.Out+r.Errs, name) {
				t.Errorf("%s: %v: %+v", name, args[1:], r)
			}
		}
		s.Close()
	}
}
