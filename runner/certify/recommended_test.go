package certify_test

import (
	"testing"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// TestPersistentSubAgents: a sub-agent that is at work when the stream ends fails a server, and only warns one that declares
// persistent ones.
func TestPersistentSubAgents(t *testing.T) {
	for _, m := range certifytest.Mutants(t) {
		if m.Name != "second-child-stays-open" {
			continue
		}
		url, stop, err := m.Start()
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		for persistent, want := range map[bool]report.Verdict{false: report.Fail, true: report.Warn} {
			cfg := certifytest.Config(url)
			cfg.Sections = []any{helix.Config{Persistent: persistent}}
			server, err := target.New(cfg, target.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			got := of(t, run(t, certify.Options{Target: server, Seed: 1, Only: []string{"helix.subagents.ended"}}), "helix.subagents.ended")
			if got.Verdict != want || got.Level != map[bool]string{false: "MUST", true: "SHOULD"}[persistent] {
				t.Errorf("persistent is %v: %s, %s", persistent, got.Verdict, got.Level)
			}
		}
		return
	}
	t.Fatal("there is no such mutant")
}
