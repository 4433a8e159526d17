package aep

import (
	"encoding/json"
	"time"
)

// Kind is the kind of an event, which is also its name.
type Kind string

// The kinds of events.
const (
	Metadata     Kind = "metadata"
	Text         Kind = "text"
	Thinking     Kind = "thinking"
	ToolCall     Kind = "tool_call"
	ToolResult   Kind = "tool_result"
	Continuation Kind = "continuation"
	Done         Kind = "done"
	Failed       Kind = "error"
	Aborted      Kind = "aborted"
)

// Terminal reports whether nothing follows an event of the kind.
func (k Kind) Terminal() bool { return k == Done || k == Failed || k == Aborted }

// Staged reports whether events of the kind are parts of a block.
func (k Kind) Staged() bool {
	return k == Text || k == Thinking || k == ToolCall || k == ToolResult
}

// Stage is the part of its block that an event contains.
type Stage string

// The stages of a block.
const (
	Start Stage = "start"
	Delta Stage = "delta"
	Stop  Stage = "stop"
)

// Event is one event. Which fields count depends on its kind and stage.
type Event struct {
	Kind      Kind      // decides which of the fields below count
	RequestID string    // all events of a response have the same
	Timestamp time.Time // in any zone; sent as UTC

	ThreadID  string // Metadata, Done
	AgentID   string // Metadata
	MessageID string // events of blocks, Done

	BlockID    string // events of blocks
	Stage      Stage  // of events of blocks
	BlockIndex int    // Start
	DeltaIndex int    // Delta
	Piece      string // Delta
	Block      Block  // Start: the ids and the name; Stop: all of it

	ActionID   string          // Continuation
	ActionKind string          // Continuation
	Payload    json.RawMessage // Continuation: an object

	Content      []Block // Done
	FinishReason string  // Done
	Usage        *Usage  // nil: left out

	Code      string // Failed
	Retryable bool   // Failed
	Message   string // Failed: for people

	Reason string // Aborted; may be empty
}

// Block is a complete block of a message.
type Block struct {
	Kind       Kind            // Text, Thinking, ToolCall or ToolResult
	Text       string          // Text, Thinking
	ToolCallID string          // ToolCall, ToolResult
	ToolName   string          // ToolCall
	Args       json.RawMessage // ToolCall: an object
	Status     string          // ToolResult: success or error
	Summary    string          // ToolResult, for people
}

// Usage counts the input and the output of an answer.
type Usage struct {
	Input  int // messages read
	Output int // deltas made by the agent
}
