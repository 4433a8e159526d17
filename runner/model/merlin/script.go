package merlin

import (
	"math"
	"slices"
	"strings"
)

// Script is the script of a request; spec/merlin/control.md describes its members.
type Script struct {
	Version int `json:"-"` // 1 or 2, that of the route
	// Modelled: the suite's language model performs the script, not the control binding. The server then chooses the first
	// index, and may add progress steps.
	Modelled bool `json:"-"`
	Start
	Steps []ScriptStep `json:"acts"` // in their order
}

func (s Script) has(hit func(ScriptStep) bool) bool { return slices.ContainsFunc(s.Steps, hit) }
func (s Script) aborts() bool                       { return s.has(ScriptStep.breaks) }
func (s Script) stops() bool                        { return s.has(func(a ScriptStep) bool { return a.Stop }) }
func (s Script) cites() bool {
	return s.has(func(a ScriptStep) bool { d := a.delta(); return d != nil && d.Citation != nil })
}

// complete returns a text without the renderings of a character that came in halves.
func (s Script) complete(text string) string {
	if !s.has(func(a ScriptStep) bool { return a.Texts != nil && strings.Contains(a.Bytes, `\ud83e`) }) {
		return text
	}
	return strings.NewReplacer("\U0001f9ed", "", "\ufffd", "").Replace(text)
}

// Start is the state with which a stream begins.
type Start struct {
	GlobalIndex       int          `json:"globalIndex,omitempty"`       // the lowest index that a message may have
	EventManagerIndex int          `json:"eventManagerIndex,omitempty"` // that of progress steps
	ContentIndex      *int         `json:"contentIndex,omitempty"`      // nil leaves it to the server
	Suppress          bool         `json:"suppress,omitempty"`          // version 2: no output of the stream's model is sent
	Manager           string       `json:"manager,omitempty"`           // version of the event manager: V1, V2, or "" for the server's choice
	Attachments       []Attachment `json:"attachments,omitempty"`       // of the message, in their order
}

// Attachment is one of the message. Those of the type web can be cited.
type Attachment struct {
	Type  string `json:"type"` // others than "web" are never cited
	URL   string `json:"url"`
	Title string `json:"title"`
}

// ScriptStep is one instruction of a script; one member is set.
type ScriptStep struct {
	Delta      *Delta         `json:"delta,omitempty"`    // an event of the model
	Usage      map[string]any `json:"usage,omitempty"`    // members of the model's usage, merged into the aggregate
	Bytes      string         `json:"bytes,omitempty"`    // raw bytes; with Texts, one event for each of its texts
	Texts      []string       `json:"-"`                  // texts of the events in the bytes; a divided character isn't part of them
	Spelling   string         `json:"-"`                  // how the event of the bytes is written; "": as models do
	Uses       map[string]any `json:"-"`                  // usage in the events of the bytes
	InBytes    *Delta         `json:"-"`                  // the delta of the event that the bytes are
	Split      *int           `json:"split,omitempty"`    // from here on, the model's bytes come in pieces of this size; 0: an event is one piece
	Abort      bool           `json:"abort,omitempty"`    // the model's response breaks off
	Ends       string         `json:"ends,omitempty"`     // of a model alone: "clean", its body ends without a finish reason, or "error", with an error
	Stop       bool           `json:"stop,omitempty"`     // the user stops the request
	Await      string         `json:"await,omitempty"`    // name of the barrier that stops the agent until it is opened
	Progress   *Progress      `json:"progress,omitempty"` // an operation on the event manager
	SubAgent   *SubAgent      `json:"subagent,omitempty"`
	ToolResult *ToolResult    `json:"toolResult,omitempty"`
	Handoff    string         `json:"handoff,omitempty"` // name of the agent that goes on
}

// breaks reports whether the step interrupts the model's answer.
func (a ScriptStep) breaks() bool { return a.Abort || a.Ends != "" }

// web returns the attachments that can be cited.
func (s Start) web() (web []Attachment) {
	for _, a := range s.Attachments {
		if a.Type == "web" {
			web = append(web, a)
		}
	}
	return web
}

// delta returns the delta of the model's event; nil for none.
func (a ScriptStep) delta() *Delta {
	if a.InBytes != nil {
		return a.InBytes
	}
	return a.Delta
}

// Delta is one event of the model.
type Delta struct {
	Content   *string    `json:"content,omitempty"` // nil or "" adds no text
	Index     *int       `json:"index,omitempty"`   // content index
	Reasoning *Reasoning `json:"reasoning,omitempty"`
	Citation  *Citation  `json:"citation,omitempty"`   // version 1 shows a mark for it
	Calls     []CallPart `json:"tool_calls,omitempty"` // one event may have entries of several calls
}

// Reasoning is a piece of the model's reasoning.
type Reasoning struct {
	Text      string `json:"text"`
	Index     int    `json:"index"`               // pieces of one index are joined
	ID        string `json:"id,omitempty"`        // of the piece; "" for none
	Signature string `json:"signature,omitempty"` // of the index; it may come in a piece without a text
}

// Citation is a text of a document, which is the number of a source on the web, from 0.
type Citation struct {
	Document int    `json:"document_index"` // index in the attachments of type web; there may be none of it
	Text     string `json:"cited_text"`
}

// CallPart begins a call, if it has a type, or goes on with one.
type CallPart struct {
	Index    int      `json:"index"`          // pieces of one index are of one call
	Type     string   `json:"type,omitempty"` // "function" in the first entry of a call, "" in those that go on
	ID       string   `json:"id,omitempty"`   // of the call, in its first entry
	Function Function `json:"function"`
}

// Function is the tool of a call with its arguments, or a piece of the arguments.
type Function struct {
	Name      string `json:"name,omitempty"` // in the first entry of a call, "" in those that go on
	Arguments string `json:"arguments"`      // JSON once all pieces are concatenated
}

// Progress is an operation on the event manager.
type Progress struct {
	Do     string   `json:"do"`               // create, send, tags, latest, rename or end
	Step   string   `json:"step,omitempty"`   // id of the step
	Name   string   `json:"name,omitempty"`   // title of the step, for create and rename
	Icon   string   `json:"icon,omitempty"`   // icon for create and rename
	Values []any    `json:"values,omitempty"` // as encoding/json decodes them
	Tags   []string `json:"tags,omitempty"`   // only version V2 of the manager sends them as tags
}

// SubAgent is an agent whose answer is the result of a tool.
type SubAgent struct {
	Index    int          `json:"index"`              // of the call whose result it is
	Suppress bool         `json:"suppress,omitempty"` // its partial results aren't sent
	Steps    []ScriptStep `json:"acts"`               // only their texts count
}

// ToolResult is a result that is complete.
type ToolResult struct {
	Index  int    `json:"index"`      // of the call
	Result string `json:"result"`     // "" where the server may leave it out
	CallID string `json:"toolCallId"` // of the call
	Name   string `json:"name"`
}

// The kinds of items that a server must send.
const (
	text = iota
	reasoning
	citing // a mark, with the attachments before it
	piece
	result
	step
	title
	barrier
	handoff
)

// expectedItem is one item that a script makes a server send, or a barrier.
type expectedItem struct {
	kind      int        // decides which of the fields below are set
	text      string     // text or reasoning, or the name of a barrier
	of        string     // the requirement that is broken where it doesn't come
	optional  bool       // it needn't come
	divided   bool       // it came in pieces
	paired    bool       // the next item is of the same event, and may be sent before it
	orphan    bool       // it is of a citation whose document there isn't
	early     bool       // of a mark: an event without a text has started its content index; it is required later if it isn't sent now
	loose     bool       // of a mark: another citation came after it, so that losing it only breaks a recommendation
	cite      Citation   // of a mark
	announced bool       // of a mark: attachments came that may be its
	received  bool       // of a mark: it came, or some of it
	number    int        // of a piece: the result; of a mark: which of the citations it is, from 1
	step      ScriptStep // of a progress step, a result or a handoff
	spelling  string     // of a text: how its event is written
}

// reading compiles a script to the required items.
type reading struct {
	script  Script         // never changes
	items   []expectedItem // in the order of the script; never removed
	pending []waiting      // citations that wait for text of a content index higher than theirs
	cites   int            // citations that the model has made
	split   int            // bytes of a piece, as the last Split of the script has it
	noisy   bool           // the last bytes were no event
	cited   []Citation     // whose marks are expected, in their order
}

// waiting is a citation that waits: of a content index, nil for any, and which of the model's it is, from 1.
type waiting struct {
	Citation
	index  *int // nil for any
	number int  // from 1
}

func read(s Script) *reading {
	r := &reading{script: s}
	for _, a := range s.Steps {
		if a.Stop {
			return r
		}
		if a.breaks() {
			break
		}
		r.step(a)
	}
	r.flush(math.MaxInt, true)
	return r
}

func (r *reading) owe(o expectedItem) { r.items = append(r.items, o) }

func (r *reading) step(a ScriptStep) {
	switch {
	case a.delta() != nil:
		r.delta(*a.delta())
	case a.Split != nil:
		r.split = *a.Split
	case a.Await != "":
		r.owe(expectedItem{kind: barrier, text: a.Await})
	case a.Handoff != "":
		r.owe(expectedItem{kind: handoff})
	case a.Progress != nil && a.Progress.Do == "rename":
		r.owe(expectedItem{kind: title, optional: true})
	case a.Progress != nil:
		r.owe(expectedItem{kind: step, of: doing[a.Progress.Do], step: a})
	case a.SubAgent != nil && !a.SubAgent.Suppress:
		for _, said := range a.SubAgent.Steps {
			if said.Delta != nil && said.Delta.Content != nil && *said.Delta.Content != "" {
				r.owe(expectedItem{kind: piece, text: *said.Delta.Content, of: "merlin.subagents.partial", number: a.SubAgent.Index})
			}
		}
	case a.ToolResult != nil:
		r.owe(expectedItem{kind: result, of: "merlin.subagents.result", step: a})
	}
	for _, said := range a.Texts {
		before := len(r.items)
		r.delta(Delta{Content: &said})
		for i := range r.items[before:] {
			r.items[before+i].spelling = a.Spelling
		}
	}
	r.noisy = a.Bytes != "" && a.Texts == nil && a.InBytes == nil
}

// doing contains the requirement of each operation on a step.
var doing = map[string]string{
	"create": "merlin.progress.created", "send": "merlin.progress.values", "tags": "merlin.progress.tags", "latest": "merlin.progress.latest",
	"end": "merlin.progress.done",
}

// delta is an event of the model.
func (r *reading) delta(d Delta) {
	switch {
	case d.Index == nil:
	case d.Content == nil || *d.Content == "": // which begins its content index for some
		r.early(*d.Index)
	default:
		r.flush(*d.Index, false)
	}
	if d.Content != nil && *d.Content != "" {
		if !r.script.Suppress || r.script.Version == 1 {
			r.owe(expectedItem{kind: text, text: r.script.complete(*d.Content), of: r.textRequirement(), divided: r.split > 0})
		}
	}
	if d.Reasoning != nil && d.Reasoning.Text != "" && r.script.Version == 2 && !r.script.Suppress {
		if d.Content != nil && *d.Content != "" {
			r.items[len(r.items)-1].paired = true
		}
		r.owe(expectedItem{kind: reasoning, text: d.Reasoning.Text, of: "merlin.chunks.thought"})
	}
	if d.Citation != nil && r.script.Version == 1 {
		r.cites++
		r.pending = append(r.pending, waiting{*d.Citation, d.Index, r.cites})
	}
}

// textRequirement returns the requirement that a missing text violates.
func (r *reading) textRequirement() string {
	switch {
	case r.noisy:
		return "merlin.upstream.noise"
	case r.script.Version == 1:
		return "merlin.slices.complete"
	}
	return "merlin.chunks.complete"
}
