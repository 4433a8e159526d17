package helix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

// sequenceSteps are what is said of the course of a run: its steps, its checkpoints, and what its stream makes of it.
func sequenceSteps(v *steps.Sentences[*world]) {
	steps.Step2(v, features.Then, `^for `+aClient+` the text of the steps is (\[.*\])$`, textOfSteps)
	steps.Step2(v, features.Then, `^for `+aClient+` (\d+) steps? (?:is|are) committed, each with a checkpoint of its own$`, commits)
	const notified = ` is told that the run has (paused its stream|made its stream active)`
	steps.Step2(v, features.Then, `^`+aClient+notified+`$`, receivesRunStatus)
	steps.Step2(v, features.Given, `^`+aClient+notified+` first$`, receivesRunStatus)
	steps.Step1(v, features.Then, `^for `+aClient+` an error is recoverable exactly if the run goes on after it$`, recoverableGoesOn)
	steps.Step0(v, features.Then, `^the snapshot holds as many messages as the last stream_resync says$`, messagesOfResync)
}

// ofSteps are the types of chunks that a step produces, whatever the server is like. Errors have a rule of their own.
var ofSteps = []string{
	"text_delta", "thinking", "tool_start", "tool_end", "tool_approval_request", "subagent_start", "subagent_end", "custom", "state_patch", "output",
}

// textOfSteps compares what was said in each step. Which number the first one has is the server's choice.
func textOfSteps(w *world, who, texts string) error {
	var want []string
	if err := json.Unmarshal([]byte(texts), &want); err != nil {
		return steps.Faultf("%s is no JSON array of strings", texts)
	}
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		var got []string
		last := ""
		for _, m := range c.got {
			if kind, _ := m.member("type").(string); !slices.Contains(ofSteps, kind) {
				continue
			}
			step, ok := m.member("step").(json.Number)
			if !ok {
				return c.failure("the number of its step on each chunk", steps.Clip(m.Chunk), m)
			}
			if len(got) == 0 || step.String() != last {
				got, last = append(got, ""), step.String()
			}
			got[len(got)-1] += textOf([]*message{m})
		}
		if !slices.Equal(got, want) {
			return c.failure("steps that say "+texts, string(steps.Encode(got)), nil)
		}
		w.Saw(len(got))
		return nil
	})
}

// commits checks how many steps were committed, and that no two name one checkpoint, or one that was never made.
func commits(w *world, who string, n int) error {
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		made, named, commits := map[any]bool{}, map[any]bool{}, []*message{}
		for _, m := range c.got {
			switch m.member("type") {
			case "checkpoint_created":
				made[m.member("checkpointId")] = true
			case "step_committed":
				commits = append(commits, m)
			}
		}
		for _, m := range commits {
			id := m.member("checkpointId")
			if text, ok := id.(string); !ok || named[id] || len(made) > 0 && !made[id] {
				return c.failure("the checkpoint that saved the step", fmt.Sprintf("checkpointId %s", strconv.Quote(text)), m)
			}
			named[id] = true
		}
		if len(commits) != n {
			return c.failure(fmt.Sprintf("%d step_committed", n), fmt.Sprint(len(commits)), nil)
		}
		w.Saw(n)
		return nil
	})
}

// receivesRunStatus waits for a status frame, whatever comes before it. A client whose response was closed at the pause
// attaches to an active stream later, and receives no such frame.
func receivesRunStatus(w *world, who, what string) error {
	status := map[string]string{"paused its stream": "paused", "made its stream active": "active"}[what]
	return w.each(who, func(c *clientState) error {
		if c.w.agent == nil || c.w.agent.stream != c.stream {
			return steps.Faultf("%s doesn't read the stream of a run", c.title())
		}
		paused := c.reader // the last connection that may have brought a pause
		for {
			m, err := c.nextOf("a status frame that says "+status, true)
			if err != nil {
				return c.where(err)
			}
			if m == nil || c.terminal != nil {
				return c.differs("a status frame that says "+status, m)
			}
			if m.Type != "status" {
				c.got = append(c.got, m)
			} else if m.Status == "paused" {
				paused = c.reader
			}
			again := status == "active" && c.reader != paused && m.Type == "chunk"
			if m.Type == "status" && m.Status == status || again {
				w.Saw(1)
				return nil
			}
		}
	})
}

// over reports the terminal frame that a stream has got since a client read it: what comes behind the latest chunk has no
// number to wait for.
func over(w *world, c *clientState) error {
	if !w.Session().Target().Claims("info") {
		return c.untilQuiet()
	}
	e, err := targethelix.AskInfo(w.Session(), target.DocumentRequest{Stream: c.stream.id, Hidden: true})
	if err != nil {
		return err
	}
	var info struct{ Status string }
	if v := e.Now(); v.Status != 200 || json.Unmarshal(v.Answer, &info) != nil || info.Status != "ended" && info.Status != "failed" {
		return nil
	}
	return c.take("the terminal frame", func(*message) bool { return false })
}

// messagesOfResync compares the messages of the last snapshot with what the stream says of a return to a checkpoint.
// Whether what users said is counted is the server's choice.
func messagesOfResync(w *world) error {
	t, err := w.snapshot()
	if err != nil {
		return err
	}
	c, err := survey(w)
	if err != nil {
		return err
	}
	var resync *message
	for _, m := range c.got {
		if m.member("type") == "stream_resync" {
			resync = m
		}
	}
	if resync == nil {
		return c.failure("a stream_resync chunk", kinds(c.got), nil)
	}
	agents, err := t.agentMessages()
	if err != nil {
		return err
	}
	all, _ := t.members["messages"].([]any)
	count, _ := resync.member("messageCount").(json.Number)
	want := steps.Float(count)
	if want != float64(len(all)) && want != float64(len(agents)) {
		return t.failure("the messages", count.String()+", as stream_resync says", fmt.Sprint(len(all)))
	}
	w.Saw(1)
	return nil
}

// recoverableGoesOn compares `recoverable` of each error of the root agent with what comes after it: more of the agent or an end
// frame, or a failed stream.
func recoverableGoesOn(w *world, who string) error {
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		if err := over(w, c); err != nil {
			return err
		}
		root := c.root()
		for i, m := range c.got {
			if m.member("type") != "error" || m.member("agentId") != root {
				continue
			}
			goesOn := c.terminal != nil && c.terminal.Type == "end" || slices.ContainsFunc(c.got[i+1:], func(later *message) bool {
				kind, _ := later.member("type").(string)
				return later.member("agentId") == root && (kind == "error" || slices.Contains(ofSteps, kind))
			})
			if m.member("recoverable") != goesOn {
				return c.failure(fmt.Sprintf("recoverable %v, as the run goes on or not", goesOn), steps.Clip(m.Chunk), m)
			}
			w.Saw(1)
		}
		return nil
	})
}
