package run

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// speaker is the part of a step's expression that names an agent of a run.
const speaker = `(the agent|sub-agent "[^"]+")`

func emittedSteps(v *steps.Sentences[*world.World]) {
	steps.Step3(v, features.Then, `^for `+world.AClient+` the text of `+speaker+` is `+steps.JSONString+`$`, func(w *world.World, who, agent, want string) error {
		return emitted(w, who, agent, want, "the text", func(ms []*world.Message) any { return TextOf(ms) })
	})
	steps.Step3(v, features.Then, `^for `+world.AClient+` the reasoning of `+speaker+` is (\[.*\])$`, func(w *world.World, who, agent, want string) error {
		return emitted(w, who, agent, want, "the reasoning", func(ms []*world.Message) any { return blocksOf(ms) })
	})
	steps.Step3(v, features.Then, `^for `+world.AClient+` the patches of `+speaker+` add up to (.+)$`, addsUp)
	steps.Step1(v, features.Then, `^for `+world.AClient+` the runs share one agentId$`, oneAgent)
}

// emitted compares an agent's output with the output that the script gave to its model.
func emitted(w *world.World, who, agent, text, what string, of func([]*world.Message) any) error {
	want, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is not JSON", text)
	}
	return EachEntire(w, who, func(c *world.Client) error {
		ms, err := by(c, agent)
		if err != nil {
			return err
		}
		if got := of(ms); !steps.Same(got, want) {
			return c.Failure(fmt.Sprintf("%s of %s: %s", what, agent, text), string(steps.Encode(got)), nil)
		}
		w.Saw(1)
		return nil
	})
}

// by returns the messages of one agent: the root, or the first sub-agent of a type.
func by(c *world.Client, agent string) ([]*world.Message, error) {
	id, ok := Root(c), true
	if name := world.ClientName(agent); name != "agent" {
		id, ok = child(c, name)
	}
	if !ok || id == "" {
		return nil, c.Failure("chunks of "+agent, Types(c.Got), nil)
	}
	var out []*world.Message
	for _, m := range c.Got {
		if m.Member("agentId") == id {
			out = append(out, m)
		}
	}
	return out, nil
}

// Root returns the agentId of the run: that of the first chunk, or after a branch that of its stream_resync.
func Root(c *world.Client) string { return RootOf(c.Got) }

// RootOf returns the agentId of the run's agent, "" without chunks.
func RootOf(ms []*world.Message) string {
	root := ""
	for _, m := range ms {
		if id, ok := m.Member("agentId").(string); ok && (root == "" || m.Member("type") == "stream_resync") {
			root = id
		}
	}
	return root
}

// child returns the agentId of the first sub-agent of a type.
func child(c *world.Client, kind string) (string, bool) {
	for _, m := range c.Got {
		if m.Member("type") == "subagent_start" && m.Member("subAgentType") == kind {
			id, ok := m.Member("subSessionId").(string)
			return id, ok
		}
	}
	return "", false
}

// TextOf joins the deltas of all text chunks.
func TextOf(ms []*world.Message) string {
	var b strings.Builder
	for _, m := range ms {
		if delta, ok := m.Member("delta").(string); ok && m.Member("type") == "text_delta" {
			b.WriteString(delta)
		}
	}
	return b.String()
}

// blocksOf returns the blocks of reasoning: the content of the chunk that completes each, or its increments where that
// content is empty.
func blocksOf(ms []*world.Message) []any {
	blocks, open := []any{}, ""
	for _, m := range ms {
		if m.Member("type") != "thinking" {
			continue
		}
		content, _ := m.Member("content").(string)
		if m.Member("isComplete") != true {
			open += content
			continue
		}
		if content == "" {
			content = open
		}
		blocks, open = append(blocks, content), ""
	}
	return blocks
}

// addsUp applies an agent's patches to its empty initial state and compares the result.
func addsUp(w *world.World, who, agent, text string) error {
	want, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is not JSON", text)
	}
	return w.Each(who, func(c *world.Client) error {
		state, err := stateOf(c, agent)
		if err != nil {
			return err
		}
		if !steps.Same(state, want) {
			return c.Failure("patches that add up to "+text, string(steps.Encode(state)), nil)
		}
		w.Saw(1)
		return nil
	})
}

// oneAgent checks that each run_resumed and stream_resync names the agentId of the session. Only a branch begins a new
// session.
func oneAgent(w *world.World, who string) error {
	return EachEntire(w, who, func(c *world.Client) error {
		var session any
		for _, m := range c.Got {
			id, kind := m.Member("agentId"), m.Member("type")
			if session == nil || kind == "stream_resync" && m.Member("reason") == "branch" {
				session = id
			}
			if kind != "run_resumed" && kind != "stream_resync" {
				continue
			}
			if id != session {
				return c.Failure(fmt.Sprintf("agentId %q, as before", session), steps.Clip(m.Chunk), m)
			}
			w.Saw(1)
		}
		return nil
	})
}
