package certifytest

import (
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/reference"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

const (
	readerToken  = "reader-token-of-the-test"
	controlToken = "control-token-of-the-test"
	heartbeat    = 50 * time.Millisecond
)

// Load loads the embedded folders of a pack, or fails the test.
func Load(t testing.TB, name string) *pack.Suite {
	t.Helper()
	s, err := packs.Load(pack.Files{Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS}, name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Chapters loads a pack with the scenarios of some chapters only, for tests that need a run but not the complete suite.
func Chapters(t testing.TB, name string, chapters ...string) *pack.Suite {
	t.Helper()
	some := *Load(t, name)
	some.Scenarios = slices.DeleteFunc(slices.Clone(some.Scenarios), func(s features.Scenario) bool {
		return !slices.Contains(chapters, s.Chapter)
	})
	return &some
}

// Serve starts a handler on a loopback socket and returns its URL.
func Serve(t testing.TB, h http.Handler) string {
	t.Helper()
	url, stop, err := Listen(h, func() {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return url
}

// Listen serves a handler on a new loopback socket and returns its URL and a function that stops it, which calls
// closeHandler last.
func Listen(h http.Handler, closeHandler func()) (url string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	srv := &http.Server{Handler: h, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	go func() { _ = srv.Serve(l) }()
	return "http://" + l.Addr().String(), func() {
		_ = srv.Close()
		closeHandler()
	}, nil
}

// Config returns the config for a server with [Options].
func Config(url string) target.Config {
	return target.Config{
		URL: url, ControlToken: controlToken, Headers: map[string]string{"Authorization": "Bearer " + readerToken},
		// A deadline is only reached when something is wrong, or the machine busy.
		Timing: target.Timing{Heartbeat: heartbeat, Deadline: 20 * time.Second},
		Fleet:  fleet,
	}
}

// Options returns the options of a reference server that requires tokens.
func Options() reference.Options {
	return reference.Options{ReaderToken: readerToken, ControlToken: controlToken, Heartbeat: heartbeat}
}

// Run certifies a server by a complete suite, with seed 1.
func Run(t testing.TB, suite *pack.Suite, cfg target.Config, opt target.Options) *certify.Result {
	t.Helper()
	tg, err := target.New(cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	res, err := certify.Run(t.Context(), suite, certify.Options{Target: tg, Seed: 1, Transcripts: true})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// MustPass fails the test unless every requirement passed that can be tested at one address and without a kill.
func MustPass(t *testing.T, res *certify.Result) {
	t.Helper()
	rep := res.Report
	if rep.Fault != "" {
		t.Fatal(rep.Fault)
	}
	for _, q := range rep.Requirements {
		unasked := q.Reason == target.ErrNoProgram.Error() || q.Reason == target.ErrOneAddress.Error()
		if q.Verdict == report.Pass || q.Untestable != "" || q.Verdict == report.Unprovable && unasked {
			continue
		}
		t.Errorf("%s: %s %s", q.ID, q.Verdict, q.Reason)
		for _, f := range q.Findings {
			t.Logf("  %s\n  %s: %s\n  want %s\n  got  %s\n%s", f.Location, f.Scenario, f.Message, f.Want, f.Got, f.Exchange)
		}
	}
	t.Logf("%+v", rep.Summary)
	for _, sc := range rep.Scenarios {
		if sc.Seconds > 1 {
			t.Logf("%.1f s: %s", sc.Seconds, sc.Title)
		}
	}
}

// fleets are the servers that run and can be killed, []target.Replica by the URL of the first.
var fleets sync.Map

// killable serves a server at two addresses, with a new process state after each kill. [Config] finds them by its URL.
func killable(begin func(streams store.Store) restart.Server) (string, func(), error) {
	var fleet []target.Replica
	var stops []func()
	stop := func() {
		for _, s := range stops {
			s()
		}
	}
	for host := restart.New(begin); len(fleet) < 2; host = host.NewReplica() {
		url, end, err := Listen(host, host.Close)
		if err != nil {
			host.Close()
			stop()
			return "", nil, err
		}
		fleet, stops = append(fleet, target.Replica{URL: url, Program: host}), append(stops, end)
	}
	url := fleet[0].URL
	fleets.Store(url, fleet)
	return url, func() {
		fleets.Delete(url)
		stop()
	}, nil
}

// fleet returns the server of a URL as replicas that can be killed, nil for any other.
func fleet(url string) []target.Replica {
	if found, ok := fleets.Load(url); ok {
		return found.([]target.Replica)
	}
	return nil
}

// Mutants returns the catalogue of the reference server's mutants of one pack, each with a function that starts it.
func Mutants(t testing.TB) []prove.Mutant {
	t.Helper()
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	var out []prove.Mutant
	for _, m := range mutant.Catalogue() {
		out = append(out, prove.Mutant{
			Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also, Stateful: m.Stateful, AcrossScenarios: m.AcrossScenarios,
			Start: func() (string, func(), error) {
				return killable(func(streams store.Store) restart.Server {
					o := Options()
					o.Validate, o.Store = validate, streams
					return mutant.Handler(m, o)
				})
			},
		})
	}
	return out
}
