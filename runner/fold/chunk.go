package fold

import (
	"iter"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// Members returns the members of a chunk, decoded as encoding/json does into any, with numbers as json.Number.
type Members interface {
	Member(name string) (value any, there bool)
}

// A Chunk is one of a type that a fold knows; it takes no notice of others.
type Chunk struct {
	Kind    string // its type
	AgentID string
	Run     judge.Word // runId
	Seq     judge.Number
	Step    judge.Number
	Time    judge.Number // milliseconds of Unix time
	Length  int          // of its text in bytes
	Members Members

	// Patch is the patch of a state_patch; nil for the one in Members, whose objects have no order.
	Patch *Patch

	Agent *Agent // whose chunk it is, by Meet
}

// Of returns a decoded chunk for a fold.
func Of(c *frame.Chunk) *Chunk {
	out := &Chunk{Kind: c.Type, AgentID: c.AgentID, Seq: c.Sequence, Step: c.Step, Time: c.Timestamp, Length: len(c.Raw), Members: c}
	if c.RunID != "" {
		out.Run = judge.WordOf(c.RunID)
	}
	return out
}

// Word returns a member that is a text.
func (c *Chunk) Word(member string) judge.Word {
	v, _ := c.Members.Member(member)
	return judge.WordOf(v)
}

// Number returns a member that is an integer.
func (c *Chunk) Number(member string) judge.Number {
	v, _ := c.Members.Member(member)
	return judge.Integer(v)
}

// An Effect is the effect of a chunk. Fields of other types are zero.
type Effect struct {
	Call     *Call      // that begins, ends, or needs an approval; nil if it isn't known
	SubAgent *SubAgent  // that begins or ends; nil likewise
	Block    *judge.Sum // of reasoning, which the chunk completes; nil if there were no increments
	Returned bool       // to a checkpoint whose state is known
	Sure     int        // operations of a patch that the state was known for, where they matter
	// Err is the reason why a patch isn't applied: a *patch.ConflictError, a *patch.LimitError, a *patch.SyntaxError, or
	// ErrLost.
	Err error
}

// Meet determines the agent of a chunk. The first chunk is the root agent's, unless earlier ones may be missing. A
// stream_resync voids the chunks before it.
func (f *Fold) Meet(c *Chunk) {
	if c.Kind == "stream_resync" {
		f.back(c)
	}
	c.Agent = f.agent(judge.WordOf(c.AgentID))
	if f.first && (f.complete || f.options.Trusting) {
		f.Root = c.Agent.Key
		if f.options.State != nil {
			f.begin(f.Root, f.given())
		}
	}
	c.Agent.enter(c.Run)
}

// Take adds the content of a chunk after Meet.
func (f *Fold) Take(c *Chunk) (e Effect) {
	f.extend(c)
	switch c.Kind {
	case "thinking":
		e.Block = f.think(c)
	case "tool_start":
		e.Call = f.startCall(c)
	case "tool_approval_request":
		e.Call, _ = f.Calls.Value(c.Agent.CallKey(f.name(c, "toolCallId")))
	case "tool_end":
		e.Call = f.endCall(c)
	case "subagent_start":
		e.SubAgent = f.startSubAgent(c)
	case "subagent_end":
		e.SubAgent = f.endSubAgent(c)
	case "state_patch":
		e.Sure, e.Err = f.patch(c)
	case "error":
		f.fail(c)
	case "output":
		f.putOut(c)
	case "run_interrupted":
		c.Agent.Stopped, c.Agent.Paused, c.Agent.StoppedRun = true, false, c.Run
		f.abandon(c.Agent)
	case "run_paused":
		f.pause(c)
	case "run_resumed":
		f.resume(c)
	case "executor_superseded":
		f.forget()
	case "step_discarded":
		f.abandon(c.Agent)
	case "checkpoint_created":
		f.mark(c)
	case "stream_resync":
		e.Returned = f.restore(c)
	}
	return e
}

// name returns a member that names something. To a trusting fold, a name that is missing is "".
func (f *Fold) name(c *Chunk, member string) judge.Word {
	w := c.Word(member)
	if !w.OK && f.options.Trusting {
		w = judge.WordOf("")
	}
	return w
}

// A Patch is the content of a state_patch.
type Patch struct {
	Operations []patch.Operation
	// Err is the syntax error after the operations; nil for none. It is a *patch.SyntaxError.
	Err error
	// Before is called before an operation is applied, with its index; nil for nothing. An error of it ends the patch.
	Before func(i int, state *patch.Document) error
}

// operationsOf yields the operations of a chunk's patch, then why what follows them is none. Those in Members are read one
// at a time: a list of several hundred thousand takes more memory than the text of the chunk.
func operationsOf(c *Chunk) iter.Seq2[patch.Operation, error] {
	return func(yield func(patch.Operation, error) bool) {
		if c.Patch != nil {
			for _, o := range c.Patch.Operations {
				if !yield(o, nil) {
					return
				}
			}
			if c.Patch.Err != nil {
				yield(patch.Operation{}, c.Patch.Err)
			}
			return
		}
		v, _ := c.Members.Member("patches")
		list, _ := v.([]any)
		for _, v := range list {
			if o, err := patch.OperationOf(v); !yield(o, err) || err != nil {
				return
			}
		}
	}
}

// patchOf reads all of the patch of a chunk. The operations are good until the next.
func (f *Fold) patchOf(c *Chunk) Patch {
	if c.Patch != nil {
		return *c.Patch
	}
	p := Patch{Operations: f.buffer[:0]}
	for o, err := range operationsOf(c) {
		if err != nil {
			p.Err = err
			break
		}
		p.Operations = append(p.Operations, o)
	}
	return p
}

// hasPatch reports whether a chunk has a patch.
func hasPatch(c *Chunk) bool {
	if c.Patch != nil {
		return true
	}
	v, _ := c.Members.Member("patches")
	list, _ := v.([]any)
	return len(list) > 0
}
