package helix

import (
	"github.com/streamcert/streamcert/runner/judge"
)

// production judges the chunks of a server that produces its stream against the chunks before them. Each chapter of the
// spec has a type for its rules. A nil production is that of a server that only relays, and judges nothing.
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

// chapter is the state that the rules of all chapters share.
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
