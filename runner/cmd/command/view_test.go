package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

const someone = `"agentId":"run-1","agentType":"planner","timestamp":1702329600000`

// frameOf is one of a stream of the root agent.
func frameOf(seq int, delta string) string {
	return fmt.Sprintf("id: %d\ndata: {\"type\":\"chunk\",\"chunk\":{\"type\":\"text_delta\",%s,\"delta\":%q},\"sequence\":%d}\n\n", seq, someone, delta, seq)
}

const theEnd = "id: 9\ndata: {\"type\":\"end\"}\n\n"

func TestViewOfRecordings(t *testing.T) {
	bare := fmt.Sprintf("{\"type\":\"text_delta\",%s,\"delta\":\"hi\"}\n{\"type\":\"stream_end\"}\n", someone)
	for name, c := range map[string]struct {
		in   string
		args string
		code int
		want string
	}{
		"whole":     {frameOf(1, "hel") + frameOf(2, "lo") + theEnd, "", 0, "● planner · run-1\n  hello\n■ end of the stream\n"},
		"text":      {frameOf(1, "hel") + frameOf(2, "lo") + theEnd, "--text", 0, "hello\n"},
		"bare":      {bare, "", 0, "● planner · run-1\n  hi\n■ end of the stream\n"},
		"bare text": {bare, "--text", 0, "hi\n"},
		"excluded":  {frameOf(1, "hi") + theEnd, "--exclude-type thinking,text_delta", 0, "■ end of the stream\n"},
		"type":      {frameOf(1, "hi") + theEnd, "--type thinking --type text_delta --agent-type planner", 0, "● planner · run-1\n  hi\n■ end of the stream\n"},
		"agent":     {frameOf(1, "hi") + theEnd, "--agent run-1", 0, "● planner · run-1\n  hi\n■ end of the stream\n"},
		"open":      {frameOf(1, "hi"), "", 0, "● planner · run-1\n  hi\n! this is all there is; the stream had not ended\n"},
		"cut": {frameOf(1, "hi") + frameOf(2, "x")[:30], "", 0,
			fmt.Sprintf("● planner · run-1\n  hi\n! line 4, byte %d: the recording is cut in the middle of an event\n", len(frameOf(1, "hi"))) +
				"! this is all there is; the stream had not ended\n"},
		"broken": {"data: {\n\n" + frameOf(1, "hi") + theEnd, "", broken,
			"! line 1, byte 0: the data can't be read: the JSON ends at byte 1 where a member\n    name is expected\n● planner · run-1\n  hi\n■ end of the stream\n"},
		"narrow": {frameOf(1, "one two three") + theEnd, "--width 18", 0, "● planner · run-1\n  one two three\n■ end of the stre…\n"},
	} {
		r := streamcert(t, c.in, append([]string{"view", "-"}, strings.Fields(c.args)...)...)
		if r.Code != c.code || r.Out != c.want || r.Errs != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestViewOfWhatCantBeShown(t *testing.T) {
	streamcert(t, "", "view", "-").OneLine(t, failed, "there is no event")
	streamcert(t, "<html>\n\n", "view", "-").OneLine(t, failed, "there is no event")
	r := streamcert(t, "data: {\"type\":\"text-start\",\"id\":\"1\"}\n\n", "view", "-")
	r.OneLine(t, failed, "another protocol")
	r = streamcert(t, frameOf(1, "hi")+"data: "+strings.Repeat("x", 18<<20), "view", "-")
	r.OneLine(t, failed, "exceeds", "line 4")
	if !strings.Contains(r.Out, "  hi\n! this is as far as it could be read\n") {
		t.Error(r.Out)
	}
	r = streamcert(t, frameOf(1, "hi")+theEnd, "view", "-", "--type", "text")
	r.OneLine(t, 0, "none of the 1 chunks", "text_delta", "run-1")
	path := cmdtest.Write(t, "x.sse", frameOf(1, "hi"))
	for line, words := range map[string][]string{
		"view":                                {"FILE"},
		"view nowhere.sse":                    {"nowhere.sse"},
		"view .":                              {"is a folder"},
		"view - --text --type x":              {"--text"},
		"view - --width -3":                   {"--width -3"},
		"view -H a:b " + path:                 {"-H", "http://"},
		"view http://127.0.0.1:1/x -H secret": {"-H", "NAME: VALUE"},
		"view http:///x":                      {"no URL"},
		"check - --profile bar":               {"bar", "did you mean bare?"},
	} {
		r := streamcert(t, "", strings.Fields(line)...)
		r.OneLine(t, misuse, words...)
		if strings.Contains(r.Errs, "secret") {
			t.Errorf("%q: a header is repeated", r.Errs)
		}
	}
}

func TestViewOfAURL(t *testing.T) {
	var cursors []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer x:y" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		cursors = append(cursors, r.Header.Get("Last-Event-ID"))
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, frameOf(len(cursors), "hi "))
		if len(cursors) == 2 {
			_, _ = io.WriteString(w, theEnd+": never seen\n\n")
		}
	}))
	defer s.Close()
	streamcert(t, "", "view", s.URL).OneLine(t, failed, "401", "who are you?")
	streamcert(t, "", "view", closedAddress(t)).OneLine(t, failed, "connecting")
	r := streamcert(t, "", "view", s.URL, "-H", "Authorization: Bearer x:y", "--follow")
	if r.Code != 0 || r.Out != "● planner · run-1\n  hi hi\n■ end of the stream\n" || strings.Join(cursors, ",") != ",1" {
		t.Errorf("%+v %q", r, cursors)
	}
	if !strings.Contains(r.Errs, "resuming after event 1") {
		t.Error(r.Errs)
	}
}

func TestViewStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, frameOf(1, "hi "))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer s.Close()
	path := cmdtest.Write(t, "x.sse", frameOf(1, "hi "))
	for _, args := range [][]string{{"view", s.URL}, {"view", "-f", s.URL}, {"view", "-f", path}} {
		ctx, cancel := context.WithCancel(ctx)
		var out, errs bytes.Buffer
		seen := &watching{w: &out, want: "hi", then: cancel}
		code := testApp().Run(ctx, args, strings.NewReader(""), seen, &errs)
		if code != 0 || out.String() != "● planner · run-1\n  hi\n! stopped; the stream has not ended\n" || errs.String() != "" {
			t.Errorf("%v: %d %q %q", args, code, out.String(), errs.String())
		}
		cancel()
	}
}

// watching calls then when the writer has received the expected text.
type watching struct {
	w    *bytes.Buffer
	want string
	then func()
}

func (w *watching) Write(b []byte) (int, error) {
	n, err := w.w.Write(b)
	if strings.Contains(w.w.String(), w.want) {
		w.then()
	}
	return n, err
}

func TestViewFollowsAFile(t *testing.T) {
	path := cmdtest.Write(t, "x.sse", frameOf(1, "hi ")[:40])
	time.AfterFunc(50*time.Millisecond, func() {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return
		}
		_, _ = f.WriteString(frameOf(1, "hi ")[40:] + theEnd)
		_ = f.Close()
	})
	if r := streamcert(t, "", "view", "--follow", path); r.Code != 0 || r.Out != "● planner · run-1\n  hi\n■ end of the stream\n" {
		t.Errorf("%+v", r)
	}
}

func TestCheckOfABareRecording(t *testing.T) {
	bare := fmt.Sprintf("{\"type\":\"text_delta\",%s,\"delta\":\"hi\"}\n{\"type\":\"stream_end\",\"streamId\":\"s\",\"timestamp\":1702329600001}\n", someone)
	sse := "data: " + strings.ReplaceAll(strings.TrimSpace(bare), "\n", "\n\ndata: ") + "\n\n"
	for _, in := range []string{bare, sse} {
		if r := streamcert(t, in, "check", "-", "--profile", "bare"); r.Code != 0 || strings.Contains(r.Out, "--profile") {
			t.Errorf("%+v", r)
		}
		r := streamcert(t, in, "check", "-")
		lines := strings.Split(strings.TrimSpace(r.Out), "\n")
		if r.Code != broken || !strings.Contains(lines[len(lines)-1], "--profile bare") {
			t.Errorf("%+v", r)
		}
		if r := streamcert(t, in, "check", "-", "--format", "json"); !strings.Contains(r.Out, `"hint":"every event is a chunk`) {
			t.Errorf("%+v", r)
		}
	}
	if r := streamcert(t, frameOf(1, "hi"), "check", "-", "--profile", "bare"); !strings.Contains(r.Out, "without --profile bare") {
		t.Errorf("%+v", r)
	}
	if r := streamcert(t, frameOf(1, "hi"), "check", "-"); r.Code != 0 || strings.Contains(r.Out, "--profile") {
		t.Errorf("%+v", r)
	}
	mixed := frameOf(1, "hi") + strings.SplitAfter(sse, "\n\n")[0]
	if r := streamcert(t, mixed, "check", "-"); r.Code != broken || strings.Contains(r.Out, "--profile") {
		t.Errorf("%+v", r)
	}
}
