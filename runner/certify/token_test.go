package certify_test

import (
	"testing"

	"github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// TestServersWithoutATokenAreNotAccused: where no config names a token of control calls, a script needs none.
func TestServersWithoutATokenAreNotAccused(t *testing.T) {
	server := merlin.New(merlin.Options{})
	t.Cleanup(server.Close)
	tg, err := target.New(target.Config{URL: certifytest.Serve(t, server)}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	res, err := certify.Run(t.Context(), certifytest.Load(t, "merlin"), certify.Options{Target: tg, Seed: 1, Only: []string{"merlin.control.token"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := of(t, res.Report, "merlin.control.token"); got.Verdict != report.Unprovable {
		t.Errorf("%s, want %s: %v", got.Verdict, report.Unprovable, got.Findings)
	}
}
