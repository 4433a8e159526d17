package view

import (
	"encoding/json"
	"fmt"
	"strings"
)

// margin is the text at the beginning of an agent's lines. Wide trees are not allowed to
// squeeze the text out of the page.
func (t *Transcript) margin(a *agent) string {
	if a == nil || t.o.Flat {
		return ""
	}
	depth := min(a.depth, 12)
	if t.o.Width > 0 {
		depth = min(depth, max(t.o.Width-24, 0)/4)
	}
	return strings.Repeat("│ ", depth)
}

// settle ends the paragraph that is open and writes what waited for that.
func (t *Transcript) settle() {
	t.kind = ""
	held := t.held
	t.held = nil
	for _, id := range held {
		if a := t.fold.agents[id]; a != nil {
			t.release(a)
		}
	}
}

func (t *Transcript) release(a *agent) {
	text := a.held
	a.held = ""
	if text == "" {
		return
	}
	if a.depth > 0 && t.last != a.id && t.fold.siblings(a) {
		t.name(a)
	}
	m := t.margin(a)
	t.page.begin(m+"  ", m+"  ", plain)
	t.page.say(text)
	t.page.end()
	t.last = a.id
}

// rule writes one line.
func (t *Transcript) rule(a *agent, sign string, s style, text string) {
	t.settle()
	t.page.one(t.margin(a)+sign, s, text)
}

// value writes a label and the value.
func (t *Transcript) value(a *agent, sign string, s style, text string, raw json.RawMessage) {
	t.settle()
	m := t.margin(a)
	t.page.begin(m+sign, m+strings.Repeat(" ", 4), s)
	t.page.say(strings.NewReplacer("\n", `\n`).Replace(text))
	if raw != nil {
		t.page.json(plain, abridged(raw, t.columns()))
	}
	t.page.end()
}

// columns are how many a value may take.
func (t *Transcript) columns() int {
	if t.o.Width == 0 {
		return maxLines * 100
	}
	return maxLines * max(t.o.Width, narrow)
}

// text adds to the paragraph of an agent, or begins it.
func (t *Transcript) text(a *agent, text string) {
	if text == "" {
		return
	}
	if t.waits(a) {
		if a.held == "" {
			t.held = append(t.held, a.id)
		}
		if a.held += text; len(a.held) > maxHeld {
			t.settle()
		}
		return
	}
	if t.kind != "text" || t.speaker != a.id {
		t.settle()
		m := t.margin(a)
		t.page.begin(m+"  ", m+"  ", plain)
		t.speaker, t.kind = a.id, "text"
	}
	t.page.say(text)
}

// thinking writes reasoning. The chunk that completes a block repeats what its
// increments said; only what is new is written.
func (t *Transcript) thinking(a *agent, c Chunk, show bool) {
	v := members[struct {
		Content    string
		IsComplete bool
	}](c)
	open, differs := a.think(v.Content, v.IsComplete)
	again := v.IsComplete && open
	if show && (!again || differs) {
		fresh := !open || differs || t.kind != "thinking" || t.speaker != a.id
		if fresh {
			t.settle()
			m := t.margin(a)
			t.page.begin(m+"┊ ", m+"┊ ", dim)
			t.speaker, t.kind = a.id, "thinking"
			label := "(thinking) "
			if differs {
				label = "(thinking, the whole block, which differs) "
			}
			t.page.say(label)
		}
		t.page.say(v.Content)
	}
	if v.IsComplete && show && t.kind == "thinking" && t.speaker == a.id {
		t.settle()
		t.page.end()
	}
}

// speak writes one chunk, if it is to be shown, and remembers what later ones
// need of it.
func (t *Transcript) speak(a *agent, c Chunk, show bool) {
	switch c.Type {
	case "text_delta":
		if show {
			t.text(a, delta(c))
		}
	case "thinking":
		t.thinking(a, c, show)
	case "tool_start", "tool_end", "tool_approval_request":
		t.tool(a, c, show)
	case "subagent_start", "subagent_end":
		t.subagent(a, c, show)
	case "state_patch":
		t.patch(a, c, show)
	case "stream_resync", "checkpoint_created":
		t.checkpoint(a, c, show)
	default:
		if show {
			t.other(a, c)
		}
	}
}

func (t *Transcript) other(a *agent, c Chunk) {
	v := members[struct {
		EventName, Error, Code, Reason, StepID, CheckpointID, Mode, PendingToolName string
		Data, Output                                                                json.RawMessage
		Recoverable                                                                 bool
		FromStepCount                                                               *float64
	}](c)
	switch c.Type {
	case "custom":
		t.value(a, "• ", plain, "event "+or(v.EventName, "without a name")+" ", v.Data)
	case "output":
		if a.id == t.fold.root {
			t.fold.output = values(v.Output)
		}
		t.value(a, "■ ", bold, "output ", v.Output)
	case "error":
		goes := "fatal"
		if v.Recoverable {
			goes = "the run goes on"
		}
		t.value(a, "✗ ", bad, fmt.Sprintf("error%s, %s: %s", after(" ", v.Code), goes, v.Error), nil)
	case "step_committed":
		t.rule(a, "─ ", dim, "step committed · "+v.StepID)
	case "step_discarded":
		t.rule(a, "─ ", odd, "step discarded: "+v.Reason+" · "+v.StepID)
	case "run_interrupted":
		t.rule(a, "─ ", odd, "run interrupted"+after(": ", v.Reason)+after(" · ", v.CheckpointID))
	case "run_paused":
		t.rule(a, "─ ", odd, "run paused: "+v.Reason+after(", waits for ", v.PendingToolName))
	case "run_resumed":
		t.rule(a, "─ ", odd, fmt.Sprintf("run resumed after step %s (%s)", count(number(v.FromStepCount)), v.Mode))
	case "executor_superseded":
		t.rule(a, "─ ", odd, "another executor took over"+after(": ", v.Reason))
	default:
		t.count.Unknown++
		t.value(a, "• ", dim, "chunk of unknown type "+or(c.Type, "(none)")+" ", c.Raw)
	}
}

func (t *Transcript) tool(a *agent, c Chunk, show bool) {
	v := members[struct {
		ToolCallID, ToolName, Error string
		Arguments, Result           json.RawMessage
		Success                     *bool
	}](c)
	began, open := t.fold.called(c, v.ToolCallID)
	switch {
	case c.Type == "tool_start":
		began = t.fold.call(c, v.ToolCallID, v.ToolName)
		if show {
			t.value(a, "▶ ", bold, "tool "+began.label()+v.ToolName+" ", v.Arguments)
		}
		return
	case c.Type == "tool_approval_request":
		if show {
			t.value(a, "? ", odd, "approval is asked for "+began.label()+v.ToolName+" ", v.Arguments)
		}
		return
	}
	name := began.label() + or(v.ToolName, began.name)
	t.fold.returned(c, v.ToolCallID)
	if !show {
		return
	}
	spent := after(" in ", took(began.began, c.Timestamp))
	if !open {
		spent += ", its start wasn't seen"
	}
	switch {
	case v.Success != nil && !*v.Success || v.Success == nil && v.Error != "":
		spent = strings.Replace(spent, " in ", " after ", 1)
		t.value(a, "✗ ", bad, name+" failed"+spent+": "+or(v.Error, "no reason is given"), nil)
	case empty(v.Result):
		t.value(a, "✓ ", good, name+" done"+spent, nil)
	default:
		t.value(a, "✓ ", good, name+" done"+spent+": ", v.Result)
	}
}

// label is how later lines name a call; "" if its start wasn't seen.
func (c call) label() string {
	if c.number == 0 {
		return ""
	}
	return fmt.Sprintf("#%d ", c.number)
}
