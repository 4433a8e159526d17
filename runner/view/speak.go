package view

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/fold"
)

// margin returns the text at the beginning of an agent's lines. Wide trees are not allowed to
// squeeze the text out of the page.
func (t *Transcript) margin(v *agentView) string {
	if v == nil || t.o.Flat {
		return ""
	}
	depth := min(v.depth, 12)
	if t.o.Width > 0 {
		depth = min(depth, max(t.o.Width-24, 0)/4)
	}
	return strings.Repeat("│ ", depth)
}

// settle ends the open paragraph and writes the delayed lines.
func (t *Transcript) settle() {
	t.kind = ""
	held := t.waiting
	t.waiting = nil
	for _, v := range held {
		t.release(v)
	}
}

func (t *Transcript) release(v *agentView) {
	text := v.waiting
	v.waiting = ""
	if v.depth > 0 && t.last != v.id && t.siblings(v.key, v.depth) {
		t.name(v)
	}
	m := t.margin(v)
	t.page.begin(m+"  ", m+"  ", unstyled)
	t.page.say(text)
	t.page.end()
	t.last = v.id
}

// rule writes one line.
func (t *Transcript) rule(v *agentView, sign string, s style, text string) {
	t.settle()
	t.page.one(t.margin(v)+sign, s, text)
}

// value writes a label and the value.
func (t *Transcript) value(v *agentView, sign string, s style, text string, raw json.RawMessage) {
	t.settle()
	m := t.margin(v)
	t.page.begin(m+sign, m+strings.Repeat(" ", 4), s)
	t.page.say(strings.NewReplacer("\n", `\n`).Replace(text))
	if raw != nil {
		t.page.json(unstyled, abridged(raw, t.columns()))
	}
	t.page.end()
}

// columns returns the limit of columns for a value.
func (t *Transcript) columns() int {
	if t.o.Width == 0 {
		return maxLines * 100
	}
	return maxLines * max(t.o.Width, narrow)
}

// text adds to the paragraph of an agent, or begins it.
func (t *Transcript) text(v *agentView, text string) {
	if text == "" {
		return
	}
	if t.waits(v) {
		if v.waiting == "" {
			t.waiting = append(t.waiting, v)
		}
		if v.waiting += text; len(v.waiting) > maxDelayed {
			t.settle()
		}
		return
	}
	if t.kind != "text" || t.speaker != v.id {
		t.settle()
		m := t.margin(v)
		t.page.begin(m+"  ", m+"  ", unstyled)
		t.speaker, t.kind = v.id, "text"
	}
	t.page.say(text)
}

// thinking writes reasoning. The chunk that completes a block repeats its increments; only the new part is written.
func (t *Transcript) thinking(v *agentView, h foldedChunk) {
	own := members[struct {
		Content    string
		IsComplete bool
	}](h.Chunk)
	again := h.Block != nil
	differs := again && own.Content != "" && !h.Block.Is(own.Content)
	if !again || differs {
		if differs || own.IsComplete || t.kind != "thinking" || t.speaker != v.id {
			t.settle()
			m := t.margin(v)
			t.page.begin(m+"┊ ", m+"┊ ", dim)
			t.speaker, t.kind = v.id, "thinking"
			label := "(thinking) "
			if differs {
				label = "(thinking, the whole block, which differs) "
			}
			t.page.say(label)
		}
		t.page.say(own.Content)
	}
	if own.IsComplete && t.kind == "thinking" && t.speaker == v.id {
		t.settle()
		t.page.end()
	}
}

// speak writes one chunk.
func (t *Transcript) speak(v *agentView, h foldedChunk) {
	switch h.Type {
	case "text_delta":
		t.text(v, delta(h.Chunk))
	case "thinking":
		t.thinking(v, h)
	case "tool_start", "tool_end", "tool_approval_request":
		t.tool(v, h)
	case "subagent_start", "subagent_end":
		t.subagent(v, h)
	case "state_patch":
		t.patch(v, h)
	case "stream_resync", "checkpoint_created":
		t.checkpoint(v, h)
	default:
		t.other(v, h.Chunk)
	}
}

func (t *Transcript) other(v *agentView, c Chunk) {
	own := members[struct {
		EventName, Error, Code, Reason, StepID, CheckpointID, Mode, PendingToolName string
		Data, Output                                                                json.RawMessage
		Recoverable                                                                 bool
	}](c)
	switch c.Type {
	case "custom":
		t.value(v, "• ", unstyled, "event "+or(own.EventName, "without a name")+" ", own.Data)
	case "output":
		if a, ok := t.fold.Agents.Value(v.key); ok && v.key == t.fold.Root {
			t.written = a.Output
		}
		t.value(v, "■ ", bold, "output ", own.Output)
	case "error":
		goes := "fatal"
		if own.Recoverable {
			goes = "the run goes on"
		}
		t.value(v, "✗ ", bad, fmt.Sprintf("error%s, %s: %s", after(" ", own.Code), goes, own.Error), nil)
	case "step_committed":
		t.rule(v, "─ ", dim, "step committed · "+own.StepID)
	case "step_discarded":
		t.rule(v, "─ ", unusual, "step discarded: "+own.Reason+" · "+own.StepID)
	case "run_interrupted":
		t.rule(v, "─ ", unusual, "run interrupted"+after(": ", own.Reason)+after(" · ", own.CheckpointID))
	case "run_paused":
		t.rule(v, "─ ", unusual, "run paused: "+own.Reason+after(", waits for ", own.PendingToolName))
	case "run_resumed":
		t.rule(v, "─ ", unusual, fmt.Sprintf("run resumed after step %s (%s)", count(c.Number("fromStepCount")), own.Mode))
	case "executor_superseded":
		t.rule(v, "─ ", unusual, "another executor took over"+after(": ", own.Reason))
	default:
		t.count.Unknown++
		t.value(v, "• ", dim, "chunk of unknown type "+or(c.Type, "(none)")+" ", c.Raw)
	}
}

func (t *Transcript) tool(v *agentView, h foldedChunk) {
	own := members[struct {
		ToolName, Error   string
		Arguments, Result json.RawMessage
		Success           *bool
	}](h.Chunk)
	switch h.Type {
	case "tool_start":
		t.value(v, "▶ ", bold, "tool "+label(h.Call)+own.ToolName+" ", own.Arguments)
		return
	case "tool_approval_request":
		t.value(v, "? ", unusual, "approval is asked for "+label(h.Call)+own.ToolName+" ", own.Arguments)
		return
	}
	name, spent := label(h.Call)+own.ToolName, ", its start wasn't seen"
	if h.Call != nil {
		name = label(h.Call) + or(own.ToolName, h.Call.Name.Start)
		spent = after(" in ", took(h.Call.Time.N, h.Timestamp.N))
	}
	switch {
	case own.Success != nil && !*own.Success || own.Success == nil && own.Error != "":
		spent = strings.Replace(spent, " in ", " after ", 1)
		t.value(v, "✗ ", bad, name+" failed"+spent+": "+or(own.Error, "no reason is given"), nil)
	case empty(own.Result):
		t.value(v, "✓ ", good, name+" done"+spent, nil)
	default:
		t.value(v, "✓ ", good, name+" done"+spent+": ", own.Result)
	}
}

// label returns the name of a call in later lines; "" if its start wasn't in the stream.
func label(c *fold.Call) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("#%d ", c.Number)
}
