package helix

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// An output is what an agent put out.
type output struct {
	digest uint64
	text   string
}

// put takes an output chunk.
func (m *machine) put(c *said) {
	value, there := c.members["output"]
	if !there {
		return
	}
	m.blockOpen(c.agent, c.place(), "its output")
	m.Saw(outputOnce)
	if c.agent.output != nil {
		m.Breach(outputOnce, c.place(), "an agent puts out a second output", "one output a run", judge.Show(value))
	}
	c.agent.output = &output{judge.Digest(value), judge.Show(value)}
}

// failed takes an error chunk. What the agent was about to think is lost; after a
// fatal error so is everything that it has open.
func (m *machine) failed(c *said) {
	c.agent.block = nil
	recoverable, isFlag := c.members["recoverable"].(bool)
	if !isFlag || recoverable {
		return
	}
	c.agent.fatal, c.agent.failure = true, c.word("error")
	m.past.abandon(c.agent)
}

// follows checks that a chunk may come after what its agent said before.
func (m *machine) follows(c *said) {
	a := c.agent
	if run := c.word("runId"); run.OK {
		if a.run.OK && a.run.Hash != run.Hash { // another run of the same session
			a.fatal, a.output = false, nil
		}
		a.run = run
	}
	if c.kind == "run_resumed" {
		return
	}
	m.bookkeeping(c)
	if a.fatal {
		m.Saw(errorsFatalLast)
		if c.content {
			m.Breach(errorsFatalLast, c.place(), "an agent goes on after a fatal error",
				"no more content of "+judge.Show(a.name), "a chunk of type "+judge.Show(c.kind))
		}
	}
	if a.output != nil {
		m.Saw(outputLast)
		if c.content && c.kind != "output" {
			m.Breach(outputLast, c.place(), "an agent goes on after its output",
				"no more content of "+judge.Show(a.name), "a chunk of type "+judge.Show(c.kind))
		}
	}
	if c.content {
		m.running(c)
	}
}

// bookkeeping checks what comes between the root's output and the end.
func (m *machine) bookkeeping(c *said) {
	h := m.past
	if h.root == 0 {
		return
	}
	root, ok := h.agents.Get(h.root)
	if !ok || root.output == nil {
		return
	}
	switch c.kind {
	case "state_patch", "step_committed", "checkpoint_created", "custom":
		m.Saw(outputBookkeeping)
		return
	case "run_interrupted", "executor_superseded", "stream_resync":
		return // the run goes another way
	}
	if c.content && c.agent == root {
		return // worse than untidy
	}
	m.Saw(outputBookkeeping)
	m.Breach(outputBookkeeping, c.place(), "something other than bookkeeping follows the root's output",
		"state_patch, step_committed, checkpoint_created or custom", "a chunk of type "+judge.Show(c.kind)+" of "+judge.Show(c.agent.name))
}

// kept counts that nothing came after what should be an agent's last word.
func (m *machine) kept(a *agent) {
	if a.fatal {
		m.Saw(errorsFatalLast)
	}
	if a.output != nil {
		m.Saw(outputLast)
	}
}

// outcome compares the frame that finishes the stream with the root's last word.
func (m *machine) outcome(f *wire.Frame, root *agent, well bool, object map[string]any) {
	m.kept(root)
	if root.fatal {
		m.Saw(errorsFatalFails)
		if well {
			m.Breach(errorsFatalFails, judge.At(f), "the stream ends well after a fatal error of its root",
				"a fail frame", "an end frame")
		} else {
			m.Same(errorsSameText, judge.At(f), "the fail frame has another text than the error", root.failure, judge.WordOf(object["error"]))
		}
	}
	if root.output == nil {
		return
	}
	m.Saw(outputEnds)
	m.Saw(outputBookkeeping)
	if !well {
		m.Breach(outputEnds, judge.At(f), "the stream fails after its root's output", "an end frame", "a fail frame")
	} else if final, there := object["finalOutput"]; there {
		m.SameValue(outputFinalOutput, judge.At(f), "finalOutput isn't the root's output",
			judge.Digest(final) == root.output.digest, root.output.text, final)
	}
}
