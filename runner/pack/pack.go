package pack

import (
	"context"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/ledger"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// Pack is all that the kit knows of a protocol beside its folders of spec, schemas, features and goldens.
type Pack struct {
	Name string // of its folders, and the first word of its requirement ids

	// Machine makes the judge of one response, Answer judges an HTTP answer that
	// isn't a stream. Judged lists the ids of the requirements that they name.
	Machine func(judge.Options) judge.Machine
	Answer  func(judge.Options, judge.Answer) ([]record.Finding, map[string]int)
	Judged  func() []string

	// SideBySide judges what one scenario was sent by comparing its exchanges with each other, and says of which
	// exchange, by its place among them, each finding is; nil where each response stands for itself.
	SideBySide func(exchanges []*record.Exchange) (found []record.Finding, of []int)

	// Afterwards asks a server once more for what a scenario was sent, while the session is still open: what holds for the
	// readers of the scenario holds for who comes later. The same draw asks the same. It is played where campaigns are; nil
	// asks nothing.
	Afterwards func(s *target.Session, draw uint64)

	// Vocabulary makes the steps that the pack's features may use.
	Vocabulary func() *steps.Vocabulary
	// Pairs lists the pairs of worlds that show of its Thens that they can fail; lint
	// asks for them.
	Pairs func() []steps.Pair

	// Model lists the requirements that its campaigns check; the zero value if it has no campaigns.
	Model Model

	// Preflight checks whether a target can be certified at all, and returns what it offers; it may be nil. Its error is one
	// line: the request, the answer and a remedy.
	Preflight func(context.Context, *target.Target) (Offer, error)

	// Routes are those that a probe tries on a session, in this order; nil for none.
	Routes func(*target.Session) []Route

	// Conditions lists the conditions of the target that scenarios need in addition to routes. A probe checks them.
	Conditions []Condition

	// Scripted reports whether a step says what the agent does: where the server takes no
	// script, a run shows whether its agent does so by itself. Nil: no step does.
	Scripted func(step string) bool

	// ByModel reports whether the model of a target alone provokes what a row of a requirement needs, without the control
	// binding; nil: it never does.
	ByModel func(t *target.Target, requirement string, row features.Row) bool
	// Unplayed names what histories leave out where the model alone provokes the server.
	Unplayed string
	// NeedsScript reports whether a row has the agent do something; nil: a route shows it.
	NeedsScript func(row features.Row) bool

	// Ledger lists the rules of the protocol that span all scenarios of a run.
	Ledger ledger.Rules

	// Config is the pack's part of a config: its routes and its section of keys.
	Config target.Section

	// Lenient lists the requirements that the config of a target makes a SHOULD; nil makes
	// none.
	Lenient func(*target.Target) []string

	// Names are the members that a target calls otherwise than the specification, as
	// its config says; nil where the protocol leaves no name open.
	Names func(*target.Target) record.Names

	// Stream says how its streams are recognised, end and resume.
	Stream Stream

	// Golden says what a golden transcript leaves to a server.
	Golden golden.Freedoms

	// Shape is that of its documents, for mutants that are made by rule; nil makes none.
	Shape *Shape
}

// Model lists the requirements that the campaigns of a pack check. Lint compares it with the features of the campaigns.
type Model struct {
	Chapters []string          // that it plays
	Held     []string          // ids of the requirements that it holds
	Unheld   map[string]string // ids of those of its chapters that it doesn't hold, and why
}

// Offer is the result of a preflight.
type Offer struct {
	// Unscripted says why the server's agent can't be scripted, "" if it can.
	Unscripted string
}
