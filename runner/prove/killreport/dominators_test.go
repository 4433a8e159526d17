package killreport_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/prove/killreport"
)

// killed makes the result of a mutant that each of some scenarios found with one message.
func killed(name, requirement, message string, scenarios ...string) killreport.Result {
	r := killreport.Result{Name: name, Requirement: requirement, Outcome: killreport.Killed, Tries: 1, Also: []string{}, By: []string{requirement}}
	for _, scenario := range scenarios {
		r.Kills = append(r.Kills, killreport.Kill{Scenario: scenario, Step: "the step", Message: message})
	}
	return r
}

func TestDominators(t *testing.T) {
	r := &killreport.Report{Survived: []string{}, Notes: []string{}, Results: []killreport.Result{
		killed("late", "helix.wire.live", "an event came late, 250 ms after s-12", "one", "two"),
		killed("later", "helix.wire.live", "an event came late, 300 ms after s-7", "two", "one"), // as late, but for numbers and order
		killed("worded", "helix.wire.live", "an event didn't come", "one", "two"),                // other messages
		killed("narrow", "helix.wire.live", "an event came late, 9 ms after s-7", "two"),         // whatever finds it finds the three above
		killed("first", "helix.wire.json", `"a" is missing`, "one"),
		killed("second", "helix.wire.json", `"b" is missing`, "one"),                                                               // names another member
		killed("elsewhere", "helix.wire.utf8", `"a" is missing`, "one"),                                                            // another requirement
		{Name: "unseen", Requirement: "helix.wire.utf8", Outcome: killreport.Survived, Also: []string{}, By: []string{}, Tries: 1}, // is no dominator: nothing finds it
	}}
	r.Requirements.Without, r.Generated.Survived, r.Generated.Excluded = []string{}, []killreport.Survivor{}, []killreport.Exclusion{}
	r.Dominators = killreport.Dominate(r.Results)
	want := &killreport.Dominators{
		Equal: []killreport.Equal{{Requirement: "helix.wire.live", Mutants: []string{"late", "later"}}},
		Subsumed: []killreport.Subsumed{
			{Requirement: "helix.wire.live", Mutant: "late", By: "narrow", Scenarios: 2, Fewer: 1},
			{Requirement: "helix.wire.live", Mutant: "later", By: "narrow", Scenarios: 2, Fewer: 1},
			{Requirement: "helix.wire.live", Mutant: "worded", By: "narrow", Scenarios: 2, Fewer: 1},
		},
		Dominators: []string{"elsewhere", "first", "narrow", "second"},
	}
	if diff := cmp.Diff(want, r.Dominators); diff != "" {
		t.Error(diff)
	}
	valid(t, r)
	var b strings.Builder
	if err := r.WriteConsole(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"helix.wire.live kills alike: late, later\n", "helix.wire.live: whatever kills narrow (1 scenarios) kills worded (2 scenarios)\n",
		"1 groups that are killed alike, of 2 mutants; 3 mutants that another subsumes; 4 dominators\n",
	} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("the console lacks %q:\n%s", line, b.String())
		}
	}
}

// TestDominatorOfAGroup: one of the mutants that are killed alike is a dominator.
func TestDominatorOfAGroup(t *testing.T) {
	d := killreport.Dominate([]killreport.Result{killed("b", "p.c.r", "no", "one"), killed("a", "p.c.r", "no", "one")})
	if diff := cmp.Diff([]string{"a"}, d.Dominators); diff != "" {
		t.Error(diff)
	}
}
