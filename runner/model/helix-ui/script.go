package helixui

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ScriptStep is one instruction of a script of the control binding; one member is set.
type ScriptStep struct {
	Text     *string        `json:"text,omitempty"`
	Thinking Reasoning      `json:"thinking,omitempty"` // its pieces
	Tool     *Tool          `json:"tool,omitempty"`
	Fail     *string        `json:"fail,omitempty"`   // message of the error that ends the run
	Finish   string         `json:"finish,omitempty"` // the finish reason
	Await    string         `json:"await,omitempty"`  // name of the barrier that stops the agent until it is opened
	Chunk    map[string]any `json:"chunk,omitempty"`  // of any agent, sent as it is
	Part     map[string]any `json:"part,omitempty"`   // a part of the application, which the server may drop

	// Only for a model, not for a binding: it spells its events in another way from here on, and its body ends without a
	// finish reason ("clean") or with an error event ("error").
	Spelling *string `json:"spelling,omitempty"`
	Ends     string  `json:"ends,omitempty"`
}

// Reasoning is the reasoning of an agent: strings, and between them objects that name a barrier.
type Reasoning []any

// MarshalJSON writes reasoning without a barrier as a string.
func (t Reasoning) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]any(t))
}

// Tool is a call, with its result.
type Tool struct {
	Name      string `json:"name"`               // as the model calls it
	Arguments any    `json:"arguments"`          // a string is raw JSON, valid or not
	Result    any    `json:"result"`             // ignored if Error is set
	Error     string `json:"error,omitempty"`    // "" for a call that succeeds
	Approval  bool   `json:"approval,omitempty"` // the user has to approve it
	Client    bool   `json:"client,omitempty"`   // the client runs it
}

// Script lists what an agent does in one turn, and the configuration of the turn.
type Script struct {
	Chat          string         // id of the chat, which is also the agent's id
	Steps         []ScriptStep   // in their order
	Start, Finish map[string]any // metadata; nil for none
	// Names maps types of the table to types of the server, NoPart for a part that it doesn't send. A type that is missing
	// stays.
	Names map[string]string
}

// NoPart names a part that a server doesn't send.
const NoPart = "none"

const (
	text       = iota // a text goes on
	reasoning         // an increment of reasoning
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

// expectedItem is content that a reader must receive.
type expectedItem struct {
	kind         int    // decides which of the fields below are set
	of           string // id of the requirement that demands it
	text         string // of a text or of reasoning; the name of a barrier; the type of a data part
	call         string // which call, of the script
	id           string // that the script gives a call; "" where the server gives one
	tool         string // name of the tool of a call
	value        any    // an input, an output or data
	passing      bool   // the part is transient
	chunkMembers bool   // the value contains the members of a chunk, to which others may be added
	written      string // how the model writes its events; "": as providers do
}

const chunks = "helix-ui.mapping.chunks"

// plan lists the content that a reader must receive for a script.
type plan struct {
	items       []expectedItem    // in the order of the script; never removed
	otherAgents []string          // texts of other agents, which must not be sent
	calls       bool              // the script contains a call
	names       map[string]string // of the script
	open        map[string]bool   // calls of chunks that have an input and no output, by id
	hasContent  bool              // the open step has content
	reasoning   string            // concatenated increments of the open reasoning
	written     string            // spelling of the model's events from here on

	waiting []waiting    // calls that the client has to answer
	later   []ScriptStep // what follows the answers
	free    []span       // the items of each may come in any order; spans don't overlap
}

// span is a range of items, without the one at upTo.
type span struct{ from, upTo int }

func (s *span) shift(by int) { s.from, s.upTo = s.from+by, s.upTo+by }

func (p *plan) add(o expectedItem) {
	o.written = p.written
	p.items = append(p.items, o)
	if o.kind <= failure && o.kind != reasoning && (o.kind != text || o.text != "") { // a thought may be hidden, an empty text left out
		p.hasContent = true
	}
	if o.kind != barrier && !o.passing {
		p.reasoning = ""
	}
}

func read(s Script) *plan {
	p := &plan{names: s.Names, open: map[string]bool{}}
	for i, a := range s.Steps {
		key := fmt.Sprintf("act %d", i)
		if len(p.waiting) > 0 && !a.waits() {
			p.later = s.Steps[i:]
			break
		}
		switch {
		case a.Text != nil:
			p.add(expectedItem{kind: text, of: "helix-ui.text.whole", text: *a.Text})
		case a.Thinking != nil:
			p.think(a.Thinking)
		case a.waits():
			p.wait(key, *a.Tool)
		case a.Tool != nil:
			p.tool(key, *a.Tool)
		case a.Spelling != nil:
			p.written = *a.Spelling
		case a.Ends == "clean":
			p.add(expectedItem{kind: unfinished, of: "helix-ui.errors.told"})
		case a.Fail != nil, a.Ends == "error":
			p.add(expectedItem{kind: failed, of: "helix-ui.errors.told"})
		case a.Await != "":
			p.add(expectedItem{kind: barrier, text: a.Await})
		case a.Chunk != nil:
			p.chunk(a.Chunk, s.Chat)
		}
	}
	return p
}

func (p *plan) think(t Reasoning) {
	for _, piece := range t {
		if words, is := piece.(string); is {
			p.add(expectedItem{kind: reasoning, of: "helix-ui.reasoning.whole", text: words})
		} else if wait, is := piece.(map[string]any); is {
			name, _ := wait["await"].(string)
			p.add(expectedItem{kind: barrier, text: name})
		}
	}
}

func (p *plan) tool(key string, t Tool) {
	p.calls = true
	p.add(expectedItem{kind: call, of: "helix-ui.tools.arguments", call: key, tool: t.Name, value: t.Arguments})
	if t.Error != "" {
		p.add(expectedItem{kind: failure, of: "helix-ui.tools.failure", call: key})
		return
	}
	p.add(expectedItem{kind: output, of: "helix-ui.tools.result", call: key, value: t.Result})
}

// chunk adds the parts that the table has for a chunk.
func (p *plan) chunk(c map[string]any, chat string) {
	word := func(member string) string { said, _ := c[member].(string); return said }
	if agent := word("agentId"); agent != "" && agent != chat {
		p.other(word)
		return
	}
	passing := func(kind string) {
		p.datum(expectedItem{text: kind, value: specific(c), chunkMembers: true, passing: true})
	}
	switch word("type") {
	case "text_delta":
		p.add(expectedItem{kind: text, of: "helix-ui.text.whole", text: word("delta")})
	case "thinking":
		p.thinking(word("content"), c["isComplete"] == true)
	case "tool_start", "tool_end", "tool_approval_request":
		p.callChunk(word("type"), word("toolCallId"), c)
	case "step_committed":
		// An application that stores a call and the text after it in one step needs no step end.
		if p.hasContent && !p.calls {
			p.add(expectedItem{kind: commit, of: chunks})
		}
		p.hasContent, p.reasoning = false, ""
	case "run_interrupted":
		p.add(expectedItem{kind: aborted, of: chunks, value: c["reason"]})
	case "custom":
		p.add(expectedItem{kind: data, of: chunks, text: "data-" + word("eventName"), value: c["data"]})
	case "output":
		p.datum(expectedItem{text: "data-output", value: c["output"]})
	case "subagent_start", "subagent_end":
		p.datum(expectedItem{text: "data-subagent", id: word("callId"), value: specific(c), chunkMembers: true})
	case "state_patch":
		p.datum(expectedItem{text: "data-state", value: c["patches"], passing: true})
	case "run_paused", "run_resumed":
		passing("data-run")
	case "step_discarded", "stream_resync":
		passing("data-resync")
	case "error":
		if c["recoverable"] == true {
			passing("data-error")
			return
		}
		p.add(expectedItem{kind: failed, of: "helix-ui.errors.told"})
	}
}

// other records the texts of another agent's chunk, which word returns by member.
func (p *plan) other(word func(member string) string) {
	for _, member := range []string{"delta", "content", "toolCallId", "output", "error", "reason"} {
		if text := word(member); text != "" {
			p.otherAgents = append(p.otherAgents, text)
		}
	}
}

// callChunk adds the parts of a chunk about a call.
func (p *plan) callChunk(kind, id string, c map[string]any) {
	switch _, fails := c["error"]; {
	case kind == "tool_start":
		tool, _ := c["toolName"].(string)
		p.calls, p.open[id] = true, true
		p.add(expectedItem{kind: call, of: "helix-ui.tools.arguments", call: id, id: id, tool: tool, value: c["arguments"]})
	case kind == "tool_approval_request":
		p.add(expectedItem{kind: approval, of: chunks, call: id})
	case fails:
		delete(p.open, id)
		p.add(expectedItem{kind: failure, of: "helix-ui.tools.failure", call: id})
	default:
		delete(p.open, id)
		p.add(expectedItem{kind: output, of: "helix-ui.tools.result", call: id, value: c["result"]})
	}
}

// datum adds a data part with the type of the server.
func (p *plan) datum(o expectedItem) {
	o.kind, o.of = data, chunks
	if name := p.names[o.text]; name != "" {
		o.text = name
	}
	if o.text != NoPart {
		p.add(o)
	}
}

// thinking adds an increment of reasoning. The chunk that completes it repeats its increments, or is all of it.
func (p *plan) thinking(content string, complete bool) {
	rest := content
	if complete {
		rest = strings.TrimPrefix(content, p.reasoning)
	}
	if p.reasoning += rest; complete {
		p.reasoning = ""
	}
	if rest != "" {
		p.items = append(p.items, expectedItem{kind: reasoning, of: "helix-ui.reasoning.whole", text: rest})
	}
}

// specific returns the members of a chunk other than the common ones.
func specific(c map[string]any) map[string]any {
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
