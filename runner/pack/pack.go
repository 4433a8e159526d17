package pack

import (
	"context"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/crosscheck"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// Pack describes a protocol to the kit, in addition to its folders of spec, schemas, features and goldens.
type Pack struct {
	Name string // of its folders, and the first word of its requirement ids

	// Machine makes the judge of one response, Answer judges an HTTP answer that
	// isn't a stream. Judged lists the ids of the requirements that they name.
	Machine func(judge.Options) judge.Machine
	Answer  func(judge.Options, judge.Answer) ([]record.Finding, map[string]int)
	Judged  func() []string

	// SideBySide judges the exchanges of one scenario by comparing them with each other, and returns for each finding the
	// index of its exchange; it may be nil.
	SideBySide func(exchanges []*record.Exchange) (found []record.Finding, of []int)

	// Afterwards requests the streams of a scenario once more, while the session is open: later readers must receive the
	// same as the scenario's readers. It is deterministic for a draw. It is played where campaigns are, and may be nil.
	Afterwards func(s *target.Session, draw uint64)

	// Vocabulary makes the steps that the pack's features may use.
	Vocabulary func() *steps.Vocabulary
	// Fixtures lists the fixtures that show of its Thens that they can fail; lint
	// asks for them.
	Fixtures func() []steps.Fixture

	// Model lists the requirements that its campaigns check; the zero value if it has no campaigns.
	Model Model

	// Preflight checks whether a target can be certified at all, and returns what it offers; it may be nil. Its error is one
	// line: the request, the answer and a remedy.
	Preflight func(context.Context, *target.Target) (Offer, error)

	// Routes returns the requests that a probe tries on a session, in order; it may be nil.
	Routes func(*target.Session) []Route

	// Conditions lists the conditions of the target that scenarios need in addition to routes. A probe checks them.
	Conditions []Condition

	// Scripted reports whether a step specifies what the agent does: if the server takes no script, only a run shows
	// whether its agent does so by itself. Nil means that no step does.
	Scripted func(step string) bool

	// ByModel reports whether the model of a target alone provokes the events that a row of a requirement needs, without
	// the control binding; nil means that it never does.
	ByModel func(t *target.Target, requirement string, row features.Row) bool
	// Unplayed names the histories that are left out if only the model provokes the server.
	Unplayed string
	// NeedsScript reports whether a row has the agent do something; nil: a route shows it.
	NeedsScript func(row features.Row) bool

	// Registry lists the rules of the protocol that span all scenarios of a run.
	Registry crosscheck.Rules

	// Config is the pack's part of a config: its routes and its section of keys.
	Config target.Section

	// Recommended lists the requirements that the config of a target makes a SHOULD; nil makes
	// none.
	Recommended func(*target.Target) []string

	// Names are the members that a target calls otherwise than the specification,
	// from its config; nil where the protocol leaves no name open.
	Names func(*target.Target) record.Names

	// Stream describes how its streams are recognised, end and resume.
	Stream Stream

	// Golden lists the parts of a golden transcript in which servers may differ.
	Golden golden.Freedoms

	// Shape describes its documents, for generated mutants; nil makes none.
	Shape *Shape
}

// Model lists the requirements that the campaigns of a pack check. Lint compares it with the features of the campaigns.
type Model struct {
	Chapters []string          // that it plays
	Checked  []string          // ids of the requirements that it checks
	Unheld   map[string]string // ids of those of its chapters that it doesn't check, with the reason
}

// Offer is the result of a preflight.
type Offer struct {
	// Unscripted is the reason why the server's agent can't be scripted, "" if it can.
	Unscripted string
}
