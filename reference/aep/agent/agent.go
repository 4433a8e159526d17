package agent

import (
	"context"
	"encoding/json"
)

// Agent answers.
type Agent interface {
	// Run takes one turn. It passes each delta to say, which returns once the delta is processed; an error of say ends the
	// turn. Run returns nil when the agent has finished, a *Failure, or any other error for a failure of the server. It
	// returns soon after its context is done.
	Run(ctx context.Context, turn Turn, say func(Delta) error) error
}

// Func makes a function an Agent.
type Func func(ctx context.Context, turn Turn, say func(Delta) error) error

// Run implements Agent.
func (f Func) Run(ctx context.Context, turn Turn, say func(Delta) error) error {
	return f(ctx, turn, say)
}

// Turn is the input of an agent.
type Turn struct {
	Request  string            // the id of the request that is answered
	Messages []string          // the texts of the request's messages, those of one message joined
	History  []Message         // the thread's earlier messages, oldest first
	Results  []json.RawMessage // results of actions, as the client sent them
	Context  json.RawMessage   // an object that the application passes to the agent
	Script   *Script           // script of the agent; nil lets the agent decide
	Model    Model             // decides without a script; nil: there is none

	// Await waits until a barrier is released or the context is done.
	Await func(ctx context.Context, barrier string) error
}

// Model decides the actions of an agent.
type Model interface {
	// Answer passes one instruction after the other to do, each once the one before was done; an error of do ends the turn. Its
	// error is that of Agent.Run.
	Answer(ctx context.Context, turn Turn, do func(Instruction) error) error
}

// Message is a message of one side in one turn.
type Message struct {
	Who     string // ByUser or ByAgent
	Text    string // complete
	Request string // id of the request that contained it, or whose response did
}

// The authors of a message.
const (
	ByUser  = "user"
	ByAgent = "agent"
)

// MarshalJSON writes an object with one member, named by the author.
func (s Message) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]string{s.Who: s.Text}) }

// Kind is the kind of a delta.
type Kind int

// The kinds of deltas.
const (
	Text      Kind = iota // Piece of the agent's text
	Thinking              // Piece of its reasoning
	Call                  // it calls Tool
	Arguments             // Piece of the JSON of the call's arguments
	Called                // the arguments are complete
	Outcome               // the tool is done: Failed, Summary, Returned
	Action                // a request to the client: ActionKind, Payload
)

// Delta is one thing that an agent does.
type Delta struct {
	Kind  Kind   // decides which of the fields below count
	Piece string // of text, thinking or arguments
	Call  int    // which call of this turn, from 1: Call, Arguments, Called, Outcome
	Tool  string // the tool's name: Call, Outcome

	Failed   bool            // the tool failed
	Summary  string          // summary of the result for the user; may be empty
	Returned json.RawMessage // result of the tool for the agent; not sent to the client

	ActionKind string          // which sort of action
	Payload    json.RawMessage // data that the client needs for it
}

// Failure is the error of a turn that the agent can't finish.
type Failure struct {
	Code    string // agent_error or tool_error
	Message string // for people
}

func (f *Failure) Error() string { return f.Code + ": " + f.Message }
