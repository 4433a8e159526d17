package helix

import "github.com/streamcert/streamcert/steps"

// stateRuns lists self-tests of sentences on the states of agents.
func stateRuns() []steps.Fixture {
	ran := func(script string, more ...string) []string {
		return with(setup("a run of this script:\n"+script), append(more, "the client attaches")...)
	}
	deletes := ran(`[{"set":{"key":"way","value":"sea"}},{"append":{"key":"stops","items":["Voss"]}}]
[{"delete":{"key":"way"}},{"append":{"key":"stops","items":["Flåm"]}}]`)
	delegates := ran(`[{"set":{"key":"way","value":"sea"}},{"subagent":{"type":"scout","script":[[{"set":{"key":"days","value":4}}]]}}]`)
	returns := ran(`[{"append":{"key":"stops","items":["Voss"]}}]
[{"append":{"key":"seats","items":[1]}}]
[{"await":"go"}]`, "the run is settled", "the run is rolled back to checkpoint 1", `barrier "go" is released`,
		`the run is resumed with the mode "continue"`)
	concurrently := func(last string) []string {
		return ran(`[{"parallel":[[{"append":{"key":"stops","items":["a1"]}},{"await":"late"},{"append":{"key":"stops","items":["a2"]}}],`+
			`[{"await":"early"},{"append":{"key":"stops","items":["b1"]}}]]}`+last+`]`,
			"the run is settled", `barrier "early" is released`, "the run is settled", `barrier "late" is released`)
	}
	const (
		sums  = `for the client the patches of the agent add up to `
		grows = `for the client the list "stops" of the agent grows item by item to `
		holds = `for the client the list "stops" of the agent holds all items of [["a1","a2"],["b1"]], each list in its order`
	)
	return []steps.Fixture{
		{Then: sums + `{"stops":["Voss","Flåm"]}`, Setup: deletes, Mutant: "delete-is-null", Message: `got {"stops":["Voss","Flåm"],"way":null}`},
		{Then: sums + `{"stops":["Voss","Flåm"]}`, Setup: deletes, Mutant: "removes-twice", Message: "want a patch that applies"},
		{Then: sums + `{"way":"sea"}`, Setup: delegates, Mutant: "child-patches-parent", Message: `got {"days":4,"way":"sea"}`},
		{Then: `for the client the patches of sub-agent "scout" add up to {"days":4}`,
			Setup: delegates, Mutant: "child-patches-parent", Message: "got {}"},
		{Then: `for the client the patches of sub-agent "scout" add up to {"days":4}`,
			Setup: delegates, Other: ran(`[{"text":"By sea."}]`), Message: `chunks of sub-agent "scout"`},
		{Then: sums + `{"stops":["Voss"],"seats":[1]}`, Setup: returns, Mutant: "rollback-keeps-state", Message: "want a patch that applies"},
		{Then: grows + `["Voss","Flåm"]`, Setup: deletes, Mutant: "append-as-whole-list", Message: `"op":"replace"`},
		{Then: grows + `["Voss","Flåm"]`, Setup: deletes, Mutant: "append-by-index-later", Message: `"path":"/stops/1"`},
		{Then: grows + `["Voss","Flåm"]`, Setup: deletes, Other: ran(`[{"append":{"key":"stops","items":["Voss"]}}]`), Message: `got ["Voss"]`},
		{Then: holds, Setup: concurrently(""), Mutant: "append-reads-and-writes-back", Message: `the items ["b1"]`},
		{Then: holds, Setup: concurrently(""), Other: concurrently(`,{"append":{"key":"stops","items":["c1"]}}`), Message: "want 3 items"},
	}
}
