package helixui_test

import (
	"slices"
	"testing"

	chats "github.com/streamcert/streamcert/reference/helix-ui"
	variant "github.com/streamcert/streamcert/reference/variant/helix-ui"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// TestHiddenReasoningEarnsNoClass: a server that hides reasoning, and declares that, earns every class.
func TestHiddenReasoningEarnsNoClass(t *testing.T) {
	o := certifytest.Options()
	for _, v := range variant.Catalogue() {
		if !slices.Contains(v.Without, "reasoning") {
			continue
		}
		h := variant.Handler(v, chats.Options{ControlToken: o.ControlToken, Token: o.ReaderToken})
		t.Cleanup(h.Close)
		cfg := certifytest.Config(certifytest.Serve(t, h))
		cfg.Without = append(cfg.Without, v.Without...)
		rep := certifytest.Run(t, certifytest.Load(t, "helix-ui"), cfg, target.Options{}).Report
		for _, class := range rep.Classes {
			if !class.Earned {
				t.Errorf("%s: %s isn't earned: %+v", v.Name, class.Name, class)
			}
		}
		for _, q := range rep.Requirements {
			if want := report.NotClaimed; q.ID == "helix-ui.reasoning.whole" && q.Verdict != want {
				t.Errorf("%s: %s: got %s, want %s", v.Name, q.ID, q.Verdict, want)
			}
		}
	}
}
