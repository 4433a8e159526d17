package fold

import "github.com/streamcert/streamcert/runner/judge"

// think takes an increment of reasoning, or the chunk that completes it, and returns the complete block.
func (f *Fold) think(c *Chunk) *judge.Sum {
	content, _ := c.Members.Member("content")
	complete, _ := c.Members.Member("isComplete")
	text, isText := content.(string)
	whole, isFlag := complete.(bool)
	if !f.options.Trusting && (!isText || !isFlag) {
		return nil
	}
	a := c.Agent
	block := a.Block
	if whole {
		a.Block, a.Inside = nil, false
		return block
	}
	if block == nil {
		a.Block = &judge.Sum{}
	}
	a.Block.Add(text)
	return nil
}

// putOut takes the output of an agent, which ends its reasoning.
func (f *Fold) putOut(c *Chunk) {
	value, there := c.Members.Member("output")
	if !there {
		return
	}
	c.Agent.Block = nil
	c.Agent.Output = &Output{judge.Digest(value), judge.Show(value)}
}

// fail takes an error. The agent's open reasoning is lost; after a fatal error so is everything that it has open.
func (f *Fold) fail(c *Chunk) {
	c.Agent.Block = nil
	v, _ := c.Members.Member("recoverable")
	if recoverable, isFlag := v.(bool); !isFlag || recoverable {
		return
	}
	c.Agent.Fatal, c.Agent.Failure = true, c.Word("error")
	f.abandon(c.Agent)
}

// pause takes a pause. Calls concurrent with the waiting one continue, and their results are expected.
func (f *Fold) pause(c *Chunk) {
	pending, a := c.Word("pendingToolCallId"), c.Agent
	_, beside := f.Calls.Find(func(o *Call) bool { return o.Agent == a.Key && !(pending.OK && o.ID.Hash == pending.Hash) })
	a.Paused, a.Awaits, a.StoppedRun = true, !beside, c.Run
}

// resume takes that an agent, and if it is the root everybody, goes on from a number of steps.
func (f *Fold) resume(c *Chunk) {
	a, steps := c.Agent, c.Number("fromStepCount")
	if !a.Paused {
		f.abandon(a)
	}
	a.Covered.Lower(steps)
	a.Marked.Lower(steps)
	f.Agents.Each(func(other *Agent) {
		if other == a || a.Key == f.Root || f.Root == 0 {
			other.Stopped, other.Paused, other.Fatal, other.Output = false, false, false, nil
		}
	})
}
