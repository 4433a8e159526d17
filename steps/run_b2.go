package steps

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
)

// courseSteps are what is said of the course of a run: its steps, its checkpoints, and what its stream makes of it.
func courseSteps(v *Vocabulary) {
	step2(v, features.Then, `^for `+client+` the text of the steps is (\[.*\])$`, func(w *World, who, texts string) error {
		return w.textOfSteps(who, texts)
	})
	step2(v, features.Then, `^for `+client+` (\d+) steps? (?:is|are) committed, each with a checkpoint of its own$`, func(w *World, who string, n int) error {
		return w.commits(who, n)
	})
	const told = ` is told that the run has (paused its stream|made its stream active)`
	step2(v, features.Then, `^`+client+told+`$`, func(w *World, who, what string) error { return w.toldOfStream(who, what) })
	step2(v, features.Given, `^`+client+told+` first$`, func(w *World, who, what string) error { return w.toldOfStream(who, what) })
	step0(v, features.Then, `^the snapshot holds as many messages as the last stream_resync says$`, func(w *World) error {
		return w.messagesOfResync()
	})
}

// ofSteps are the types of chunks that a step produces, whatever the server is like. Errors have a rule of their own.
var ofSteps = []string{
	"text_delta", "thinking", "tool_start", "tool_end", "tool_approval_request", "subagent_start", "subagent_end", "custom", "state_patch", "output",
}

// textOfSteps compares what was said in each step. Which number the first one has is the server's choice.
func (w *World) textOfSteps(who, texts string) error {
	var want []string
	if err := json.Unmarshal([]byte(texts), &want); err != nil {
		return fault("%s is no JSON array of strings", texts)
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
				return c.failure("the number of its step on each chunk", clip(m.Chunk), m)
			}
			if len(got) == 0 || step.String() != last {
				got, last = append(got, ""), step.String()
			}
			got[len(got)-1] += textOf([]*message{m})
		}
		if !slices.Equal(got, want) {
			return c.failure("steps that say "+texts, string(encode(got)), nil)
		}
		w.saw(len(got))
		return nil
	})
}

// commits checks how many steps were committed, and that no two name one checkpoint, or one that was never made.
func (w *World) commits(who string, n int) error {
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
		w.saw(n)
		return nil
	})
}

// toldOfStream waits for a status frame, whatever comes before it. A client whose response was closed at the pause
// attaches to an active stream later, and isn't told that it is.
func (w *World) toldOfStream(who, what string) error {
	status := map[string]string{"paused its stream": "paused", "made its stream active": "active"}[what]
	return w.each(who, func(c *clientState) error {
		if c.w.agent == nil || c.w.agent.stream != c.stream {
			return fault("%s doesn't read the stream of a run", c.title())
		}
		paused := c.reader // the last connection that may have told of a pause
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
				w.saw(1)
				return nil
			}
		}
	})
}

// over reports the terminal frame that a stream has got since a client read it: what comes behind the latest chunk has no
// number to wait for.
func (w *World) over(c *clientState) error {
	if !w.session.Target().Claims("info") {
		return c.untilQuiet()
	}
	e, err := w.session.Document(target.DocumentRequest{Stream: c.stream.id, Hidden: true})
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
func (w *World) messagesOfResync() error {
	t, err := w.snapshot()
	if err != nil {
		return err
	}
	c, err := w.survey()
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
	agents, err := t.remarks()
	if err != nil {
		return err
	}
	all, _ := t.members["messages"].([]any)
	count, _ := resync.member("messageCount").(json.Number)
	want := float(count)
	if want != float64(len(all)) && want != float64(len(agents)) {
		return t.failure("the messages", count.String()+", as stream_resync says", fmt.Sprint(len(all)))
	}
	w.saw(1)
	return nil
}
