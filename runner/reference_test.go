package runner_test

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner"
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

func load(t testing.TB) *runner.Suite {
	t.Helper()
	s, err := runner.Load(runner.Files{Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS}, "helix")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// serve starts a handler on a loopback socket and returns its URL.
func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: h, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })
	return "http://" + l.Addr().String()
}

func config(url string) target.Config {
	return target.Config{
		URL: url, ControlToken: controlToken, Headers: map[string]string{"Authorization": "Bearer " + readerToken},
		// A deadline is only reached when something is wrong, or the machine busy.
		Timing: target.Timing{Heartbeat: heartbeat, Deadline: 20 * time.Second},
	}
}

func options() reference.Options {
	return reference.Options{ReaderToken: readerToken, ControlToken: controlToken, Heartbeat: heartbeat}
}

func certify(t testing.TB, suite *runner.Suite, cfg target.Config, opt target.Options) *runner.Result {
	t.Helper()
	tg, err := target.New(cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	res, err := suite.Run(context.Background(), runner.Options{Target: tg, Seed: 1, Transcripts: true})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func mustPass(t *testing.T, res *runner.Result, but ...string) {
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

func TestReferencePasses(t *testing.T) {
	ref := reference.New(options())
	defer ref.Close()
	res := certify(t, load(t), config(serve(t, ref)), target.Options{})
	mustPass(t, res)
}
