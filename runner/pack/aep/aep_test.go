package aep_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// agentOptions returns a server with users and limits, and the config that knows of them.
func agentOptions() (aep.Options, target.Config) {
	bearer := func(token string) map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
	const beat, timeout, impatient, control = 50 * time.Millisecond, 300 * time.Millisecond, "impatient", "control-token"
	return aep.Options{
			Principals: map[string]string{"first-token": "first", "other-token": "other", "limited-token": "limited"},
			Rates:      map[string]aep.Rate{"limited": {Requests: 2}}, MaxMessage: 4 << 10, Heartbeat: beat, ControlToken: control,
			Timeouts: map[string]time.Duration{impatient: timeout},
		}, target.Config{
			Headers: bearer("first-token"), ControlToken: control, Timing: target.Timing{Heartbeat: beat, Deadline: 10 * time.Second},
			Sections: []any{targetaep.Config{
				Other: bearer("other-token"), Limited: bearer("limited-token"), Message: 4 << 10, Requests: 2, StreamTimeout: timeout, TimeoutAgent: impatient,
			}},
		}
}

// loaded is the suite of the pack, which is read once.
var loaded = sync.OnceValues(func() (*pack.Suite, error) {
	return packs.Load(pack.Files{Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS}, "aep")
})

// certified runs the pack against a server.
func certified(ctx context.Context, h http.Handler, cfg target.Config, o certify.Options) (*report.Report, error) {
	server := httptest.NewServer(h)
	defer func() {
		server.CloseClientConnections()
		server.Close()
	}()
	if c, ok := h.(interface{ Close() }); ok {
		defer c.Close()
	}
	cfg.URL = server.URL
	tg, err := target.New(cfg, target.Options{})
	if err != nil {
		return nil, err
	}
	defer tg.Close()
	o.Target = tg
	suite, err := loaded()
	if err != nil {
		return nil, err
	}
	res, err := certify.Run(ctx, suite, o)
	if err != nil {
		return nil, err
	}
	return res.Report, nil
}

// certifyAgent is certified for a test that can't go on without a report.
func certifyAgent(t *testing.T, h http.Handler, cfg target.Config, o certify.Options) *report.Report {
	t.Helper()
	rep, err := certified(t.Context(), h, cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestAgentReference(t *testing.T) {
	options, cfg := agentOptions()
	for _, seed := range []int64{1, 2} {
		rep := certifyAgent(t, aep.New(options), cfg, certify.Options{Seed: seed, Concurrency: int(4 * seed)})
		for _, q := range rep.Requirements {
			if q.Verdict != report.Pass && q.Untestable == "" && q.Chapter != "durable" && q.Chapter != "replicas" { // nobody may kill it
				t.Errorf("seed %d: %s is %s %s %+v", seed, q.ID, q.Verdict, q.Reason, q.Findings)
			}
		}
		if rep.Fault != "" || rep.Summary.Seconds > 120 {
			t.Errorf("seed %d: fault %q in %.1f s", seed, rep.Fault, rep.Summary.Seconds)
		}
	}
}

// unscripted takes the script out of a request.
func unscripted(r *http.Request) *http.Request {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return r
	}
	var request map[string]any
	if json.Unmarshal(body, &request) == nil {
		if handed, ok := request["context"].(map[string]any); ok {
			delete(handed, "conformance")
			body, _ = json.Marshal(request)
		}
	}
	out := r.Clone(r.Context())
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return out
}

// TestAgentWithoutScripts: requirements that can't be provoked are unprovable; they neither pass nor fail.
func TestAgentWithoutScripts(t *testing.T) {
	options, cfg := agentOptions()
	inner := aep.New(options)
	t.Cleanup(inner.Close)
	deaf := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/control/") {
			http.NotFound(w, r)
			return
		}
		inner.ServeHTTP(w, unscripted(r))
	})
	rep := certifyAgent(t, deaf, cfg, certify.Options{})
	verdicts := map[string]report.Verdict{}
	for _, q := range rep.Requirements {
		verdicts[q.ID] = q.Verdict
		if q.Verdict == report.Fail || q.Verdict == report.Warn || q.Verdict == report.Error {
			t.Errorf("%s is %s %s %+v", q.ID, q.Verdict, q.Reason, q.Findings)
		}
	}
	for id, want := range map[string]report.Verdict{
		"aep.flow.metadata-first": report.Pass, "aep.wire.json": report.Pass, "aep.threads.unknown": report.Pass, "aep.http.credential": report.Pass,
		"aep.content.text": report.Unprovable, "aep.actions.unchanged": report.Unprovable, "aep.errors.agent": report.Unprovable,
		"aep.cancel.silent": report.Unprovable, "aep.wire.live": report.Unprovable,
	} {
		if verdicts[id] != want {
			t.Errorf("%s is %s, want %s", id, verdicts[id], want)
		}
	}
}

// TestAgentPreflight: a server that isn't of the pack is reported in one line.
func TestAgentPreflight(t *testing.T) {
	_, cfg := agentOptions()
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		says  string
	}{
		"nothing there": {http.NotFound, "answered 404, expected 200 with an event stream; are routes.stream, aep.agent and the headers right?"},
		"a page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html></html>\n\n")
		}, "answered with an HTML page"},
		"a page that refuses": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusBadGateway)
		}, "answered 502 with an HTML page"},
		"nothing in it": {func(http.ResponseWriter, *http.Request) {}, "answered 200 and no event"},
	} {
		rep := certifyAgent(t, c.serve, cfg, certify.Options{})
		if !strings.Contains(rep.Fault, c.says) || strings.Contains(rep.Fault, "\n") || !strings.HasPrefix(rep.Fault, "preflight: POST http://") {
			t.Errorf("%s: got %q", name, rep.Fault)
		}
	}
}
