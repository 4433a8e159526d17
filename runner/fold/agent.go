package fold

import "github.com/streamcert/streamcert/runner/judge"

// An Agent is the state of one agent of the stream.
type Agent struct {
	Key     uint64 // hash of its id
	Name    string // the beginning of its id
	Run     judge.Word
	Block   *judge.Sum   // reasoning that isn't complete yet
	Output  *Output      // nil if it put nothing out
	Covered judge.Number // steps that its last checkpoint covers
	Marked  judge.Number // stepCount of its last checkpoint

	Fatal      bool // it had a fatal error
	Stopped    bool // interrupted, and not resumed yet
	Paused     bool
	Awaits     bool       // after a pause, nothing but its next run can go on
	Inside     bool       // its first increment of reasoning may not be a block's first
	Failure    judge.Word // the text of its fatal error
	StoppedRun judge.Word // runId of its last interruption or pause

	// Fields of a judge; the fold doesn't use them.
	Orphan bool         // no agent started it, which was reported before
	Step   judge.Number // of its last chunk that has one
	Time   judge.Number

	patched judge.Number // position of its last patch
	extents []extent     // where its last steps end
}

// An Output is the output of an agent.
type Output struct {
	Digest uint64 // of the value
	Shown  string // for people
}

// Word returns the agent's id.
func (a *Agent) Word() judge.Word { return judge.Word{Hash: a.Key, Start: a.Name, OK: true} }

// agent returns the state of an agent.
func (f *Fold) agent(id judge.Word) *Agent {
	if a, ok := f.Agents.Get(id.Hash); ok {
		return a
	}
	a := &Agent{Key: id.Hash, Name: id.Start, Inside: !f.complete || f.Agents.Lost()}
	f.Agents.Put(id.Hash, a)
	return a
}

// enter takes the run that a chunk is of. Another run of the same session has neither failed nor put anything out.
func (a *Agent) enter(run judge.Word) {
	if !run.OK {
		return
	}
	if a.Run.OK && a.Run.Hash != run.Hash {
		a.Fatal, a.Output = false, nil
	}
	a.Run = run
}

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
