package steps

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/streamcert/streamcert/features"
)

// speaker is the part of a pattern that names an agent of a run.
const speaker = `(the agent|sub-agent "[^"]+")`

func saidSteps(v *Vocabulary) {
	step3(v, features.Then, `^for `+client+` the text of `+speaker+` is `+text+`$`, func(w *World, who, agent, want string) error {
		return w.said(who, agent, want, "the text", func(ms []*message) any { return textOf(ms) })
	})
	step3(v, features.Then, `^for `+client+` the reasoning of `+speaker+` is (\[.*\])$`, func(w *World, who, agent, want string) error {
		return w.said(who, agent, want, "the reasoning", func(ms []*message) any { return blocksOf(ms) })
	})
	step3(v, features.Then, `^for `+client+` the patches of `+speaker+` add up to (.+)$`, func(w *World, who, agent, want string) error {
		return w.addsUp(who, agent, want)
	})
	step1(v, features.Then, `^for `+client+` the runs share one agentId$`, func(w *World, who string) error { return w.oneAgent(who) })
}

// said compares what one agent said with what its model was given to say.
func (w *World) said(who, agent, text, what string, of func([]*message) any) error {
	want, err := decode([]byte(text))
	if err != nil {
		return fault("%s is not JSON", text)
	}
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		ms, err := c.by(agent)
		if err != nil {
			return err
		}
		if got := of(ms); !same(got, want) {
			return c.failure(fmt.Sprintf("%s of %s: %s", what, agent, text), string(encode(got)), nil)
		}
		w.saw(1)
		return nil
	})
}

// by is what a client received of one agent: the root, or the first sub-agent of a type.
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

// root is the agentId of the run: that of the first chunk, or since a branch that of the chunk which tells of it.
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
func (w *World) addsUp(who, agent, text string) error {
	want, err := decode([]byte(text))
	if err != nil {
		return fault("%s is not JSON", text)
	}
	return w.each(who, func(c *clientState) error {
		state, err := c.stateOf(agent)
		if err != nil {
			return err
		}
		if !same(state, want) {
			return c.failure("patches that add up to "+text, string(encode(state)), nil)
		}
		w.saw(1)
		return nil
	})
}

// fold applies the patches of an agent in order. What tells of a return to an earlier point takes the state back to
// what it was there. broken is the message whose patch doesn't apply.
func fold(ms []*message, agent string, state []byte) (_ []byte, broken *message, _ error) {
	for i, m := range ms {
		switch m.member("type") {
		case "stream_resync":
			kept, of := before(ms[:i], m)
			if m.member("agentId") != agent { // only a branch goes on under another name
				of = agent
			}
			var err error
			state, broken, err = fold(kept, of, []byte(`{}`))
			if err != nil {
				return state, broken, err
			}
		case "state_patch":
			if id, _ := m.member("agentId").(string); id != agent {
				continue
			}
			next, err := applied(state, m)
			if err != nil {
				return state, m, err
			}
			state = next
		}
	}
	return state, nil, nil
}

// before are the messages that a return to an earlier point leaves valid, and the root agent's id until then.
func before(ms []*message, resync *message) (kept []*message, root string) {
	from, _ := resync.member("fromSequence").(json.Number)
	for _, m := range ms {
		if m.id != "" && float(json.Number(m.id)) <= float(from) {
			kept = append(kept, m)
		}
	}
	return kept, rootOf(ms)
}

// applied is the state after one patch.
func applied(state []byte, m *message) ([]byte, error) {
	patches, err := json.Marshal(m.member("patches"))
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(patches)
	if err != nil {
		return nil, err
	}
	o := jsonpatch.NewApplyOptions()
	o.SupportNegativeIndices, o.EscapeHTML = false, false // RFC 6902 has no negative indices
	return patch.ApplyWithOptions(state, o)
}

// oneAgent checks that what announces the runs of a session names one agent.
func (w *World) oneAgent(who string) error {
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		root := c.root()
		for _, m := range c.got {
			if m.member("type") != "run_resumed" {
				continue
			}
			if id := m.member("agentId"); id != root {
				return c.failure(fmt.Sprintf("agentId %q, as before", root), clip(m.Chunk), m)
			}
			w.saw(1)
		}
		return nil
	})
}
