package probe_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/aep"
	idle "github.com/streamcert/streamcert/reference/idle/aep"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/probe"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

func probed(t *testing.T, suite *pack.Suite, cfg target.Config) (*probe.Result, error) {
	t.Helper()
	tg, err := target.New(cfg, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	return probe.Run(context.Background(), suite, tg)
}

// without returns the reference server in which some calls don't exist.
func without(t *testing.T, blocked ...string) string {
	ref := reference.New(certifytest.Options())
	t.Cleanup(ref.Close)
	return certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parts := strings.Split(r.URL.EscapedPath(), "/")
		call := r.Method + " " + parts[len(parts)-1]
		if len(parts) == 6 && parts[4] == "writers" {
			call = r.Method + " {writer}"
		}
		if slices.Contains(blocked, call) {
			http.NotFound(w, r)
			return
		}
		ref.ServeHTTP(w, r)
	}))
}

func presences(p *probe.Result) string {
	var b strings.Builder
	for _, r := range p.Routes {
		fmt.Fprintf(&b, "%s %s %d\n", r.Presence, r.Call, r.Status)
	}
	return b.String()
}

func TestProbeOfTheReference(t *testing.T) {
	p, err := probed(t, certifytest.Load(t, "helix"), certifytest.Config(without(t)))
	if err != nil {
		t.Fatal(err)
	}
	want := `present POST /control/streams/{stream}/writers 201
present POST /control/streams/{stream}/writers/{writer}/chunks 201
present GET /streams/{stream}/events 200
present GET /streams/{stream} 200
present GET /streams/{stream}/snapshot 200
present POST /control/streams/{stream}/status 204
present POST /control/streams/{stream}/cleanup 204
present POST /control/streams/{stream}/reset 204
present DELETE /control/streams/{stream}/writers/{writer} 204
present POST /control/streams/{stream}/end 204
present POST /control/streams/{stream}/fail 204
present PUT /control/streams/{stream}/state 204
present DELETE /control/streams/{stream} 204
present POST /control/runs 202
`
	if diff := cmp.Diff(want, presences(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"observe", "scripted"}, p.Tiers); diff != "" {
		t.Error(diff)
	}
	if len(p.Provable) < 100 || len(p.Unprovable) > 0 {
		t.Errorf("%d are provable, not provable are %v", len(p.Provable), p.Unprovable)
	}
}

// foretold compares the promises of a probe with the results of a run. At most so many conditions are missing in the
// config; blocked reports that a call is missing.
func foretold(t *testing.T, name string, cfg target.Config, lacks int, blocked bool) {
	t.Helper()
	suite := certifytest.Load(t, name)
	p, err := probed(t, suite, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Lacking) > lacks || len(p.Lacking) == 0 || len(p.Unprovable) > 0 != blocked {
		t.Errorf("lost are %v, %v", p.Unprovable, p.Lacking)
	}
	proven, passing := 0, 0
	for _, q := range certifytest.Run(t, suite, cfg, target.Options{}).Report.Requirements {
		lost := q.Verdict == report.Unprovable
		promised := slices.Contains(p.Provable, q.ID)
		switch {
		case lost && promised:
			t.Errorf("%s was promised and is %s (%s)", q.ID, q.Verdict, q.Reason)
		case !lost && promised:
			proven++
		case !lost && q.Verdict != report.NotClaimed: // the judge saw it in the scenarios of others
			passing++
		}
	}
	if t.Logf("%d promised, %d proven, %d more in passing", len(p.Provable), proven, passing); proven == 0 {
		t.Error("nothing was promised")
	}
}

// TestProbeForetellsTheRun takes routes away: a few at a time, of which no requirement needs two, or in a soak each.
func TestProbeForetellsTheRun(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a run for each")
	}
	all := [][]string{
		{"POST status", "POST fail", "POST runs"}, {"POST cleanup", "DELETE {writer}", "PUT state"}, {"POST reset", "POST end", "GET snapshot"},
	}
	if os.Getenv("STREAMCERT_SOAK") != "" {
		for _, some := range all[:3] {
			for _, one := range some {
				all = append(all, []string{one})
			}
		}
	}
	for _, blocked := range all {
		t.Run(strings.Join(blocked, ", "), func(t *testing.T) {
			t.Parallel() // most of the time they wait
			cfg := certifytest.Config(without(t, blocked...))
			cfg.Timing.Heartbeat = 0
			foretold(t, "helix", cfg, 3, strings.Join(blocked, "") != "PUT state")
		})
	}
}

// TestProbeForetellsTheRunOfAnAgent: likewise for a server with sequential requests, and for a config without users and
// limits.
func TestProbeForetellsTheRunOfAnAgent(t *testing.T) {
	deaf := idle.Catalogue()[slices.IndexFunc(idle.Catalogue(), func(s idle.Server) bool { return s.Name == "ignores-scripts" })]
	for _, blocked := range []string{"nothing", "/cancel", "/release", "scripts"} {
		t.Run(blocked, func(t *testing.T) {
			t.Parallel()
			var agent interface {
				http.Handler
				Close()
			} = aep.New(aep.Options{})
			if blocked == "scripts" {
				agent = idle.Handler(deaf, aep.Options{})
			}
			t.Cleanup(agent.Close)
			url := certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, blocked) {
					http.NotFound(w, r)
					return
				}
				agent.ServeHTTP(w, r)
			}))
			foretold(t, "aep", target.Config{URL: url, Timing: target.Timing{Deadline: 20 * time.Second}}, 7, blocked == "/release")
		})
	}
}

// TestProbeOfReleases: a server that knows no request of a name that it hasn't given has the route all the same.
func TestProbeOfReleases(t *testing.T) {
	agent := aep.New(aep.Options{})
	url := certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/release") {
			body, err := io.ReadAll(r.Body)
			if err != nil || strings.Contains(string(body), `"requestId":""`) {
				http.NotFound(w, r)
				return
			}
			r.Body = io.NopCloser(strings.NewReader(string(body)))
		}
		agent.ServeHTTP(w, r)
	}))
	p, err := probed(t, certifytest.Load(t, "aep"), target.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	if want := "present POST /control/aep/release 204"; !strings.Contains(presences(p), want) {
		t.Errorf("no %s in\n%s", want, presences(p))
	}
}

func TestProbeDescribesTheMistake(t *testing.T) {
	ref := reference.New(certifytest.Options())
	defer ref.Close()
	url := certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/cleanup"):
			http.Error(w, "oh no", http.StatusInternalServerError)
		case strings.HasSuffix(r.URL.Path, "/status"):
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>")
		default:
			ref.ServeHTTP(w, r)
		}
	}))
	p, err := probed(t, certifytest.Load(t, "helix"), certifytest.Config(url))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range p.Routes {
		if r.Presence == probe.Wrong {
			got[r.Call] = r.Detail
		}
	}
	want := map[string]string{
		"POST /control/streams/{stream}/cleanup": "expected 2xx: oh no",
		"POST /control/streams/{stream}/status":  "an HTML page",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	cfg := certifytest.Config(without(t))
	cfg.ControlToken = "another-token"
	if p, err = probed(t, certifytest.Load(t, "helix"), cfg); err != nil || p.Routes[0].Presence != probe.Wrong || !strings.Contains(p.Routes[0].Detail, "token") {
		t.Errorf("%v %v", p, err)
	}
}

func TestProbeOfNoStreamServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + l.Addr().String()
	_ = l.Close()
	pages := certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><p>hello</p>")
	}))
	for url, want := range map[string]string{nobody: "connection refused", pages: "HTML"} {
		_, err := probed(t, certifytest.Load(t, "helix"), certifytest.Config(url))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", url, err)
		}
	}
}
