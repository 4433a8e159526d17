package runner_test

import (
	"context"
	"net"
	"net/http"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/runner"
)

// listen serves a handler on a loopback socket of its own.
func listen(h http.Handler, closeHandler func()) (string, func(), error) {
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

func catalogue(t testing.TB) []runner.Mutant {
	t.Helper()
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	var out []runner.Mutant
	for _, m := range mutant.Catalogue() {
		out = append(out, runner.Mutant{
			Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also, Stateful: m.Stateful,
			Start: func() (string, func(), error) {
				o := options()
				o.Validate = validate
				h := m.Handler(o)
				return listen(h, h.Close)
			},
		})
	}
	return out
}

// TestMutantsAreKilled runs the whole catalogue: every mutant must be found out
// by its own requirement, and no testable requirement may be without a kill.
func TestMutantsAreKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole catalogue takes a while")
	}
	rep, err := load(t).Mutants(context.Background(), catalogue(t), runner.MutantOptions{
		Config: config(""),
		Progress: func(done, total int, r runner.MutantResult) {
			if r.Seconds > 3 {
				t.Logf("%s took %.1f s", r.Name, r.Seconds)
			}
		},
		Healthy: func() (string, func(), error) {
			ref := reference.New(options())
			return listen(ref, ref.Close)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rep.Results {
		if r.Outcome != runner.Killed {
			t.Errorf("%s (%s): %s %v", r.Name, r.Requirement, r.Outcome, r.By)
		}
	}
	for _, id := range rep.Requirements.Without {
		t.Errorf("%s: no mutant of it was killed", id)
	}
	if !rep.OK() || rep.Generated.Total == 0 {
		t.Errorf("of %d generated mutants %d were killed; without a reason: %q", rep.Generated.Total, rep.Generated.Killed, rep.Generated.Unexplained())
	}
	validMutants(t, rep)
	t.Logf("%d mutants, %d killed, %d by another requirement, %d survived; %d of %d testable requirements; %.1f s",
		rep.Mutants, rep.Killed, rep.KilledByOther, len(rep.Survived), rep.Requirements.Killed, rep.Requirements.Testable, rep.Seconds)
}
