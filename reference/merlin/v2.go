package merlin

import "fmt"

// mark returns the text that marks a citation.
func mark(document, text int) string { return fmt.Sprintf("[citation: %d: %d]", document, text) }

// v2 streams each event of the model as it comes, without pacing. merlin.chunks.per-delta, merlin.chunks.no-init
type v2 struct {
	s        *stream // to which it writes
	suppress *bool   // no output is sent
	tool     *int    // index of the tool result that the text belongs to; nil for the agent itself
}

func (v *v2) delta(d Delta, _ int) error {
	if v.tool == nil {
		v.s.total.take(d)
		v.s.total.Content = append(v.s.total.Content, d.Content)
	}
	if *v.suppress { // merlin.chunks.suppressed, merlin.chunks.suppressed-reasoning, merlin.subagents.hidden
		return nil
	}
	if v.s.o.Speaks(d) {
		if err := v.content(d.Content); err != nil {
			return err
		}
	}
	// merlin.chunks.reasoning-empty; merlin.subagents.reasoning: that of a sub-agent is kept back
	if d.Reasoning != nil && d.Reasoning.Text != "" && v.tool == nil {
		return v.chunk("reasoning", d.Reasoning.Text) // merlin.chunks.reasoning, merlin.chunks.thought
	}
	return nil
}

// content sends a text. merlin.chunks.text, merlin.chunks.complete, merlin.chunks.no-marks
func (v *v2) content(text string) error {
	if v.tool == nil {
		return v.chunk("text", text)
	}
	// merlin.subagents.partial, merlin.subagents.same, merlin.subagents.order
	return v.chunk("toolCallResult", map[string]any{"index": *v.tool, "delta": text})
}

// chunk sends a message of a type, whose member of that name has a value. merlin.chunks.type, merlin.chunks.index,
// merlin.chunks.content, merlin.chunks.members; merlin.index.block: the index stays until another agent goes on.
func (v *v2) chunk(kind string, value any) error {
	return v.s.send(Message, map[string]any{"content": "", "index": v.s.index, "type": kind, kind: value})
}

func (v *v2) flush() error { return nil }
