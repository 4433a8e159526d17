package certify_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/aep"
)

// impatient returns the address of a server that closes a connection once it has idled for a time.
func impatient(t *testing.T, h http.Handler, idle time.Duration) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	timers := map[net.Conn]*time.Timer{}
	srv := &http.Server{Handler: h, ConnState: func(c net.Conn, state http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		if timer := timers[c]; timer != nil {
			timer.Stop()
			delete(timers, c)
		}
		if state == http.StateIdle {
			timers[c] = time.AfterFunc(idle, func() { _ = c.Close() })
		}
	}}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })
	return "http://" + l.Addr().String()
}

// targetOf returns a target with separate connections.
func targetOf(t *testing.T, url string) *target.Target {
	t.Helper()
	tg, err := target.New(certifytest.Config(url), target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	return tg
}

// TestIdleConnectionsMayBeClosed: no call is lost that is sent while the server closes its idle connection.
func TestIdleConnectionsMayBeClosed(t *testing.T) {
	ref := reference.New(certifytest.Options())
	t.Cleanup(ref.Close)
	const idle = 150 * time.Millisecond
	var mu sync.Mutex
	writes := map[string]int{}
	at := impatient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			mu.Lock()
			writes[r.RemoteAddr]++
			mu.Unlock()
		}
		ref.ServeHTTP(w, r)
	}), idle)
	const clients, each = 10, 8
	var running sync.WaitGroup
	for range clients {
		tg := targetOf(t, at)
		running.Go(func() {
			session := tg.Session(t.Context())
			defer session.Close()
			for i := range each { // each as long after the one before as the server takes to hang up
				time.Sleep(idle - time.Duration(i%3)*time.Millisecond)
				call, err := session.Call("POST", "/streams/"+session.NewStream()+"/writers", []byte(`{"agentId":"a","agentType":"b"}`), false)
				if err != nil || call.Now().Status != http.StatusCreated {
					t.Errorf("call %d: %v", i, err)
				}
			}
		})
	}
	running.Wait()
	if t.Failed() {
		return
	}
	sum := 0
	for _, n := range writes {
		sum += n
	}
	if sum != clients*each {
		t.Errorf("%d calls arrived as %d", clients*each, sum)
	}
}

// TestLostCallsOfProbes: a scenario that waits for all others is repeated after them, when one of its calls was lost.
func TestLostCallsOfProbes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many calls that are made again")
	}
	ref := reference.New(certifytest.Options())
	t.Cleanup(ref.Close)
	at := impatient(t, ref, 50*time.Microsecond)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	only := []string{"helix.lifecycle.live", "helix.resume.paused", "helix.status.transitions"}
	rep, err := certify.Run(ctx, certifytest.Load(t, "helix"), certify.Options{Target: targetOf(t, at), Seed: 2, Effort: campaign.Standard, Only: only})
	if err != nil || rep.Report.Interrupted {
		t.Fatalf("the run didn't end within ten minutes: %v", err)
	}
}

// TestConnectionsThatCloseInTheWayOfACall: a server that closes briefly idle connections is not accused of lost calls, and
// one that closes a connection during a call is.
func TestConnectionsThatCloseInTheWayOfACall(t *testing.T) {
	ref := reference.New(certifytest.Options())
	t.Cleanup(ref.Close)
	chapters := []string{"resume.no-*", "status.*", "lifecycle.*"}
	rep := run(t, certify.Options{Target: targetOf(t, impatient(t, ref, time.Millisecond)), Seed: 1, Only: chapters})
	if rep.Summary.Pass != len(rep.Requirements) {
		for _, q := range rep.Requirements {
			if q.Verdict != report.Pass {
				t.Errorf("%s: %s %s %+v", q.ID, q.Verdict, q.Reason, q.Findings)
			}
		}
	}
	url := certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/status") {
			panic(http.ErrAbortHandler)
		}
		ref.ServeHTTP(w, r)
	}))
	rep = run(t, certify.Options{Target: targetOf(t, url), Seed: 1, Only: []string{"status.frames"}})
	if rep.Summary.Fail == 0 {
		t.Errorf("a server that hangs up on a call is not blamed: %+v", rep.Summary)
	}
}

// TestLostCallsOfCampaigns: a history with a lost call is played again.
func TestLostCallsOfCampaigns(t *testing.T) {
	t.Parallel()
	ref := reference.New(certifytest.Options())
	t.Cleanup(ref.Close)
	var mu sync.Mutex
	calls, lost := map[string]int{}, 0
	hangsUp := func(r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		calls[r.RemoteAddr]++
		if r.Method != http.MethodPost || calls[r.RemoteAddr] < 20 || lost > 0 {
			return false
		}
		lost++
		return true
	}
	url := certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hangsUp(r) {
			panic(http.ErrAbortHandler)
		}
		ref.ServeHTTP(w, r)
	}))
	campaigns := func(_ features.Scenario, title string) bool { return title == "Any history of a stream" }
	rep := run(t, certify.Options{Target: targetOf(t, url), Seed: 1, Effort: campaign.Standard, Rows: campaigns})
	if lost != 1 || rep.Summary.Fail > 0 || len(rep.Scenarios) == 0 {
		t.Errorf("%d calls were lost, %+v, %d scenarios", lost, rep.Summary, len(rep.Scenarios))
	}
}

// abruptly returns a server that refuses large bodies without reading them, and hangs up.
func abruptly(h http.Handler, abrupt bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const one = `{"content":[{"text":"x","type":"text"}],"role":"user"}`
		const largest = 1<<20 + int64(len(`{"messages":[`+one+`,`+one+`]}`)) // of a message of the largest size after another one
		if !abrupt || r.ContentLength <= largest {
			h.ServeHTTP(w, r)
			return
		}
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		const body = `{"error":"too large","code":"message_too_large"}`
		_, _ = fmt.Fprintf(c, "HTTP/1.1 413 Too Large\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(body), body)
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close()
	})
}

// TestEarlyRefusalsBehindAProxy: a proxy may lose a server's answer to a body that it doesn't read to the end.
func TestEarlyRefusalsBehindAProxy(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many runs with bodies of 16 MiB")
	}
	times := 5
	if os.Getenv("STREAMCERT_SOAK") != "" {
		times = 20
	}
	for _, c := range []struct {
		name, only string
		abrupt     bool // the server doesn't read a body that it refuses
	}{
		{"helix", "security.body-limit", false}, {"aep", "request.too-large", false},
		{"helix", "security.body-limit", true}, {"aep", "request.too-large", true},
	} {
		ref := reference.New(certifytest.Options())
		t.Cleanup(ref.Close)
		behind, err := url.Parse(certifytest.Serve(t, abruptly(ref, c.abrupt)))
		if err != nil {
			t.Fatal(err)
		}
		proxy := &httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(behind) }, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
		}
		cfg := certifytest.Config(certifytest.Serve(t, proxy))
		cfg.Sections = []any{aep.Config{Message: 1 << 20}}
		tg, err := target.New(cfg, target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(tg.Close)
		suite, verdicts := certifytest.Load(t, c.name), map[report.Verdict]int{}
		for range times {
			res, err := certify.Run(t.Context(), suite, certify.Options{Target: tg, Only: []string{c.only}})
			if err != nil {
				t.Fatal(err)
			}
			q := res.Report.Requirements[0]
			verdicts[q.Verdict]++
			if q.Verdict != report.Pass && q.Verdict != report.Unprovable {
				t.Errorf("%s: %s %s %+v", q.ID, q.Verdict, q.Reason, q.Findings)
			}
		}
		t.Logf("%s, abrupt %v: %v", c.only, c.abrupt, verdicts)
	}
}
