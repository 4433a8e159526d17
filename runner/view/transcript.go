package view

import (
	"fmt"
	"io"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
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

// Bounds on what is remembered of a stream that never closes what it opens.
const (
	maxAgents = 4096
	maxCalls  = 65536
	maxHeld   = 2048 // bytes of text of an agent that waits for another's paragraph to end
)

// A Transcript writes events for people. Make it with NewTranscript; it isn't
// safe for concurrent use.
type Transcript struct {
	o    Options
	page *page

	root     string // id of the root agent
	began    bool   // the root agent is known
	agents   map[string]*agent
	calls    map[[2]string]call
	numbered int // calls so far
	marks    checkpoints
	weight   int64 // of the states of the agents
	budget   *patch.Budget
	output   string // of the root agent; "" if there was none, or it is too long

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

// agent is one that may still speak.
type agent struct {
	id, kind  string
	parent    string
	depth     int
	announced bool
	began     int64 // timestamp of its subagent_start
	step      int64
	state     State
	held      string     // text that waits
	block     *judge.Sum // reasoning of which increments came and not yet the whole
}

type call struct {
	number int
	name   string
	began  int64
}

// NewTranscript returns one that writes to w.
func NewTranscript(w io.Writer, o Options) *Transcript {
	return &Transcript{o: o, page: newPage(w, o.Width, o.Color), agents: map[string]*agent{}, calls: map[[2]string]call{},
		budget: patch.NewBudget(0)}
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
	case t.output != "" && values(e.Output) == t.output:
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
	if !t.began {
		t.began, t.root = true, c.AgentID
	}
	a := t.agent(c)
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

// agent finds whose chunk it is.
func (t *Transcript) agent(c Chunk) *agent {
	a := t.agents[c.AgentID]
	if a == nil {
		a = t.enter(&agent{id: c.AgentID, kind: c.AgentType, step: -1})
	}
	if a.kind == "" {
		a.kind = c.AgentType
	}
	return a
}

func (t *Transcript) enter(a *agent) *agent {
	a.state.budget = t.budget
	if len(t.agents) >= maxAgents {
		t.settle()
		for id := range t.agents {
			if id != t.root && id != a.parent {
				t.weight -= t.agents[id].state.weight()
				delete(t.agents, id)
			}
		}
	}
	t.agents[a.id] = a
	return a
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
	case t.last != a.id && a.depth > 0 && t.siblings(a):
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

// siblings says whether another open agent is indented alike.
func (t *Transcript) siblings(a *agent) bool {
	if len(t.agents) > maxAgents/16 {
		return true
	}
	for _, b := range t.agents {
		if b != a && b.depth == a.depth {
			return true
		}
	}
	return false
}

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
