package helix

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
)

// TestServersOfAMutantShareNothing: the state of a mutant belongs to one server.
func TestServersOfAMutantShareNothing(t *testing.T) {
	base := baseOptions()
	for _, m := range Catalogue() {
		t.Run(m.Name, func(t *testing.T) {
			for range 2 {
				s := Handler(m, base)
				if a := call(s, "GET", "/streams/s", ""); a.Code != http.StatusNotFound &&
					m.Requirement != "helix.status.info-unknown" {
					t.Errorf("the stream of another server is answered %d", a.Code)
				}
				call(s, "POST", "/control/streams/s/writers", `{"agentId":"a","agentType":"t"}`)
				s.Close()
			}
		})
	}
}

// baseOptions loads the schemas once for all servers. It brings no store.
func baseOptions() reference.Options {
	return reference.Options{Validate: reference.Defaults(reference.Options{}).Validate}
}

const delta = `{"type":"text_delta","agentId":"a","agentType":"t","timestamp":1,"delta":"x. "}`

// TestMutantsServe runs a stream through every mutant: it answers, and it doesn't panic. The scenarios check the bug.
func TestMutantsServe(t *testing.T) {
	base := baseOptions()
	for _, m := range Catalogue() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			s := Handler(m, base)
			server := httptest.NewUnstartedServer(s)
			var problems bytes.Buffer // net/http survives a panic and says so here
			server.Config.ErrorLog = log.New(&problems, "", 0)
			server.Start()
			var writer struct {
				WriterID string `json:"writerId"`
			}
			opened := call(s, "POST", "/control/streams/s/writers", `{"agentId":"a","agentType":"t"}`)
			if json.Unmarshal(opened.Body.Bytes(), &writer) != nil || writer.WriterID == "" {
				t.Fatalf("opening a writer: %d %s", opened.Code, opened.Body)
			}
			chunks := "/control/streams/s/writers/" + writer.WriterID + "/chunks"
			if a := call(s, "POST", chunks, delta); a.Code != http.StatusCreated {
				t.Fatalf("writing: %d %s", a.Code, a.Body)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/streams/s/events", nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := server.Client().Do(req)
			if err != nil || res.StatusCode/100 != 2 {
				t.Fatalf("reading: %v, %v", res, err)
			}
			for _, c := range []struct{ path, body string }{
				{chunks, "[" + delta + "," + delta + "]"},
				{"/control/streams/s/status", `{"status":"paused"}`},
				{"/control/streams/s/cleanup", `{"stepCount":1}`},
				{"/control/streams/s/status", `{"status":"active"}`},
				{"/control/streams/s/end", `{"finalOutput":{"a":null}}`},
				{"/control/streams/s/reset", ``},
				{"/control/streams/s/fail", `{"error":"it broke"}`},
			} {
				if a := call(s, "POST", c.path, c.body); a.Code >= 500 {
					t.Errorf("POST %s: %d %s", c.path, a.Code, a.Body)
				}
			}
			s.Close()
			cancel()
			_ = res.Body.Close()
			server.Close() // waits for every handler
			if problems.Len() > 0 {
				t.Errorf("the server complains:\n%s", problems.Bytes())
			}
		})
	}
}

func call(h http.Handler, method, path, body string) *httptest.ResponseRecorder {
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	a := httptest.NewRecorder()
	q := httptest.NewRequest(method, "http://localhost"+path, r)
	q.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(a, q)
	return a
}

func TestHandlerWithoutAMutation(t *testing.T) {
	s := Handler(Mutant{}, reference.Options{})
	defer s.Close()
	if a := call(s, "GET", "/streams/s", ""); a.Code != http.StatusNotFound {
		t.Errorf("got %d", a.Code)
	}
	if positions := sits(Mutant{}); len(positions) > 0 {
		t.Errorf("got %v", positions)
	}
}

func TestExtensionPoints(t *testing.T) {
	for name, want := range map[string]string{
		"stores-valid-part": "store validate", "id-with-prefix": "cursor encoder", "idle-time-out": "attach",
		"no-heartbeat": "heartbeat",
		"open-door":    "readertoken", "no-body-limit": "maxbody", "folds-stream-id-case": "streamid",
		"html-content-type": "handler",
	} {
		for _, m := range Catalogue() {
			if m.Name != name {
				continue
			}
			if got := strings.Join(sits(m), " "); got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	}
}
