package merlin

import (
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/idle"
	"github.com/streamcert/streamcert/reference/merlin"
)

// Server is a reference server that shows less than it could.
type Server = idle.Server[merlin.Options]

// Catalogue returns all idle servers, sorted by name.
func Catalogue() []Server {
	return []Server{
		{Name: "ignores-scripts", Summary: "The server answers with what its model says, whatever a script asks for.",
			Never: []string{ // all but merlin.security.no-secret-echo, which needs no script
				"merlin.wire.*", "merlin.slices.*", "merlin.pacing.*", "merlin.chunks.*", "merlin.index.*", "merlin.subagents.*", "merlin.progress.*", "merlin.tools.*",
				"merlin.citations.*", "merlin.failure.*", "merlin.upstream.*", "merlin.aggregate.*", "merlin.security.isolation", "merlin.control.*",
			},
			Apply: alter.All(
				on.ScriptSteps(func(a merlin.Instruction) bool { return a.Delta == nil }).Drop(),
				on.Deltas(nil).Edit(func(d *merlin.Delta) { *d = merlin.Delta{Content: "You said so.", Index: -1} }),
			)},
		{Name: "no-steps", Summary: "Nobody is told how the work goes.", Never: []string{"merlin.progress.*"},
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Step != nil }).Drop()},
		{Name: "only-text", Summary: "The model neither thinks nor cites, and calls no tool or sub-agent.",
			Never: []string{"merlin.citations.mark", "merlin.citations.attachments", "merlin.chunks.reasoning-empty", "merlin.subagents.*", "merlin.tools.shape", "merlin.aggregate.reasoning"},
			Apply: alter.All(
				on.Deltas(nil).Edit(func(d *merlin.Delta) { d.Reasoning, d.Citation, d.Calls = nil, nil, nil }),
				on.ScriptSteps(func(a merlin.Instruction) bool { return a.SubAgent != nil || a.ToolResult != nil }).Drop(),
			)},
		{Name: "says-nothing", Summary: "The model says nothing, whatever it is asked.",
			Never: []string{"merlin.slices.content", "merlin.slices.length", "merlin.chunks.*", "merlin.index.*", "merlin.citations.*"},
			Apply: alter.All(on.Deltas(nil).Drop(), on.ScriptSteps(func(a merlin.Instruction) bool { return a.SubAgent != nil || a.ToolResult != nil || a.Step != nil }).Drop())},
	}
}

// Handler makes a server as base describes it, without the server's Never.
func Handler(s Server, base merlin.Options) *alter.Server {
	return alter.NewServer(merlin.New(s.Applied(base.WithDefaults())), s.Wrap)
}
