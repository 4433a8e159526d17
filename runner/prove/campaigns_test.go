package prove

import (
	"strings"
	"testing"
)

// TestCampaignReport: campaigns have to find campaignOnly mutants, and scenarios must not.
func TestCampaignReport(t *testing.T) {
	found := []CampaignResult{{Name: "seen", Requirement: "p.c.r", Summary: "S.", Found: 1, By: []string{"p.c.q"}}}
	several := []CampaignResult{{Name: "seen", Requirement: "p.c.r", Found: 1, Several: true}}
	missed := []CampaignResult{{Name: "unseen", Requirement: "p.c.r", Summary: "S."}}
	for name, c := range map[string]struct {
		rep  CampaignReport
		ok   bool
		want string
	}{
		"found by campaigns":   {CampaignReport{Seeds: 1, Results: found}, true, "100.0 % found, expected 95"},
		"missed by campaigns":  {CampaignReport{Seeds: 1, Results: missed}, false, "missed: unseen"},
		"found by scenarios":   {CampaignReport{Seeds: 1, Scenarios: true, Results: found}, false, "found by a scenario: seen"},
		"unseen by scenarios":  {CampaignReport{Seeds: 1, Scenarios: true, Results: missed}, true, "0.0 % found, expected 0"},
		"found by several":     {CampaignReport{Seeds: 1, Several: true, Results: several}, true, "found by several subjects: seen"},
		"what a scenario sees": {CampaignReport{Seeds: 1, Scenarios: true, Results: found}, false, "scenarios of p.c.q"},
	} {
		var b strings.Builder
		if err := c.rep.WriteConsole(&b); err != nil || !strings.Contains(b.String(), c.want) || c.rep.OK() != c.ok {
			t.Errorf("%s: ok %v, want %v; the console lacks %q: %s", name, c.rep.OK(), c.ok, c.want, b.String())
		}
	}
}
