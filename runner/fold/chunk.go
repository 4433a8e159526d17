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
	Kind    string       // its type
	AgentID string       // "" if it has none
	Run     judge.Word   // runId
	Seq     judge.Number // of its frame; missing in streams without frames
	Step    judge.Number // missing if the chunk has none
	Time    judge.Number // milliseconds of Unix time
	Length  int          // of its text in bytes
	Members Members      // of the chunk, decoded

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

// A Patch is the content of a state_patch.
type Patch struct {
	Operations []patch.Operation // up to the first that can't be read
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

// hasPatch reports whether a chunk has a patch.
func hasPatch(c *Chunk) bool {
	if c.Patch != nil {
		return true
	}
	v, _ := c.Members.Member("patches")
	list, _ := v.([]any)
	return len(list) > 0
}
