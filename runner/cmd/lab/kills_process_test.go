package lab

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// process is a process of a server from its start to its kill.
type process struct {
	t      *testing.T
	url    string
	cmd    *exec.Cmd
	client *http.Client
}

// begin starts a server, which prints its URL when it listens.
func begin(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	l := &process{t: t, cmd: cmd, client: &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}}
	for said := bufio.NewScanner(out); said.Scan(); {
		if strings.HasPrefix(said.Text(), "http://") {
			l.url = said.Text()
			return l
		}
	}
	l.kill()
	t.Fatal("the server doesn't say where it listens")
	return nil
}

// kill ends the process by SIGKILL and returns when it has exited.
func (l *process) kill() {
	_ = l.cmd.Process.Kill()
	_ = l.cmd.Wait() // the error says that it was killed
	l.client.CloseIdleConnections()
}

// result is the answer to a call; status 0 means that none came.
type result struct {
	status int
	text   string
}

func (l *process) call(method, path, body string) result {
	req, err := http.NewRequest(method, l.url+path, strings.NewReader(body))
	if err != nil {
		return result{}
	}
	req.Header.Set("Content-Type", "application/json")
	answer, err := l.client.Do(req)
	if err != nil {
		return result{}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return result{}
	}
	return result{answer.StatusCode, string(text)}
}

// must makes a call that has to succeed, and reads a member of its answer.
func (l *process) must(method, path, body, member string) any {
	l.t.Helper()
	r := l.call(method, path, body)
	if r.status/100 != 2 {
		l.t.Fatalf("%s %s: %d %s", method, path, r.status, r.text)
	}
	var members map[string]any
	if err := json.Unmarshal([]byte(r.text), &members); err != nil && member != "" {
		l.t.Fatalf("%s %s: %s: %v", method, path, r.text, err)
	}
	return members[member]
}

// acknowledged is a chunk that a reader received, or the end.
type acknowledged struct {
	sequence int64
	kind     string // of the chunk; "end" for the end
	delta    string
}

// read reads a stream after a cursor, up to a sequence or to its end.
func (l *process) read(stream string, after, until int64) []acknowledged {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", l.url+"/streams/"+stream+"/events", nil)
	if err != nil {
		l.t.Fatal(err)
	}
	if after > 0 {
		req.Header.Set("Last-Event-ID", fmt.Sprint(after))
	}
	answer, err := l.client.Do(req)
	if err != nil {
		l.t.Fatal(err)
	}
	defer answer.Body.Close()
	var events []acknowledged
	var e acknowledged
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.sequence, _ = strconv.ParseInt(value, 10, 64)
		case "data":
			var frame struct {
				Type  string
				Chunk struct{ Type, Delta string }
			}
			if err := json.Unmarshal([]byte(value), &frame); err != nil {
				l.t.Fatal(err)
			}
			if e.kind, e.delta = frame.Chunk.Type, frame.Chunk.Delta; frame.Type != "chunk" {
				e.kind = frame.Type
			}
			events = append(events, e)
			if e.kind == "end" || until > 0 && e.sequence >= until {
				return events
			}
		}
	}
	l.t.Fatalf("stream %s ends after %d events, and sequence %d has to come: %d", stream, len(events), until, answer.StatusCode)
	return nil
}
