package run

import (
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// subagents lists the mutants of subagents.
func subagents() []edit.Mutant {
	abouts := on.Type("subagent_start", "subagent_end")

	return []edit.Mutant{
		// These leave out chunks about a sub-agent.
		{Name: "third-level-unreported", Requirement: "helix.subagents.reported", Stateful: true,
			Summary: "The root and its sub-agents report theirs, and those of the next level begin and end unseen.",
			Also:    []string{"helix.subagents.child-id"},
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				depths := map[string]int{} // of the root it is 0
				return func(c runtime.Chunk) []runtime.Chunk {
					if !isAbout(c) {
						return edit.Only(c)
					}
					depth := depths[c.AgentID()] + 1
					depths[on.Text(c, "subSessionId")] = depth
					if depth > 2 {
						return nil
					}
					return edit.Only(c)
				}
			})},
		{Name: "silent-child-unreported", Requirement: "helix.subagents.reported",
			Summary: "A sub-agent is reported when it first says or does something, and one that only changes its state never " +
				"is.",
			Also:  []string{"helix.subagents.child-id", "helix.state.per-agent", "helix.runs.clock"},
			Apply: on.OnWritten(reportsDelayed)},
		{Name: "child-reported-once", Requirement: "helix.subagents.reported", Stateful: true,
			Summary: "Only the first sub-agent of each type is reported.",
			Also:    []string{"helix.subagents.child-id", "helix.subagents.failed"},
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				first := map[string]string{}
				return func(c runtime.Chunk) []runtime.Chunk {
					kind, id := on.Text(c, "subAgentType"), on.Text(c, "subSessionId")
					if first[kind] == "" {
						first[kind] = id
					}
					if isAbout(c) && first[kind] != id {
						return nil
					}
					return edit.Only(c)
				}
			})},

		// Mutants that report another parent of a sub-agent.
		{Name: "root-reports-grandchildren", Requirement: "helix.subagents.parent-id", Stateful: true,
			Summary: "The sub-agents of a sub-agent begin and end in the name of the root.",
			Also:    []string{"helix.subagents.call-id"},
			Apply:   on.Written(abouts).AsRoot()},

		// These let ends differ from their starts.
		{Name: "child-ends-another-call", Requirement: "helix.subagents.paired", Stateful: true,
			Summary: "The end of a sub-agent names the call of the one that began last.",
			Apply:   on.Written(on.Type("subagent_end")).Recall("callId", on.Type("subagent_start"), "callId")},

		// These leave sub-agents open.
		{Name: "second-child-stays-open", Requirement: "helix.subagents.ended", Stateful: true,
			Summary: "Who has ended is remembered by type, and the second sub-agent of a type doesn't end any more.",
			Also:    []string{"helix.subagents.reported", "helix.subagents.failed"},
			Apply:   on.Written(on.Per("subAgentType", on.Type("subagent_end").From(2))).Drop()},
		{Name: "grandchild-stays-open", Requirement: "helix.subagents.ended", Stateful: true,
			Summary: "From the second step on, a sub-agent that is done takes its own sub-agents along without a word.",
			Also:    []string{"helix.subagents.child-terminal"},
			Apply:   on.Written(on.Type("subagent_end"), on.ByChild(), on.AfterStep(1)).Drop()},

		// These give two sub-agents one id.
		{Name: "siblings-share-session", Requirement: "helix.subagents.unique", Stateful: true,
			Summary: "A sub-agent that begins while another one of its type works joins that one's session.",
			Also:    []string{"helix.subagents.paired"},
			Apply: on.OnWritten(renaming(func(c runtime.Chunk, open []string) string {
				kind := on.Text(c, "subAgentType") + "@"
				if i := slices.IndexFunc(open, func(id string) bool { return strings.HasPrefix(id, kind) }); i >= 0 &&
					open[i] != c.AgentID() {
					return open[i]
				}
				return kind + on.Text(c, "subSessionId")
			}))},

		// Mutants that count the steps of a sub-agent separately.
		{Name: "nested-child-in-first-step", Requirement: "helix.subagents.step",
			Summary: "A sub-agent that starts another one counts its steps from 1, and names its own in the report.",
			Also:    []string{"helix.runs.step-order"},
			Apply:   on.Written(on.Type("subagent_start"), on.ByChild()).Set("step", 1)},

		// These let others make the call that starts a sub-agent.
		{Name: "root-calls-grandchildren", Requirement: "helix.subagents.call-id", Stateful: true,
			Summary: "The call by which a sub-agent starts another one is reported as the root's.",
			Apply:   on.Written(startsChild()).AsRoot()},
	}
}

// isAbout reports whether a chunk announces the beginning or the end of a sub-agent.
func isAbout(c runtime.Chunk) bool {
	return c.Type() == "subagent_start" || c.Type() == "subagent_end"
}

// reportsDelayed delays the start of a sub-agent until it emits something, and drops it with the end if it doesn't.
func reportsDelayed(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
	withheld := map[string]runtime.Chunk{}
	return func(c runtime.Chunk) []runtime.Chunk {
		switch c.Type() {
		case "subagent_start":
			withheld[on.Text(c, "subSessionId")] = c
			return nil
		case "subagent_end":
			if id := on.Text(c, "subSessionId"); withheld[id] != nil {
				delete(withheld, id)
				return nil
			}
		}
		if start := withheld[c.AgentID()]; start != nil && c.Type() != "state_patch" {
			delete(withheld, c.AgentID())
			return edit.Only(start, c)
		}
		return edit.Only(c)
	}
}

// renaming gives sub-agents other ids, wherever one occurs. name names one that begins while others are open.
func renaming(name func(start runtime.Chunk, open []string) string) func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
	return func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
		names := map[string]string{}
		var open []string
		return func(c runtime.Chunk) []runtime.Chunk {
			id := on.Text(c, "subSessionId")
			if other, renamed := names[c.AgentID()]; renamed {
				c["agentId"] = other
			}
			switch c.Type() {
			case "subagent_start":
				names[id] = name(c, open)
				open = append(open, names[id])
			case "subagent_end":
				if i := slices.Index(open, names[id]); i >= 0 {
					open = slices.Delete(open, i, i+1)
				}
			}
			if other, renamed := names[id]; renamed {
				c["subSessionId"] = other
			}
			return edit.Only(c)
		}
	}
}
