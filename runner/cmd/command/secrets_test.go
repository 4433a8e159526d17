package command

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

// secret is one that every encoding writes differently.
func secret(i int) string { return fmt.Sprintf(`s3cr3t<%02d>/"pw&`, i) }

// encodings returns the ways in which a server, or a writer, may show a text.
func encodings(s string) []string {
	quoted, _ := json.Marshal(s) // a string always can be
	return []string{
		s, url.QueryEscape(s), strings.ToLower(url.QueryEscape(s)), url.PathEscape(s), string(quoted[1 : len(quoted)-1]), html.EscapeString(s),
		strings.NewReplacer(`"`, `\"`, "/", `\/`).Replace(s), hex.EncodeToString([]byte(s)), base64.StdEncoding.EncodeToString([]byte(s)),
		base64.RawURLEncoding.EncodeToString([]byte(s)), base64.StdEncoding.EncodeToString([]byte("user:" + s)),
	}
}

// leaky returns the reference server, which outputs every secret in every encoding: in
// headers, in frames, and in refusals.
func leaky(t *testing.T) *httptest.Server {
	t.Helper()
	server := reference.New(reference.Options{ReaderToken: secret(1), ControlToken: secret(4), Heartbeat: heartbeat})
	var all []string
	for i := 1; i <= 12; i++ {
		all = append(all, encodings(secret(i))...)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Leak", strings.Join(all, " "))
		server.ServeHTTP(&leaking{ResponseWriter: w, text: strings.Join(all, " ")}, r)
	}))
	t.Cleanup(func() { s.Close(); server.Close() })
	return s
}

// chatty returns a server of one stream, whose agent states the twelfth secret in every
// encoding, and whose frames break rules with it.
func chatty(t *testing.T) string {
	t.Helper()
	text := strings.Join(encodings(secret(12)), " ")
	delta, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "id: 1\ndata: {\"type\":\"chunk\",\"sequence\":1,\"chunk\":{\"agentId\":\"a\",\"agentType\":\"t\",\"type\":\"text_delta\",\"delta\":%s,\"timestamp\":1}}\n\n", delta)
		fmt.Fprintf(w, "id: %s\ndata: {\"type\":%s}\n\n", text, delta)
		fmt.Fprint(w, "id: 3\ndata: {\"type\":\"end\"}\n\n")
	}))
	t.Cleanup(s.Close)
	return s.URL
}

type leaking struct {
	http.ResponseWriter
	text string
	head bool
}

func (l *leaking) WriteHeader(status int) {
	l.head = true
	if status >= 400 {
		l.Header().Del("Content-Length")
	}
	l.ResponseWriter.WriteHeader(status)
	kind := l.Header().Get("Content-Type")
	if strings.HasPrefix(kind, "text/event-stream") {
		fmt.Fprintf(l.ResponseWriter, "data: %s\n\n", l.text)
	} else if status >= 400 {
		fmt.Fprintf(l.ResponseWriter, "%s\n", l.text)
	}
}

func (l *leaking) Write(p []byte) (int, error) {
	if !l.head {
		l.WriteHeader(http.StatusOK)
	}
	return l.ResponseWriter.Write(p)
}

func (l *leaking) Unwrap() http.ResponseWriter { return l.ResponseWriter }

func (l *leaking) Flush() {
	if !l.head {
		l.WriteHeader(http.StatusOK)
	}
	_ = http.NewResponseController(l.ResponseWriter).Flush() // as much as there is
}

// TestNoOutputHasASecret puts twelve secrets at twelve positions and searches for
// each, in every encoding, in all output of every command.
func TestNoOutputHasASecret(t *testing.T) {
	t.Setenv("IN_HEADER", secret(8))
	t.Setenv("IN_LAUNCH_ENV", secret(9))
	t.Setenv("IN_COMMAND", secret(10))
	t.Setenv("IN_ERROR", secret(11))
	server := leaky(t)
	host := strings.TrimPrefix(server.URL, "http://")
	config := func(more string) string {
		return cmdtest.Write(t, "c.yaml", fmt.Sprintf(`target: {url: 'http://user:%s@%s'}
headers:
  Authorization: 'Bearer %s'
  Cookie: 'session=%s; theme=dark'
  X-Basic: 'Basic %s'
  X-Variable: ${IN_HEADER}
control: {token: '%s'}
aep: {other: {Authorization: 'Bearer %s'}, limited: {Authorization: 'Bearer %s'}}
%s
`, url.PathEscape(secret(7)), host, secret(1), secret(2), base64.StdEncoding.EncodeToString([]byte("user:"+secret(3))), secret(4), secret(5), secret(6), more))
	}
	plain := config("")
	out := filepath.Join(t.TempDir(), "out")
	saved := filepath.Join(t.TempDir(), "saved.sse")
	bearer := "Authorization: Bearer " + secret(12)
	stream := chatty(t) + "/streams/s/events"
	launch := config(`launch: {command: ['no-such-program-${IN_COMMAND}', '${IN_COMMAND}'], env: {X: '${IN_LAUNCH_ENV}'}}`)
	dies := config(`launch: {command: 'echo "$X ${IN_COMMAND}"; exit 3', env: {X: '${IN_LAUNCH_ENV}'}, ready: "http://127.0.0.1:1/"}`)
	inConfig, inLaunch, inURL, inCall, inError := []int{1, 2, 3, 4, 5, 6, 7, 8}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []int{7}, []int{12}, []int{11}
	for _, c := range []struct {
		knows []int
		args  []string
	}{
		{inConfig, []string{"certify", "--config", plain, "--pack", "helix", "--only", "helix.resume.after-cursor", "--out", out, "--verbose"}},
		{inConfig, []string{"certify", "--config", plain, "--pack", "helix", "--only", few, "--format", "json"}},
		{inConfig, []string{"certify", "--config", plain, "--pack", "aep", "--only", "aep.wire.*"}},
		{inURL, []string{"certify", "--target", "http://user:" + url.PathEscape(secret(7)) + "@" + host, "--pack", "helix", "--only", few}},
		{inURL, []string{"certify", "--target", "ftp://user:" + url.PathEscape(secret(7)) + "@host"}},
		{inLaunch, []string{"certify", "--config", launch, "--pack", "helix"}},
		{inLaunch, []string{"certify", "--config", dies, "--pack", "helix"}},
		{inError, []string{"certify", "--config", config(`launch: {command: x, stop: '${IN_ERROR}'}`)}},
		{inError, []string{"certify", "--config", config(`timing: {deadline: '${IN_ERROR}'}`)}},
		{inConfig, []string{"probe", "--config", plain, "--pack", "helix"}},
		{inConfig, []string{"verify", filepath.Join(out, "report.json")}},
		{inCall, []string{"observe", stream, "-H", bearer, "--for", "1s", "--save", saved}},
		{inCall, []string{"observe", stream + "?token=" + url.QueryEscape(secret(12)), "--for", "1s", "--format", "json"}},
		{inCall, []string{"observe", strings.Replace(stream, "http://", "http://"+url.PathEscape(secret(12))+"@", 1), "--for", "1s"}},
		{inCall, []string{"observe", stream, "-H", bearer, "--for", "1s", "--format", "json"}},
		{inCall, []string{"view", stream, "-H", bearer}},
		{inCall, []string{"view", stream, "-H", bearer, "--text"}},
		{inCall, []string{"view", stream + "?token=" + url.QueryEscape(secret(12))}},
		{inCall, []string{"view", strings.Replace(stream, "http://", "http://"+url.PathEscape(secret(12))+"@", 1)}},
	} {
		r := streamcert(t, "", c.args...)
		if r.Out+r.Errs == "" {
			t.Errorf("%v says nothing", c.args)
		}
		for _, i := range c.knows {
			found(t, fmt.Sprint(c.args, ": standard output"), r.Out, i)
			found(t, fmt.Sprint(c.args, ": standard error"), r.Errs, i)
		}
	}
	files, err := os.ReadDir(out)
	if err != nil || len(files) < 8 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(out, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= 8; i++ {
			found(t, f.Name(), string(text), i)
		}
	}
}

// found reports a secret in a text.
func found(t *testing.T, where, text string, i int) {
	t.Helper()
	for _, form := range encodings(secret(i)) {
		if at := strings.Index(text, form); at >= 0 {
			t.Errorf("%s has secret %d as %s: …%.200s", where, i, form, text[max(0, at-80):])
			return
		}
	}
}
