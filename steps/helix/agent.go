package helix

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

// speaker is the part of a pattern that names an agent of a run.
const speaker = `(the agent|sub-agent "[^"]+")`

func emittedSteps(v *steps.Sentences[*world]) {
	steps.Step3(v, features.Then, `^for `+aClient+` the text of `+speaker+` is `+steps.JSONString+`$`, func(w *world, who, agent, want string) error {
		return emitted(w, who, agent, want, "the text", func(ms []*message) any { return textOf(ms) })
	})
	steps.Step3(v, features.Then, `^for `+aClient+` the reasoning of `+speaker+` is (\[.*\])$`, func(w *world, who, agent, want string) error {
		return emitted(w, who, agent, want, "the reasoning", func(ms []*message) any { return blocksOf(ms) })
	})
	steps.Step3(v, features.Then, `^for `+aClient+` the patches of `+speaker+` add up to (.+)$`, addsUp)
	steps.Step1(v, features.Then, `^for `+aClient+` the runs share one agentId$`, oneAgent)
}

// emitted compares what one agent said with what its model was given to say.
func emitted(w *world, who, agent, text, what string, of func([]*message) any) error {
	want, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is not JSON", text)
	}
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		ms, err := c.by(agent)
		if err != nil {
			return err
		}
		if got := of(ms); !steps.Same(got, want) {
			return c.failure(fmt.Sprintf("%s of %s: %s", what, agent, text), string(steps.Encode(got)), nil)
		}
		w.Saw(1)
		return nil
	})
}

// by lists the messages of one agent: the root, or the first sub-agent of a type.
func (c *clientState) by(agent string) ([]*message, error) {
	id, ok := c.root(), true
	if name := clientName(agent); name != "agent" {
		id, ok = c.child(name)
	}
	if !ok || id == "" {
		return nil, c.failure("chunks of "+agent, kinds(c.got), nil)
	}
	var out []*message
	for _, m := range c.got {
		if m.member("agentId") == id {
			out = append(out, m)
		}
	}
	return out, nil
}

// root is the agentId of the run: that of the first chunk, or since a branch that of its stream_resync.
func (c *clientState) root() string { return rootOf(c.got) }

func rootOf(ms []*message) string {
	root := ""
	for _, m := range ms {
		if id, ok := m.member("agentId").(string); ok && (root == "" || m.member("type") == "stream_resync") {
			root = id
		}
	}
	return root
}

// child is the agentId of the first sub-agent of a type.
func (c *clientState) child(kind string) (string, bool) {
	for _, m := range c.got {
		if m.member("type") == "subagent_start" && m.member("subAgentType") == kind {
			id, ok := m.member("subSessionId").(string)
			return id, ok
		}
	}
	return "", false
}

func textOf(ms []*message) string {
	var b strings.Builder
	for _, m := range ms {
		if delta, ok := m.member("delta").(string); ok && m.member("type") == "text_delta" {
			b.WriteString(delta)
		}
	}
	return b.String()
}

// blocksOf are the blocks of reasoning: the content that completes each, or, where that is empty, its increments.
func blocksOf(ms []*message) []any {
	blocks, open := []any{}, ""
	for _, m := range ms {
		if m.member("type") != "thinking" {
			continue
		}
		content, _ := m.member("content").(string)
		if m.member("isComplete") != true {
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

// addsUp applies an agent's patches to the empty state that it began with, and compares.
func addsUp(w *world, who, agent, text string) error {
	want, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is not JSON", text)
	}
	return w.each(who, func(c *clientState) error {
		state, err := c.stateOf(agent)
		if err != nil {
			return err
		}
		if !steps.Same(state, want) {
			return c.failure("patches that add up to "+text, string(steps.Encode(state)), nil)
		}
		w.Saw(1)
		return nil
	})
}

// oneAgent checks that what announces the runs of a session names one agent. Only a branch is a new session.
func oneAgent(w *world, who string) error {
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		var session any
		for _, m := range c.got {
			id, kind := m.member("agentId"), m.member("type")
			if session == nil || kind == "stream_resync" && m.member("reason") == "branch" {
				session = id
			}
			if kind != "run_resumed" && kind != "stream_resync" {
				continue
			}
			if id != session {
				return c.failure(fmt.Sprintf("agentId %q, as before", session), steps.Clip(m.Chunk), m)
			}
			w.Saw(1)
		}
		return nil
	})
}
