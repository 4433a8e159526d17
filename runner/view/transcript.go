package view

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/judge"
)

// Options say how a transcript is written.
type Options struct {
	// Width is the number of columns; 0 doesn't break lines.
	Width int
	// Color paints; for terminals only.
	Color bool
	// Show selects the chunks that are written; nil means all. The others still contribute parents, durations, and the
	// state.
	Show func(Chunk) bool
	// Live writes every word as it comes. Without it, agents that speak at the same
	// time get a paragraph each.
	Live bool
	// Flat leaves out the indentation of sub-agents.
	Flat bool
}

// maxDelayed bounds the text of an agent that waits for another's paragraph to end, in bytes.
const maxDelayed = 2048

// A Transcript writes events for people. Make it with NewTranscript; it isn't
// safe for concurrent use.
type Transcript struct {
	o    Options
	page *page

	fold       *fold.Fold               // accumulated state
	agentViews judge.Opened[*agentView] // of agents, by their keys

	speaker string       // whose paragraph is open
	kind    string       // text or thinking; "" if none is open
	last    string       // agent of the last line
	waiting []*agentView // whose text waits
	written *fold.Output // of the root agent, the last
	count   Count
}

// agentView is the rendering of one agent.
type agentView struct {
	key        uint64
	id, kind   string
	depth      int          // of its lines
	introduced bool         // it is known who that is
	step       frame.Number // that was shown last
	waiting    string
}

// Count counts the parts of a transcript.
type Count struct {
	Events  int // frames that could be read
	Chunks  int
	Shown   int // chunks that were chosen
	Unknown int // events of a type that isn't known
	Broken  int // events that couldn't be read, without a truncated one
	Ended   bool
	Types   []string // of chunks, the first few that came
	Agents  []string // ids, likewise
}

// NewTranscript returns one that writes to w.
func NewTranscript(w io.Writer, o Options) *Transcript {
	return &Transcript{o: o, page: newPage(w, o.Width, o.Color), fold: newFold()}
}

// Count returns the counts so far.
func (t *Transcript) Count() Count { return t.count }

// Event writes one event. The only errors are those of writing.
func (t *Transcript) Event(e Event) error {
	if e.Kind != BrokenEvent {
		t.count.Events++
	}
	switch e.Kind {
	case ChunkEvent:
		t.chunk(e.Chunk)
	case EndEvent:
		t.count.Ended = true
		t.end(e)
	case FailEvent:
		t.count.Ended = true
		t.value(nil, "✗ ", bad, "the stream failed: "+e.Error+inBrackets(e.Code), nil)
	case StatusEvent:
		t.rule(nil, "─ ", dim, "the stream is "+e.Status)
	case TruncatedEvent:
		t.fold.Removed()
		t.rule(nil, "─ ", unusual, fmt.Sprintf("chunks were removed: what came after step %s is void", count(e.Step)))
	case UnknownEvent:
		t.count.Unknown++
		t.rule(nil, "• ", dim, "an event of unknown type "+or(e.Type, "(none)"))
	case BrokenEvent:
		if !e.Shortened {
			t.count.Broken++
		}
		t.Note(fmt.Sprintf("line %d, byte %d: %s", e.Line, e.Offset, e.Error))
	}
	if t.o.Live {
		return t.page.flush()
	}
	return t.page.err
}

// Note writes a line about the recording, not of it.
func (t *Transcript) Note(text string) { t.value(nil, "! ", unusual, text, nil) }

// Close completes the transcript.
func (t *Transcript) Close() error {
	t.settle()
	t.page.end()
	return t.page.flush()
}

func (t *Transcript) end(e Event) {
	switch {
	case e.Output == nil:
		t.rule(nil, "■ ", good, "end of the stream")
	case t.isAbove(e.Output):
		t.rule(nil, "■ ", good, "end of the stream, with that output")
	default:
		t.value(nil, "■ ", good, "end of the stream, with output ", e.Output)
	}
}

func (t *Transcript) chunk(c Chunk) {
	t.count.Chunks++
	t.count.Types = noted(t.count.Types, c.Type)
	t.count.Agents = noted(t.count.Agents, c.AgentID)
	show := t.o.Show == nil || t.o.Show(c)
	if show {
		t.count.Shown++
	}
	if c.Type == "stream_resync" {
		t.settle() // before those who speak are void
	}
	said := meet(t.fold, c)
	v := t.viewOf(c)
	if show {
		t.introduce(v, c)
	}
	h := foldedChunk{Chunk: c}
	switch c.Type {
	case "subagent_start", "subagent_end":
		t.settle()
	case "state_patch":
		said.Patch, h.changes = patchOf(frame.Member(c.Raw, "patches"))
	}
	h.Effect = t.fold.Take(said)
	if show {
		t.speak(v, h)
	}
	if show && v.waiting == "" {
		t.last = v.id
	}
	t.leave(v, said)
}

// leave drops the views of agents that can only continue under another id.
func (t *Transcript) leave(v *agentView, said *fold.Chunk) {
	switch said.Kind {
	case "stream_resync":
		t.agentViews.Clear()
		t.agentViews.Put(v.key, v)
	case "subagent_start", "subagent_end":
		if session := said.Word("subSessionId").Hash; session != t.fold.Root {
			t.agentViews.Drop(session)
		}
	}
}

// viewOf returns that of the agent of a chunk. An agent whose start was in the stream needs no introduction.
func (t *Transcript) viewOf(c Chunk) *agentView {
	key := judge.Hash(c.AgentID)
	v, ok := t.agentViews.Get(key)
	if !ok {
		v = &agentView{key: key, id: c.AgentID}
		if k, ok := t.fold.SubAgents.Value(key); ok {
			v.kind, v.introduced = k.Kind.Start, true
		}
		t.agentViews.Put(key, v)
	}
	v.kind, v.depth = or(v.kind, c.AgentType), t.fold.Depth(key)
	return v
}

// siblings reports whether another open sub-agent is indented alike.
func (t *Transcript) siblings(agent uint64, depth int) bool {
	if t.fold.SubAgents.Len() > maxOpen/16 {
		return true
	}
	_, ok := t.fold.SubAgents.Find(func(k *fold.SubAgent) bool { return k.ID.Hash != agent && k.Depth == depth })
	return ok
}

// isAbove reports whether a value is the root agent's output, and was written.
func (t *Transcript) isAbove(value json.RawMessage) bool {
	root, ok := t.fold.Agents.Value(t.fold.Root)
	if !ok || root.Output == nil || root.Output != t.written {
		return false
	}
	v, ok := judge.OneValue(value)
	return ok && judge.Digest(v) == root.Output.Digest
}

// noted adds a name to the first few that were seen.
func noted(names []string, name string) []string {
	for _, n := range names {
		if n == name {
			return names
		}
	}
	if len(names) >= 8 {
		return names
	}
	return append(names, name)
}

// introduce writes the agent's name where it isn't clear, and its step.
func (t *Transcript) introduce(v *agentView, c Chunk) {
	if c.Type == "text_delta" && t.waits(v) && v.introduced {
		return
	}
	if t.last != v.id {
		t.settle()
	}
	switch {
	case !v.introduced || t.last == "":
		v.introduced = true
		t.rule(v, "● ", bold, or(v.kind, "agent")+" · "+or(v.id, "no id"))
	case t.last != v.id && v.depth > 0 && t.siblings(v.key, v.depth):
		t.name(v)
	}
	if c.Step.OK && c.Step != v.step {
		if v.depth == 0 || v.step.OK {
			t.rule(v, "─ ", dim, fmt.Sprintf("step %d", c.Step.N))
		}
		v.step = c.Step
	}
}

func (t *Transcript) name(v *agentView) {
	t.page.one(t.margin(v)+"● ", dim, or(v.kind, "agent")+" · "+v.id)
	t.last = v.id
}

// waits reports whether the text of an agent has to wait for another's paragraph.
func (t *Transcript) waits(v *agentView) bool { return t.kind != "" && t.speaker != v.id && !t.o.Live }

// members decodes the members of a chunk other than the common ones. Those of a wrong JSON type are left out.
func members[T any](c Chunk) T {
	var v T
	if decodeTolerantly(c.Raw, &v) != nil {
		var none T
		return none
	}
	return v
}
