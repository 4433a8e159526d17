package helixui

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Act is one instruction of a script of the control binding; one member is set.
type Act struct {
	Text     *string        `json:"text,omitempty"`
	Thinking Thought        `json:"thinking,omitempty"`
	Tool     *Tool          `json:"tool,omitempty"`
	Fail     *string        `json:"fail,omitempty"`
	Finish   string         `json:"finish,omitempty"`
	Await    string         `json:"await,omitempty"`
	Chunk    map[string]any `json:"chunk,omitempty"`
	Part     map[string]any `json:"part,omitempty"` // a part of the application, which the server may drop

	// Only for a model, not for a binding: it spells its events in another way from here on, and its body ends without a
	// finish reason ("clean") or with an error event ("error").
	Spelling *string `json:"spelling,omitempty"`
	Ends     string  `json:"ends,omitempty"`
}

// Thought is the reasoning of an agent: strings, and between them objects that name a barrier.
type Thought []any

// MarshalJSON writes a thought without a barrier as the text that it is.
func (t Thought) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]any(t))
}

// Tool is a call, with its result.
type Tool struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"`
	Result    any    `json:"result"`
	Error     string `json:"error,omitempty"`
	Approval  bool   `json:"approval,omitempty"` // the user has to approve it
	Client    bool   `json:"client,omitempty"`   // the client runs it
}

// Script lists what an agent does in one turn, and the configuration of the turn.
type Script struct {
	Chat          string // id of the chat, which is also the agent's id
	Acts          []Act
	Start, Finish map[string]any // metadata; nil for none
	// Names maps types of the table to types of the server, NoPart for a part that it doesn't send. A type that is missing
	// stays.
	Names map[string]string
}

// NoPart names a part that a server doesn't send.
const NoPart = "none"

const (
	text       = iota // a text goes on
	thought           // a thought goes on
	call              // a call has its input
	output            // a call returns
	failure           // a call fails
	data              // a data part
	commit            // a step ends
	approval          // the user has to approve a call
	failed            // the run fails
	unfinished        // the model's answer ends without a finish reason
	aborted           // the run is stopped
	barrier           // the agent waits
	denial            // a denied call ends
)

// owed is content that a reader must receive.
type owed struct {
	kind    int
	of      string // id of the requirement that demands it
	text    string // of a text or a thought; the name of a barrier; the type of a data part
	call    string // which call, of the script
	id      string // that the script gives a call; "" where the server gives one
	tool    string
	value   any    // an input, an output or data
	passing bool   // the part is transient
	own     bool   // the value contains the members of a chunk, to which others may be added
	written string // how the model writes its events; "": as providers do
}

const chunks = "helix-ui.mapping.chunks"

// plan lists the content that a reader must receive for a script.
type plan struct {
	owed    []owed
	foreign []string // texts of other agents, which must not be sent
	calls   bool     // the script contains a call
	names   map[string]string
	open    map[string]bool // calls of chunks that have an input and no output, by id
	said    bool            // the open step has content
	thought string          // concatenated increments of the open thought
	written string          // spelling of the model's events from here on

	waiting    []waiting // calls that the client has to answer
	later      []Act     // what follows the answers
	from, upTo int       // the items that may come in any order
}

func (p *plan) add(o owed) {
	o.written = p.written
	p.owed = append(p.owed, o)
	if o.kind <= failure && o.kind != thought && (o.kind != text || o.text != "") { // a thought may be hidden, an empty text left out
		p.said = true
	}
	if o.kind != barrier && !o.passing {
		p.thought = ""
	}
}

func read(s Script) *plan {
	p := &plan{names: s.Names, open: map[string]bool{}}
	for i, a := range s.Acts {
		key := fmt.Sprintf("act %d", i)
		if len(p.waiting) > 0 && !a.waits() {
			p.later = s.Acts[i:]
			break
		}
		switch {
		case a.Text != nil:
			p.add(owed{kind: text, of: "helix-ui.text.whole", text: *a.Text})
		case a.Thinking != nil:
			p.think(a.Thinking)
		case a.waits():
			p.wait(key, *a.Tool)
		case a.Tool != nil:
			p.tool(key, *a.Tool)
		case a.Spelling != nil:
			p.written = *a.Spelling
		case a.Ends == "clean":
			p.add(owed{kind: unfinished, of: "helix-ui.errors.told"})
		case a.Fail != nil, a.Ends == "error":
			p.add(owed{kind: failed, of: "helix-ui.errors.told"})
		case a.Await != "":
			p.add(owed{kind: barrier, text: a.Await})
		case a.Chunk != nil:
			p.chunk(a.Chunk, s.Chat)
		}
	}
	return p
}

func (p *plan) think(t Thought) {
	for _, piece := range t {
		if words, is := piece.(string); is {
			p.add(owed{kind: thought, of: "helix-ui.reasoning.whole", text: words})
		} else if wait, is := piece.(map[string]any); is {
			name, _ := wait["await"].(string)
			p.add(owed{kind: barrier, text: name})
		}
	}
}

func (p *plan) tool(key string, t Tool) {
	p.calls = true
	p.add(owed{kind: call, of: "helix-ui.tools.arguments", call: key, tool: t.Name, value: t.Arguments})
	if t.Error != "" {
		p.add(owed{kind: failure, of: "helix-ui.tools.failure", call: key})
		return
	}
	p.add(owed{kind: output, of: "helix-ui.tools.result", call: key, value: t.Result})
}

// chunk adds the parts that the table has for a chunk.
func (p *plan) chunk(c map[string]any, chat string) {
	word := func(member string) string { said, _ := c[member].(string); return said }
	if agent := word("agentId"); agent != "" && agent != chat {
		p.other(word)
		return
	}
	passing := func(kind string) {
		p.datum(owed{text: kind, value: own(c), own: true, passing: true})
	}
	switch word("type") {
	case "text_delta":
		p.add(owed{kind: text, of: "helix-ui.text.whole", text: word("delta")})
	case "thinking":
		p.thinking(word("content"), c["isComplete"] == true)
	case "tool_start", "tool_end", "tool_approval_request":
		p.callChunk(word("type"), word("toolCallId"), c)
	case "step_committed":
		// An application that stores a call and the text after it in one step needs no step end.
		if p.said && !p.calls {
			p.add(owed{kind: commit, of: chunks})
		}
		p.said, p.thought = false, ""
	case "run_interrupted":
		p.add(owed{kind: aborted, of: chunks, value: c["reason"]})
	case "custom":
		p.add(owed{kind: data, of: chunks, text: "data-" + word("eventName"), value: c["data"]})
	case "output":
		p.datum(owed{text: "data-output", value: c["output"]})
	case "subagent_start", "subagent_end":
		p.datum(owed{text: "data-subagent", id: word("callId"), value: own(c), own: true})
	case "state_patch":
		p.datum(owed{text: "data-state", value: c["patches"], passing: true})
	case "run_paused", "run_resumed":
		passing("data-run")
	case "step_discarded", "stream_resync":
		passing("data-resync")
	case "error":
		if c["recoverable"] == true {
			passing("data-error")
			return
		}
		p.add(owed{kind: failed, of: "helix-ui.errors.told"})
	}
}

// other records the texts of another agent's chunk, which word returns by member.
func (p *plan) other(word func(member string) string) {
	for _, member := range []string{"delta", "content", "toolCallId", "output", "error", "reason"} {
		if text := word(member); text != "" {
			p.foreign = append(p.foreign, text)
		}
	}
}

// callChunk adds the parts of a chunk about a call.
func (p *plan) callChunk(kind, id string, c map[string]any) {
	switch _, fails := c["error"]; {
	case kind == "tool_start":
		tool, _ := c["toolName"].(string)
		p.calls, p.open[id] = true, true
		p.add(owed{kind: call, of: "helix-ui.tools.arguments", call: id, id: id, tool: tool, value: c["arguments"]})
	case kind == "tool_approval_request":
		p.add(owed{kind: approval, of: chunks, call: id})
	case fails:
		delete(p.open, id)
		p.add(owed{kind: failure, of: "helix-ui.tools.failure", call: id})
	default:
		delete(p.open, id)
		p.add(owed{kind: output, of: "helix-ui.tools.result", call: id, value: c["result"]})
	}
}

// datum adds a data part with the type of the server.
func (p *plan) datum(o owed) {
	o.kind, o.of = data, chunks
	if name := p.names[o.text]; name != "" {
		o.text = name
	}
	if o.text != NoPart {
		p.add(o)
	}
}

// thinking adds an increment of a thought. The chunk that completes one repeats its increments, or is all of it.
func (p *plan) thinking(content string, complete bool) {
	rest := content
	if complete {
		rest = strings.TrimPrefix(content, p.thought)
	}
	if p.thought += rest; complete {
		p.thought = ""
	}
	if rest != "" {
		p.owed = append(p.owed, owed{kind: thought, of: "helix-ui.reasoning.whole", text: rest})
	}
}

// own returns the members of a chunk other than the common ones.
func own(c map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range c {
		switch name {
		case "agentId", "agentType", "timestamp", "step":
		default:
			out[name] = v
		}
	}
	return out
}
