package certify_test

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// started returns a target at a handler in front of the reference server.
func started(t *testing.T, wrap func(http.Handler) http.Handler, change func(*target.Config)) *target.Target {
	t.Helper()
	ref := reference.New(certifytest.Options())
	t.Cleanup(ref.Close)
	cfg := certifytest.Config(certifytest.Serve(t, wrap(ref)))
	if change != nil {
		change(&cfg)
	}
	tg, err := target.New(cfg, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	return tg
}

func asItIs(h http.Handler) http.Handler { return h }

func run(t *testing.T, o certify.Options) *report.Report {
	t.Helper()
	res, err := certify.Run(t.Context(), certifytest.Load(t, "helix"), o)
	if err != nil {
		t.Fatal(err)
	}
	return res.Report
}

func of(t *testing.T, rep *report.Report, id string) report.Requirement {
	t.Helper()
	for _, q := range rep.Requirements {
		if q.ID == id {
			return q
		}
	}
	t.Fatalf("the report says nothing of %s", id)
	return report.Requirement{}
}

func TestTimeoutEndsTheRun(t *testing.T) {
	slowly := func(h http.Handler) http.Handler { return slow(h, 50*time.Millisecond) }
	began := time.Now()
	rep := run(t, certify.Options{Target: started(t, slowly, nil), Seed: 1, Timeout: time.Second})
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the run took %v", took)
	}
	if rep.Summary.Error == 0 || rep.Summary.Fail > 0 || rep.ExitCode(nil) != 3 || !strings.HasPrefix(rep.Ended, "the run's timeout") {
		t.Errorf("%+v, ended by %q", rep.Summary, rep.Ended)
	}
	for _, q := range rep.Requirements {
		if q.Verdict == report.Error && !strings.HasPrefix(q.Reason, "the run's timeout of 1s") {
			t.Errorf("%s: %s", q.ID, q.Reason)
		}
	}
}

func TestFailFastEndsTheRun(t *testing.T) {
	endless := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Accel-Buffering", "yes")
			if strings.HasSuffix(r.URL.Path, "/status") {
				w.WriteHeader(http.StatusTeapot)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
	tg := started(t, endless, nil)
	rep := run(t, certify.Options{Target: tg, Seed: 1, Concurrency: 1, FailFast: true})
	if rep.Summary.Fail != 1 || !strings.Contains(rep.Ended, "first failure") || rep.ExitCode(nil) != 1 {
		t.Errorf("%+v, ended by %q", rep.Summary, rep.Ended)
	}
	var console bytes.Buffer
	if err := (report.Console{}).Write(&console, rep); err != nil || !strings.Contains(console.String(), "ended by the first failure, of helix.") {
		t.Errorf("%v: the last line says nothing of it:\n%s", err, console.String())
	}
}

func TestRateBoundsRequests(t *testing.T) {
	t.Parallel()
	const rate = 40
	var asked atomic.Int64
	counting := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			h.ServeHTTP(w, r)
		})
	}
	tg := started(t, counting, func(c *target.Config) { c.Limits.Rate = rate })
	began := time.Now()
	rep := run(t, certify.Options{Target: tg, Seed: 1, Only: []string{"resume.no-content", "resume.at-latest"}})
	took := time.Since(began).Seconds()
	if rep.Summary.Pass != 2 {
		t.Errorf("%+v", rep.Summary)
	}
	if n := float64(asked.Load()); n > 1+rate*took || n < 20 {
		t.Errorf("%v requests in %.1f s, want at most %d a second", n, took, rate)
	}
	if rep.Summary.Requests != int(asked.Load()) {
		t.Errorf("the report counts %d requests, the server %d", rep.Summary.Requests, asked.Load())
	}
}

func TestSkipLeavesOut(t *testing.T) {
	tg := started(t, asItIs, nil)
	o := certify.Options{
		Target: tg, Seed: 1, Only: []string{"resume.no-content", "resume.at-latest", "wire.no-bom"},
		Skip: []string{"helix.resume.no-content", "The first bytes of*"},
	}
	rep := run(t, o)
	for id, want := range map[string]report.Verdict{
		"helix.resume.no-content": report.Skipped, "helix.resume.at-latest": report.Pass, "helix.wire.no-bom": report.Skipped,
	} {
		if got := of(t, rep, id); got.Verdict != want {
			t.Errorf("%s: %s, want %s", id, got.Verdict, want)
		}
	}
	for _, sc := range rep.Scenarios {
		if sc.Requirement == "helix.resume.no-content" || strings.HasPrefix(sc.Title, "The first bytes") {
			t.Errorf("%s was run", sc.Title)
		}
	}
	var nothing *pack.SelectionError
	o.Skip = []string{"The first bytes of a strem"}
	if _, err := certify.Run(t.Context(), certifytest.Load(t, "helix"), o); !errors.As(err, &nothing) || !strings.Contains(err.Error(), `did you mean "The first bytes of a stream"?`) {
		t.Errorf("got %v", err)
	}
}

func TestListSendsNothing(t *testing.T) {
	tg, err := target.New(certifytest.Config("http://127.0.0.1:1"), target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	suite := certifytest.Load(t, "helix")
	o := certify.Options{Target: tg, Only: []string{"resume.*"}, Skip: []string{"resume.complete"}}
	list, err := certify.List(suite, o)
	if err != nil {
		t.Fatal(err)
	}
	if tg.Requests() != 0 {
		t.Errorf("%d requests were sent", tg.Requests())
	}
	o.Target = started(t, asItIs, nil)
	ran := map[string]int{}
	for _, sc := range run(t, o).Scenarios {
		ran[sc.Requirement+" "+sc.Location]++
	}
	for _, q := range list.Requirements {
		if (q.ID == "helix.resume.complete") != (q.Reason == "skipped") {
			t.Errorf("%s: %q", q.ID, q.Reason)
		}
		for _, sc := range q.Scenarios {
			if n := ran[q.ID+" "+sc.Location]; n != len(sc.Rows) {
				t.Errorf("%s: %d rows are listed, %d ran", sc.Location, len(sc.Rows), n)
			}
			delete(ran, q.ID+" "+sc.Location)
		}
	}
	for location := range ran {
		t.Errorf("%s ran and isn't listed", location)
	}
}

// TestFramesOverTheLimitEndTheRun: a server each of whose streams is one endless line has a run of its bound.
func TestFramesOverTheLimitEndTheRun(t *testing.T) {
	t.Parallel()
	endless := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/events") || strings.Contains(r.URL.Path, "/sc-spared-1/") {
				h.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			more := []byte("data: " + strings.Repeat("and more ", 4<<10))
			for _, err := w.Write(more); err == nil; _, err = w.Write(more) {
			}
		})
	}
	ref := reference.New(certifytest.Options())
	t.Cleanup(ref.Close)
	cfg := certifytest.Config(certifytest.Serve(t, endless(ref)))
	cfg.Limits.Frame = 64 << 10
	tg, err := target.New(cfg, target.Options{Prefix: "sc-spared"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	rep := run(t, certify.Options{Target: tg, Seed: 1, Effort: campaign.Quick})
	if !strings.Contains(rep.Ended, "streams with a frame over 65536 bytes") || len(rep.Scenarios) > 60 {
		t.Errorf("%d scenarios, ended by %q", len(rep.Scenarios), rep.Ended)
	}
	if rep.Summary.Error < rep.Summary.Fail || rep.Summary.Fail == 0 || rep.ExitCode(nil) != 1 {
		t.Errorf("%+v, exit code %d", rep.Summary, rep.ExitCode(nil))
	}
}
