package snapshot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/run"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// sequenceSteps registers sentences on the order of events in a run: its steps, its checkpoints, and the chunks of both.
func sequenceSteps(v *steps.Sentences[*world.World]) {
	steps.Step2(v, features.Then, `^for `+world.AClient+` the text of the steps is (\[.*\])$`, textOfSteps)
	steps.Step2(v, features.Then, `^for `+world.AClient+` (\d+) steps? (?:is|are) committed, each with a checkpoint of its own$`, commits)
	const notified = ` is told that the run has (paused its stream|made its stream active)`
	steps.Step2(v, features.Then, `^`+world.AClient+notified+`$`, receivesRunStatus)
	steps.Step2(v, features.Given, `^`+world.AClient+notified+` first$`, receivesRunStatus)
	steps.Step1(v, features.Then, `^for `+world.AClient+` an error is recoverable exactly if the run goes on after it$`, recoverableGoesOn)
	steps.Step0(v, features.Then, `^the snapshot holds as many messages as the last stream_resync says$`, messagesOfResync)
}

// ofSteps lists the types of chunks that a step produces on every server. Another rule covers errors.
var ofSteps = []string{
	"text_delta", "thinking", "tool_start", "tool_end", "tool_approval_request", "subagent_start", "subagent_end", "custom", "state_patch", "output",
}

// textOfSteps compares the text of each step. The server chooses the number of the first step.
func textOfSteps(w *world.World, who, texts string) error {
	var want []string
	if err := json.Unmarshal([]byte(texts), &want); err != nil {
		return steps.Faultf("%s is no JSON array of strings", texts)
	}
	return run.EachEntire(w, who, func(c *world.Client) error {
		var got []string
		last := ""
		for _, m := range c.Got {
			if kind, _ := m.Member("type").(string); !slices.Contains(ofSteps, kind) {
				continue
			}
			step, ok := m.Member("step").(json.Number)
			if !ok {
				return c.Failure("the number of its step on each chunk", steps.Clip(m.Chunk), m)
			}
			if len(got) == 0 || step.String() != last {
				got, last = append(got, ""), step.String()
			}
			got[len(got)-1] += run.TextOf([]*world.Message{m})
		}
		if !slices.Equal(got, want) {
			return c.Failure("steps that say "+texts, string(steps.Encode(got)), nil)
		}
		w.Saw(len(got))
		return nil
	})
}

// commits checks how many steps were committed, that each names a checkpoint which was created, and that no two name
// the same.
func commits(w *world.World, who string, n int) error {
	return run.EachEntire(w, who, func(c *world.Client) error {
		made, named, commits := map[any]bool{}, map[any]bool{}, []*world.Message{}
		for _, m := range c.Got {
			switch m.Member("type") {
			case "checkpoint_created":
				made[m.Member("checkpointId")] = true
			case "step_committed":
				commits = append(commits, m)
			}
		}
		for _, m := range commits {
			id := m.Member("checkpointId")
			if text, ok := id.(string); !ok || named[id] || len(made) > 0 && !made[id] {
				return c.Failure("the checkpoint that saved the step", fmt.Sprintf("checkpointId %s", strconv.Quote(text)), m)
			}
			named[id] = true
		}
		if len(commits) != n {
			return c.Failure(fmt.Sprintf("%d step_committed", n), fmt.Sprint(len(commits)), nil)
		}
		w.Saw(n)
		return nil
	})
}

// receivesRunStatus waits for a status frame and passes over other frames. A client whose response was closed at the
// pause attaches to an active stream later, and receives no such frame.
func receivesRunStatus(w *world.World, who, what string) error {
	status := map[string]string{"paused its stream": "paused", "made its stream active": "active"}[what]
	return w.Each(who, func(c *world.Client) error {
		if world.Get[*run.Run](c.World) == nil || world.Get[*run.Run](c.World).Stream != c.Stream {
			return steps.Faultf("%s doesn't read the stream of a run", c.Title())
		}
		paused := c.Reader // the last connection that may have brought a pause
		for {
			m, err := c.NextOf("a status frame that says "+status, true)
			if err != nil {
				return c.Where(err)
			}
			if m == nil || c.Terminal != nil {
				return c.Differs("a status frame that says "+status, m)
			}
			if m.Type != "status" {
				c.Got = append(c.Got, m)
			} else if m.Status == "paused" {
				paused = c.Reader
			}
			again := status == "active" && c.Reader != paused && m.Type == "chunk"
			if m.Type == "status" && m.Status == status || again {
				w.Saw(1)
				return nil
			}
		}
	})
}

// messagesOfResync compares the number of messages in the last snapshot with messageCount of the last stream_resync. A
// server may count the messages of users or not.
func messagesOfResync(w *world.World) error {
	t, err := lastSnapshot(w)
	if err != nil {
		return err
	}
	c, err := run.Survey(w)
	if err != nil {
		return err
	}
	var resync *world.Message
	for _, m := range c.Got {
		if m.Member("type") == "stream_resync" {
			resync = m
		}
	}
	if resync == nil {
		return c.Failure("a stream_resync chunk", run.Types(c.Got), nil)
	}
	agents, err := t.agentMessages()
	if err != nil {
		return err
	}
	all, _ := t.members["messages"].([]any)
	count, _ := resync.Member("messageCount").(json.Number)
	want := steps.Float(count)
	if want != float64(len(all)) && want != float64(len(agents)) {
		return t.failure("the messages", count.String()+", as stream_resync says", fmt.Sprint(len(all)))
	}
	w.Saw(1)
	return nil
}

// recoverableGoesOn compares `recoverable` of each error of the root agent with what comes after it: more of the agent or an
// end frame, or a failed stream.
func recoverableGoesOn(w *world.World, who string) error {
	return run.EachEntire(w, who, func(c *world.Client) error {
		if err := run.FinishedSince(w, c); err != nil {
			return err
		}
		root := run.Root(c)
		for i, m := range c.Got {
			if m.Member("type") != "error" || m.Member("agentId") != root {
				continue
			}
			goesOn := c.Terminal != nil && c.Terminal.Type == "end" || slices.ContainsFunc(c.Got[i+1:], func(later *world.Message) bool {
				kind, _ := later.Member("type").(string)
				return later.Member("agentId") == root && (kind == "error" || slices.Contains(ofSteps, kind))
			})
			if m.Member("recoverable") != goesOn {
				return c.Failure(fmt.Sprintf("recoverable %v, as the run goes on or not", goesOn), steps.Clip(m.Chunk), m)
			}
			w.Saw(1)
		}
		return nil
	})
}
