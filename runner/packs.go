package runner

import (
	"context"
	"slices"

	"github.com/streamcert/streamcert/runner/generated"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/judge/aep"
	"github.com/streamcert/streamcert/runner/judge/helix"
	"github.com/streamcert/streamcert/runner/target"
)

// Pack is what the runner must be told about a protocol beside its folders.
type Pack struct {
	Name string
	// Machine makes the judge of one response, Answer judges an HTTP answer that
	// isn't a stream. Judged lists the ids of the requirements that they name.
	Machine func(judge.Options) judge.Machine
	Answer  func(judge.Options, judge.Answer) ([]judge.Finding, map[string]int)
	Judged  func() []string
	// Preflight finds out whether a target can be certified at all, and what it
	// offers; nil asks nothing. Its error is one line that says what was tried, what
	// came back and what to do.
	Preflight func(context.Context, *target.Target) (Offer, error)

	routes func() []route          // that a probe tries
	shape  func() *generated.Shape // of its documents, for mutants that are made by rule; nil makes none
}

// Offer is what a preflight found out about a target.
type Offer struct {
	// Unscripted says why the server's agent can't be told what to do, "" if it can.
	Unscripted string
}

// registry is every pack that this build knows: a new protocol adds its line here.
func registry() []Pack {
	return []Pack{
		{"helix", helix.New, helix.JudgeAnswer, helix.Requirements, preflightHelix, helixRoutes, generated.ChunksInFrames},
		{"aep", aep.New, aep.JudgeAnswer, aep.Requirements, preflightAEP, aepRoutes, generated.EventsAlone},
	}
}

// Packs lists the names of the protocols.
func Packs() []string {
	var names []string
	for _, p := range registry() {
		names = append(names, p.Name)
	}
	return names
}

func packNamed(name string) (Pack, bool) {
	ps := registry()
	i := slices.IndexFunc(ps, func(p Pack) bool { return p.Name == name })
	if i < 0 {
		return Pack{}, false
	}
	return ps[i], true
}

// Judged lists the ids of the requirements that the judge of a pack names, nil
// for a pack that isn't there. Lint asks the spec for each of them.
func Judged(name string) []string {
	p, ok := packNamed(name)
	if !ok {
		return nil
	}
	return p.Judged()
}
