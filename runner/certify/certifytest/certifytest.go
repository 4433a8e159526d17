package certifytest

import (
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/reference"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
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

// Listen serves a handler on a loopback socket of its own and returns its URL and
// what stops it, which calls closeHandler last.
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

// Config is that of a server with [Options].
func Config(url string) target.Config {
	return target.Config{
		URL: url, ControlToken: controlToken, Headers: map[string]string{"Authorization": "Bearer " + readerToken},
		// A deadline is only reached when something is wrong, or the machine busy.
		Timing: target.Timing{Heartbeat: heartbeat, Deadline: 20 * time.Second},
	}
}

// Options are those of a reference server that asks for tokens.
func Options() reference.Options {
	return reference.Options{ReaderToken: readerToken, ControlToken: controlToken, Heartbeat: heartbeat}
}

// Run certifies a server by a whole suite, with seed 1.
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

// MustPass fails the test unless every requirement that can be tested passed.
func MustPass(t *testing.T, res *certify.Result) {
	t.Helper()
	rep := res.Report
	if rep.Fault != "" {
		t.Fatal(rep.Fault)
	}
	for _, q := range rep.Requirements {
		if q.Verdict == report.Pass || q.Untestable != "" {
			continue
		}
		t.Errorf("%s: %s %s", q.ID, q.Verdict, q.Reason)
		for _, f := range q.Findings {
			t.Logf("  %s\n  %s: %s\n  want %s\n  got  %s\n%s", f.Place, f.Scenario, f.Message, f.Want, f.Got, f.Exchange)
		}
	}
	t.Logf("%+v", rep.Summary)
	for _, sc := range rep.Scenarios {
		if sc.Seconds > 1 {
			t.Logf("%.1f s: %s", sc.Seconds, sc.Title)
		}
	}
}

// Mutants is the catalogue of the reference server's mutants of one pack, each with what starts it.
func Mutants(t testing.TB) []prove.Mutant {
	t.Helper()
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	var out []prove.Mutant
	for _, m := range mutant.Catalogue() {
		out = append(out, prove.Mutant{
			Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also, Stateful: m.Stateful,
			Start: func() (string, func(), error) {
				o := Options()
				o.Validate = validate
				h := m.Handler(o)
				return Listen(h, h.Close)
			},
		})
	}
	return out
}
