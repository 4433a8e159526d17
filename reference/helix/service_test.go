package helix_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference/helix"
)

// service is a handler behind a real socket.
type service struct {
	testing.TB
	url    string
	client *http.Client
	writer string
}

func serve(t testing.TB, o helix.Options) *service {
	h := helix.New(o)
	server := httptest.NewUnstartedServer(h)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	s := &service{TB: t, url: server.URL, client: server.Client()}
	t.Cleanup(func() { // readers first, so that the server doesn't wait for them
		h.Close()
		s.client.CloseIdleConnections()
		server.Close()
	})
	return s
}

// do sends a request; header lines are "Name: value". The caller closes the body.
func (s *service) do(method, path, body string, header ...string) *http.Response {
	s.Helper()
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Del(name)
		r.Header.Add(name, value)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	return answer
}

// call sends a request and returns "status body".
func (s *service) call(method, path, body string, header ...string) string {
	s.Helper()
	answer := s.do(method, path, body, header...)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.Fatal(err)
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", answer.StatusCode, text))
}

func (s *service) want(want, method, path, body string, header ...string) {
	s.Helper()
	if diff := cmp.Diff(want, s.call(method, path, body, header...)); diff != "" {
		s.Errorf("%s %s %s %q (-want +got):\n%s", method, path, body, header, diff)
	}
}

// open opens a writer on a stream, given as it is in a path.
func (s *service) open(stream string) {
	s.Helper()
	text := s.call("POST", "/control/streams/"+stream+"/writers", `{"agentId":"a","agentType":"t"}`)
	var answer struct{ WriterID string }
	if body, ok := strings.CutPrefix(text, "201 "); !ok || json.Unmarshal([]byte(body), &answer) != nil {
		s.Fatalf("opening a writer: %s", text)
	}
	s.writer = answer.WriterID
}

func (s *service) write(stream, body string) string {
	s.Helper()
	return s.call("POST", "/control/streams/"+stream+"/writers/"+s.writer+"/chunks", body)
}

func (s *service) control(stream, verb, body string) {
	s.Helper()
	s.want("204", "POST", "/control/streams/"+stream+"/"+verb, body)
}

// reader reads the blocks of one response.
type reader struct {
	testing.TB
	body  io.ReadCloser
	lines *bufio.Reader
}

func (s *service) attach(stream string, header ...string) *reader {
	s.Helper()
	answer := s.do("GET", "/streams/"+stream+"/events", "", header...)
	s.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != http.StatusOK {
		s.Fatalf("attaching to %s: %s", stream, answer.Status)
	}
	return &reader{TB: s.TB, body: answer.Body, lines: bufio.NewReader(answer.Body)}
}

// block returns the next block without its blank line, or EOF.
func (r *reader) block() string {
	r.Helper()
	var block strings.Builder
	for {
		line, err := r.lines.ReadString('\n')
		switch {
		case err == io.EOF && block.Len() == 0 && line == "":
			return "EOF"
		case err != nil:
			r.Fatalf("reading after %q: %v", block.String()+line, err)
		case line == "\n":
			return strings.TrimSuffix(block.String(), "\n")
		}
		block.WriteString(line)
	}
}

func (r *reader) want(blocks ...string) {
	r.Helper()
	for _, want := range blocks {
		if diff := cmp.Diff(want, r.block()); diff != "" {
			r.Fatalf("block (-want +got):\n%s", diff)
		}
	}
}

func chunkBlock(sequence int, chunk string) string {
	return fmt.Sprintf("id: %d\ndata: {\"type\":\"chunk\",\"sequence\":%d,\"chunk\":%s}", sequence, sequence, chunk)
}
