package helix

import (
	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// outcomeRules are the rules of errors and outputs.
type outcomeRules struct {
	*judge.Base
	past *fold.Fold // the stream before the chunk that is judged
}

// put judges the value of an output chunk.
func (r outcomeRules) put(c *producedChunk, value any) {
	r.Saw(outputOnce)
	if c.Agent.Output != nil {
		r.Violation(outputOnce, c.position(), "an agent puts out a second output", "one output a run", judge.Show(value))
	}
}

// follows checks that a chunk may follow the earlier chunks of its agent.
func (r outcomeRules) follows(c *producedChunk) {
	a := c.Agent
	if c.Kind == "run_resumed" {
		return
	}
	r.bookkeeping(c)
	if a.Fatal {
		r.Saw(errorsFatalLast)
		if c.content {
			r.Violation(errorsFatalLast, c.position(), "an agent goes on after a fatal error",
				"no more content of "+judge.Show(a.Name), "a chunk of type "+judge.Show(c.Kind))
		}
	}
	if a.Output != nil {
		r.Saw(outputLast)
		if c.content && c.Kind != "output" {
			r.Violation(outputLast, c.position(), "an agent goes on after its output",
				"no more content of "+judge.Show(a.Name), "a chunk of type "+judge.Show(c.Kind))
		}
	}
}

// bookkeeping checks the chunks between the root's output and the end.
func (r outcomeRules) bookkeeping(c *producedChunk) {
	h := r.past
	if h.Root == 0 {
		return
	}
	root, ok := h.Agents.Get(h.Root)
	if !ok || root.Output == nil {
		return
	}
	switch c.Kind {
	case "state_patch", "step_committed", "checkpoint_created", "custom":
		r.Saw(outputBookkeeping)
		return
	case "run_interrupted", "executor_superseded", "stream_resync":
		return // the run goes another way
	}
	if c.content && c.Agent == root {
		return // worse than untidy
	}
	r.Saw(outputBookkeeping)
	r.Violation(outputBookkeeping, c.position(), "something other than bookkeeping follows the root's output",
		"state_patch, step_committed, checkpoint_created or custom", "a chunk of type "+judge.Show(c.Kind)+" of "+judge.Show(c.Agent.Name))
}

// sawLast counts that no chunk came after the one that had to be an agent's last.
func sawLast(found *judge.Base, a *fold.Agent) {
	if a.Fatal {
		found.Saw(errorsFatalLast)
	}
	if a.Output != nil {
		found.Saw(outputLast)
	}
}

// outcome compares the frame that finishes the stream with the root's last word.
func (r outcomeRules) outcome(f *wire.Frame, root *fold.Agent, well bool, object map[string]any) {
	sawLast(r.Base, root)
	if root.Fatal {
		r.Saw(errorsFatalFails)
		if well {
			r.Violation(errorsFatalFails, judge.At(f), "the stream ends well after a fatal error of its root",
				"a fail frame", "an end frame")
		} else {
			r.Same(errorsSameText, judge.At(f), "the fail frame has another text than the error", root.Failure, judge.WordOf(object["error"]))
		}
	}
	if root.Output == nil {
		return
	}
	r.Saw(outputEnds)
	r.Saw(outputBookkeeping)
	if !well {
		r.Violation(outputEnds, judge.At(f), "the stream fails after its root's output", "an end frame", "a fail frame")
	} else if final, there := object["finalOutput"]; there {
		r.SameValue(outputFinalOutput, judge.At(f), "finalOutput isn't the root's output",
			judge.Digest(final) == root.Output.Digest, root.Output.Shown, final)
	}
}
