package provider

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Script lists the outputs of the model, step by step.
type Script struct {
	Steps []Step // one for each request, in their order
	// Tools are the results of the script's calls, for servers whose tools request them; a [Call] refers to one by its
	// index.
	Tools []Tool
	// Messages is the number of user messages in the request that begins the script, for [Echo]; 0 means 1.
	Messages int
	// Split cuts the body of each answer into pieces of so many bytes, each sent by itself, whatever the events; 0 sends an
	// event at a time.
	Split int
}

// Step is the answer to one request.
type Step struct {
	Actions []Action // in the order of the output
	// Finish is the finish reason; "tool_calls" where the step calls a tool, else "stop", if it is empty.
	Finish string
	// Fault refuses the request before any output; nil does not.
	Fault *Fault
}

// Action is one output or action of the model: Text, Thinking, Refusal, Call, Echo, Delta, Usage, Bytes, Pieces, Spelling, Await,
// Stall, Disconnect, Close or Break.
type Action interface{ isAction() }

// Text is a text, sent piece by piece.
type Text string

// Thinking is reasoning, piece by piece.
type Thinking string

// Refusal is sent instead of a text.
type Refusal string

// Call calls a tool of the server.
type Call struct {
	Name      string // of a tool, whether the server offers it or not
	Arguments string // as the model writes them, valid or not
	Tool      int    // index in Script.Tools of its result
	// Fit changes Arguments to ones that the server's schema for the tool accepts; [Provider.Arguments] returns them.
	Fit bool
}

// Echo emits, as text, JSON from the server's request: "messages", those of the request that began the script, or
// "history", those before them.
type Echo string

// Delta is one event with this delta, as it is. It may have members that only some providers send.
type Delta json.RawMessage

// Usage is one event with this usage and without a choice; a step that has one states no other.
type Usage json.RawMessage

// Bytes are sent as they are, events or not.
type Bytes string

// Pieces cuts the body from here on, as [Script.Split] does from its beginning.
type Pieces int

// Await waits until the barrier of this name is released.
type Await string

// Stall sends nothing for this long; without end if it is 0.
type Stall time.Duration

// Disconnect ends the connection in the middle of an event.
type Disconnect struct{}

// Close ends the body cleanly, without a finish reason.
type Close struct{}

// Break sends an error instead of the remaining output, as providers do once the body has started.
type Break struct{ Fault }

func (Text) isAction()     {}
func (Thinking) isAction() {}
func (Refusal) isAction()  {}
func (Call) isAction()     {}
func (Echo) isAction()     {}
func (Delta) isAction()    {}
func (Usage) isAction()    {}
func (Bytes) isAction()    {}
func (Pieces) isAction()   {}
func (Await) isAction()    {}
func (Stall) isAction()    {}

func (Disconnect) isAction() {}
func (Close) isAction()      {}
func (Break) isAction()      {}

// Tool is the result of a call. The server's tool returns Result or Error; the other members are for servers that
// distinguish calls.
type Tool struct {
	Result   json.RawMessage `json:"result,omitempty"`
	Error    *string         `json:"error,omitempty"`    // nil if the call succeeds
	Summary  string          `json:"summary,omitempty"`  // text about the result for the user
	Approval bool            `json:"approval,omitempty"` // the user has to approve the call
	Client   bool            `json:"client,omitempty"`   // the client runs it
}

// Marker returns the text that makes the model play a script when a user message contains it.
func Marker(name string) string { return opening + name + closing }

// HasMarker reports whether a request contains a marker, so that the answer depends on a script.
func HasMarker(body []byte) bool { return bytes.Contains(body, []byte(opening)) }

const (
	opening = "⟦sc:"
	closing = "⟧"
	// longestName bounds the name in a marker, in bytes.
	longestName = 128
)

// marked returns the script name of the last marker in a text.
func marked(text string) (name string, ok bool) {
	i := strings.LastIndex(text, opening)
	if i < 0 {
		return "", false
	}
	name, _, ok = strings.Cut(text[i+len(opening):], closing)
	return name, ok && name != "" && len(name) <= longestName
}

// unmarked returns a text without its markers.
func unmarked(text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, opening)
		_, after, ended := strings.Cut(rest, closing)
		if !found || !ended {
			return out.String() + text
		}
		out.WriteString(before)
		text = after
	}
}

// callID returns the id of a call, from which calledBy finds the script and the tool.
func callID(script string, tool int) string { return "call_" + script + "_" + strconv.Itoa(tool) }

// calledBy undoes callID.
func calledBy(id string) (script string, tool int, ok bool) {
	rest, found := strings.CutPrefix(id, "call_")
	i := strings.LastIndexByte(rest, '_')
	if !found || i < 0 {
		return "", 0, false
	}
	tool, err := strconv.Atoi(rest[i+1:])
	return rest[:i], tool, err == nil
}

// calls reports whether a step calls a tool.
func (s Step) calls() bool {
	for _, a := range s.Actions {
		if _, ok := a.(Call); ok {
			return true
		}
	}
	return false
}

// finish returns the finish reason of a step.
func (s Step) finish() string {
	switch {
	case s.Finish != "":
		return s.Finish
	case s.calls():
		return "tool_calls"
	}
	return "stop"
}

// hasUsage reports whether a step contains its usage event.
func (s Step) hasUsage() bool {
	return slices.ContainsFunc(s.Actions, func(a Action) bool { _, is := a.(Usage); return is })
}

// text returns the text of a delta; "" for one without text.
func (d Delta) text() string {
	var delta struct{ Content string }
	_ = json.Unmarshal(d, &delta) // a delta without text is ignored
	return delta.Content
}
