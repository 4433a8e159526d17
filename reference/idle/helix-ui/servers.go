package helixui

import (
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
	"github.com/streamcert/streamcert/reference/idle"
)

// Server is a reference server that shows less than it could.
type Server = idle.Server[helixui.Options]

// The requirements on subjects that a server may never show.
var (
	reasoning = []string{"helix-ui.reasoning.*"}
	tools     = []string{"helix-ui.tools.*", "helix-ui.steps.tool-turn", "helix-ui.waiting.*"}
	failures  = []string{"helix-ui.errors.*"}
	texts     = []string{"helix-ui.text.*", "helix-ui.wire.framing"}
	mapped    = []string{"helix-ui.mapping.*"}
)

// Catalogue returns all idle servers, sorted by name.
func Catalogue() []Server {
	all := []Server{{
		Name: "refuses-every-request", Summary: "No model is configured: every request is answered with 501.", Never: []string{"helix-ui.*"},
		Wrap: idle.Refuses(http.StatusNotImplemented, alter.Any),
	}, {
		Name: "ignores-scripts", Summary: "The agent says the same to everybody, as one that was put together in an afternoon does.",
		Never: slices.Concat(reasoning, tools, failures, mapped),
		Apply: playing(func() []helixui.Instruction {
			help := "How can I help you?"
			return []helixui.Instruction{{Text: &help}}
		}),
	}, {
		Name: "fails-at-once", Summary: "The model behind the agent is down: every response is an error.",
		Never: slices.Concat(reasoning, tools, texts, mapped, []string{"helix-ui.steps.*", "helix-ui.flow.reason"}),
		Apply: playing(func() []helixui.Instruction {
			down := "the model is down"
			return []helixui.Instruction{{Fail: &down}}
		}),
	}, {
		Name: "says-nothing", Summary: "The model has nothing to say: every response is start and finish.",
		Never: slices.Concat(reasoning, tools, failures, texts, mapped, []string{"helix-ui.steps.*", "helix-ui.parts.data"}),
		Apply: playing(func() []helixui.Instruction { return []helixui.Instruction{} }),
	}, {
		Name: "only-text", Summary: "The agent passes texts on and nothing else.",
		Never: slices.Concat(reasoning, tools, []string{"helix-ui.parts.data"}),
		Apply: on.Parts(on.Type("start", "start-step", "text-start", "text-delta", "text-end", "finish-step", "finish", "error").Not()).Drop(),
	}}
	slices.SortFunc(all, idle.Compare)
	return all
}

// Handler makes a server as base describes it, without the server's Never.
func Handler(s Server, base helixui.Options) *alter.Server {
	return alter.NewServer(helixui.New(s.Applied(base.WithDefaults())), s.Wrap)
}

// playing has the agent do the same in every turn.
func playing(acts func() []helixui.Instruction) on.Apply {
	return func(o helixui.Options) helixui.Options {
		o.Play = func([]helixui.Instruction) []helixui.Instruction { return acts() }
		return o
	}
}
