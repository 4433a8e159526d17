package helix

import (
	"github.com/streamcert/streamcert/runner/judge"
)

// production judges what a server says that produces its stream, against what it has said before. The rules of each
// chapter of the spec are a type of their own. A nil production is of a server that only relays, and judges nothing.
type production struct {
	*chapter
	callRules
	checkpointRules
	outcomeRules
	reasoningRules
	runRules
	stateRules
	subAgentRules
}

// chapter is what the rules of every chapter work on.
type chapter struct {
	*judge.Base
	past *history
}

func newProduction(found *judge.Base, o judge.Options) *production {
	of := &chapter{Base: found, past: newHistory(o)}
	return &production{
		chapter: of, callRules: callRules{of}, checkpointRules: checkpointRules{of}, outcomeRules: outcomeRules{of},
		reasoningRules: reasoningRules{of}, runRules: runRules{of}, stateRules: stateRules{of}, subAgentRules: subAgentRules{of},
	}
}
