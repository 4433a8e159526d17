package fold

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/patch"
)

// Options configure how a fold treats uncertainty, and its memory.
type Options struct {
	// Trusting stores a guess where a fold otherwise drops the value.
	Trusting bool
	// State is the initial state of the root agent as JSON; nil if it isn't known. A trusting fold then assumes {}.
	State json.RawMessage
	Limits
}

// Limits bound the memory of a fold. Beyond one of them, the older half is dropped; a trusting fold instead ignores further
// calls.
type Limits struct {
	Agents            int          // 1,024 by default
	SubAgents         int          // that are open; 1,024 by default
	Calls             int          // that are open; 1,024 by default
	States            int          // of agents; 1,024 by default
	StatesBytes       int64        // of memory that they take in total; any number if 0
	Points            int          // stored checkpoints, the latest ones
	StoredStates      int          // of them, those whose states are
	StoredStatesBytes int64        // of memory that those states take; any number if 0
	State             patch.Limits // for each state; its Budget is that of the stream
}

// mostCalls limits the open calls by default, and those among which a call of another agent is searched.
const mostCalls = 1 << 10
