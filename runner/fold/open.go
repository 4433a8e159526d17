package fold

import "github.com/streamcert/streamcert/runner/judge"

// A Call is a tool call that has started and not ended.
type Call struct {
	ID     judge.Word   // its Hash is unique among the open calls of one agent
	Agent  uint64       // key of the one that made it
	By     string       // its name
	Name   judge.Word   // of the tool
	Time   judge.Number // of its start, in milliseconds of Unix time
	Step   judge.Number // of its start
	Number int          // among the calls of the stream that the fold took in, from 1
}

// An ApprovalRequest is a request for approval of a call that hasn't been seen.
type ApprovalRequest struct {
	Agent uint64         // its key
	ID    judge.Word     // of the call
	At    judge.Position // for the finding, if no call follows
}

// Key identifies a call: ids are unique within an agent.
func (c *Call) Key() uint64 { return judge.CombineHashes(c.Agent, c.ID.Hash) }

// CallKey returns the key of a call of an agent.
func (a *Agent) CallKey(id judge.Word) uint64 { return judge.CombineHashes(a.Key, id.Hash) }

// A SubAgent is a sub-agent that was started and hasn't ended.
type SubAgent struct {
	ID     judge.Word   // of the agent that it is
	Call   judge.Word   // id of the call that started it
	Kind   judge.Word   // its type
	Parent uint64       // key of the agent that started it
	By     string       // its name
	Depth  int          // 1 if its parent is no sub-agent
	Time   judge.Number // of its start, in milliseconds of Unix time

	// Fields of a judge; the fold doesn't use them.
	Called   bool // the call that started it was seen before
	Mistyped bool // a chunk that carries another type was found
}
