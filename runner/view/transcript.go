package view

import (
	"fmt"
	"io"
)

// Options say how a transcript is written.
type Options struct {
	// Width is the number of columns; 0 doesn't break lines.
	Width int
	// Color paints; for terminals only.
	Color bool
	// Show chooses the chunks that are written; nil means all. The others still
	// count for what they tell about those: parents, durations, the state.
	Show func(Chunk) bool
	// Live writes every word as it comes. Without it, agents that speak at the same
	// time get a paragraph each.
	Live bool
	// Flat leaves out the indentation of sub-agents.
	Flat bool
}

// maxHeld bounds the text of an agent that waits for another's paragraph to end, in bytes.
const maxHeld = 2048

// A Transcript writes events for people. Make it with NewTranscript; it isn't
// safe for concurrent use.
type Transcript struct {
	o    Options
	page *page

	fold fold // what it shows

	speaker string // whose paragraph is open
	kind    string // text or thinking; "" if none is open
	last    string // agent of the last line
	held    []string
	count   Count
}

// Count counts the parts of a transcript.
type Count struct {
	Events  int // frames that could be read
	Chunks  int
	Shown   int // chunks that were chosen
	Unknown int // events of a type that isn't known
	Broken  int // events that couldn't be read, the one that is cut left out
	Ended   bool
	Types   []string // of chunks, the first few that came
	Agents  []string // ids, likewise
}

// NewTranscript returns one that writes to w.
func NewTranscript(w io.Writer, o Options) *Transcript {
	return &Transcript{o: o, page: newPage(w, o.Width, o.Color), fold: newFold()}
}

// Count says what the transcript went through so far.
func (t *Transcript) Count() Count { return t.count }

// Event writes what one event says. The only errors are those of writing.
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
		t.rule(nil, "─ ", odd, fmt.Sprintf("chunks were removed: what came after step %s is void", count(e.Step)))
	case UnknownEvent:
		t.count.Unknown++
		t.rule(nil, "• ", dim, "an event of unknown type "+or(e.Type, "(none)"))
	case BrokenEvent:
		if !e.Cut {
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
func (t *Transcript) Note(text string) { t.value(nil, "! ", odd, text, nil) }

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
	case t.fold.output != "" && values(e.Output) == t.fold.output:
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
	if t.fold.full() && t.fold.agents[c.AgentID] == nil {
		t.settle() // before somebody is forgotten
	}
	a := t.fold.speaker(c)
	if show {
		t.introduce(a, c)
	}
	t.speak(a, c, show)
	if show && a.held == "" {
		t.last = a.id
	}
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

// introduce says who speaks where it isn't clear, and which step it is.
func (t *Transcript) introduce(a *agent, c Chunk) {
	if c.Type == "text_delta" && t.waits(a) && a.announced {
		return
	}
	if t.last != a.id {
		t.settle()
	}
	switch {
	case !a.announced || t.last == "":
		a.announced = true
		t.rule(a, "● ", bold, or(a.kind, "agent")+" · "+or(a.id, "no id"))
	case t.last != a.id && a.depth > 0 && t.fold.siblings(a):
		t.name(a)
	}
	if c.Step >= 0 && c.Step != a.step {
		if a.depth == 0 || a.step >= 0 {
			t.rule(a, "─ ", dim, fmt.Sprintf("step %d", c.Step))
		}
		a.step = c.Step
	}
}

func (t *Transcript) name(a *agent) {
	t.page.one(t.margin(a)+"● ", dim, or(a.kind, "agent")+" · "+a.id)
	t.last = a.id
}

// waits says whether the text of an agent has to wait for another's paragraph.
func (t *Transcript) waits(a *agent) bool { return t.kind != "" && t.speaker != a.id && !t.o.Live }

// members decodes what a chunk has beside the common ones. Those of another
// JSON type than they should be are left out.
func members[T any](c Chunk) T {
	var v T
	if lenient(c.Raw, &v) != nil {
		var none T
		return none
	}
	return v
}
