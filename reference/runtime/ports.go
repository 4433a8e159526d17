package runtime

import (
	"context"
	"encoding/json"
	"time"
)

// Ports are the parts of a runtime that can be replaced. New fills in every field but Journal and Tools that isn't set.
type Ports struct {
	Journal     Journal     // required
	Tools       Tools       // required
	Clock       Clock       // the time of day by default
	Checkpoints Checkpoints // in memory by default
	IDs         IDs         // random by default

	// Model wraps the model of every agent, sub-agents included; by default it returns its argument.
	Model func(Model) Model
	// Pieces divides a model's text into deltas; by word by default.
	Pieces func(text string) []string
	// Increments divides a block of reasoning into the chunks before the one that completes it; as Pieces by default. It
	// may return none.
	Increments func(text string) []string
	// Arguments converts the model's arguments, which may be empty, into the object with which a tool is called; Coerce by
	// default.
	Arguments func(raw json.RawMessage) json.RawMessage
	// Classify returns the classification of an error; the function of that name by default.
	Classify func(err error) Failure
	// Fenced reports whether an executor with a token may no longer write
	// when current is the newest one; token < current by default.
	Fenced func(token, current int64) bool
	// Discards reports whether a discarded step is announced with a step_discarded; by default one that had staged changes
	// or was interrupted.
	Discards func(staged, interrupted bool) bool
	// Handover lets other processes take sessions over; by default each belongs to the process that began it. Restore makes
	// a model from its source and its output until each checkpoint, oldest first.
	Handover Handover
	Restore  func(source json.RawMessage, outputs []json.RawMessage) (Model, error)
	// Waiting configures runs that wait for a user or client.
	Waiting Waiting
}

// Waiting configures transitions of waiting runs that the specification leaves to a runtime. By default the other calls of
// a step go on, a run continues with each answer, and only a running run can be interrupted.
type Waiting struct {
	AtOnce      bool // the first call that waits pauses the run, although other calls are running
	ForAll      bool // a paused run goes on when its last call is answered, with all answers
	Interrupted bool // a run that waits can be interrupted
}

// Model decides the actions of one agent.
type Model interface {
	// Step begins the agent's step n, counted from 0. The error io.EOF reports that there is none and the agent is done. A
	// step that is run again is started again.
	Step(ctx context.Context, n int, w Waiter) (Turn, error)
}

// Recalling is a Model that continues from its earlier output, which Restore needs.
type Recalling interface {
	Model
	// Recall returns its output in the steps [from, to) as JSON; nil for none.
	Recall(from, to int) (json.RawMessage, error)
}

// Turn yields the events of one step of a model as they arise. It belongs to one goroutine.
type Turn interface {
	// Next waits for the next event. The error io.EOF ends the turn. After an error that Classify finds retryable, Next is
	// called again; any other one fails the agent.
	Next(ctx context.Context) (Event, error)
}

// Event is one thing that a model does: Text, Reasoning, Call, Work, Parallel, Delegation, Stop or Output.
type Event interface{ event() }

// Text is a piece of the agent's text.
type Text struct{ Text string }

// Reasoning is one complete block of reasoning.
type Reasoning struct{ Text string }

// Call asks for a tool.
type Call struct {
	ID        string          // made up by the runtime
	Tool      string          // name of the tool
	Arguments json.RawMessage // as the model gave them; an object by the time that Tools sees them
	Origin    any             // passed to Tools unchanged
}

// Work asks Tools for something that isn't reported as a call.
type Work struct{ Origin any }

// Parallel is several turns at once. It is over when all of them are.
type Parallel struct{ Branches []Turn }

// Delegation hands work to another agent.
type Delegation struct {
	AgentType string          // for readers
	Model     Model           // of the sub-agent
	Result    json.RawMessage // returned if the agent has no output; nil for null
	Timeout   time.Duration   // 0 for none
}

// Stop is the reason for which a model stopped.
type Stop struct{ Reason string }

// Output is the value that the agent returns. It is the last event of the last step.
type Output struct{ Value json.RawMessage }

func (Text) event()       {}
func (Reasoning) event()  {}
func (Call) event()       {}
func (Work) event()       {}
func (Parallel) event()   {}
func (Delegation) event() {}
func (Stop) event()       {}
func (Output) event()     {}

// Tools runs the calls of a model. Every method may be called concurrently.
type Tools interface {
	// Gate returns whether the user has to approve a call, and whether the client runs it. If it fails, the call needs
	// consent.
	Gate(ctx context.Context, c Call) (Way, error)
	// Execute runs a call. Its error is the tool's, and doesn't fail the agent.
	Execute(ctx context.Context, c Call, env Env) (result json.RawMessage, err error)
	// Work performs work of the model without a call. Its error is the agent's.
	Work(ctx context.Context, w Work, env Env) error
}

// Way describes how a call is performed. The zero value runs it here at once.
type Way struct {
	Consent bool // the user has to approve it first
	Client  bool // the client runs it
}

// Waiter waits for barriers.
type Waiter interface {
	// Wait returns when the barrier has been released, at once if that was before. Its error is the context's.
	Wait(ctx context.Context, barrier string) error
}

// Env lets a tool affect the run. State that it writes belongs to its agent, and is staged until the step ends.
type Env interface {
	Waiter
	// Emit sends a data event of the application; nil data is null.
	Emit(ctx context.Context, name string, data json.RawMessage) error
	Set(ctx context.Context, key string, value json.RawMessage) error
	// Append adds items to the list at key, which it creates. It is an error if something else is there.
	Append(ctx context.Context, key string, items []json.RawMessage) error
	Delete(ctx context.Context, key string) error
}

// Clock returns the time and makes timers.
type Clock interface {
	Now() time.Time
	// AfterFunc runs f once, later, unless stop is called before.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// IDs makes names up. Every one it returns is new. Its methods may be called from several goroutines at once.
type IDs interface {
	// New names a "session", "run", "step" or "call".
	New(kind string) string
	// Checkpoint names a checkpoint of a session.
	Checkpoint(session string, stepCount int, at time.Time) string
}

// Checkpoint is a session after some steps.
type Checkpoint struct {
	ID           string                     // unique in the server
	StepCount    int                        // steps completed
	MessageCount int                        // messages of the agent by then
	Sequence     int64                      // of its checkpoint_created; 0 if it wasn't announced
	State        map[string]json.RawMessage // of the root agent
	Next         int                        // the model's step to go on with, counted from 0
	Output       json.RawMessage            `json:",omitempty"` // output of a Recalling model since the checkpoint before
}

// Checkpoints stores checkpoints by stream.
type Checkpoints interface {
	Save(ctx context.Context, stream string, c Checkpoint) error
	// Load finds a checkpoint; the empty id means the latest one.
	Load(ctx context.Context, stream, id string) (c Checkpoint, found bool, err error)
	// Discard removes the records that are later than a checkpoint.
	Discard(ctx context.Context, stream, after string) error
	// Forget forgets a stream.
	Forget(stream string)
}

// Writer identifies the writer of chunks in a journal.
type Writer struct {
	Stream  string // whose journal it is
	Session string // the agentId of the root agent
	Run     string // of its executor
	Token   int64  // the fencing token of its executor
}

// Status reports whether a stream waits for a user or client.
type Status string

// The statuses that a session gives its stream.
const (
	StreamActive Status = "active"
	StreamPaused Status = "paused"
)

// Journal is the log that readers read. Calls for one session are sequential.
type Journal interface {
	// Open makes a stream ready to be written to, and creates it if need be.
	Open(ctx context.Context, stream string) error
	// Append writes chunks next to each other, all or none, and returns their sequences.
	Append(ctx context.Context, w Writer, chunks []Chunk) ([]int64, error)
	// Cleanup removes the chunks whose step is greater than stepCount.
	Cleanup(ctx context.Context, w Writer, stepCount int) error
	SetStatus(ctx context.Context, w Writer, status Status) error
	// End finishes the stream well; nil is no output.
	End(ctx context.Context, w Writer, finalOutput json.RawMessage) error
	Fail(ctx context.Context, w Writer, message, code string) error
	// Close is called when a session no longer writes to its stream.
	Close(stream string)
}

// ErrFenced is the error of a call in the name of an executor whose session another one has taken over.
var ErrFenced = errFenced

// Handover stores the data with which another process can take a session over. Its methods may be called concurrently.
type Handover interface {
	// Save stores a session, if the stored version is still the one before. Errors: ErrFenced if it isn't.
	Save(ctx context.Context, s StoredSession) error
	// Load finds a session by one of its runs.
	Load(ctx context.Context, run string) (s StoredSession, found bool, err error)
	// Fence refuses with ErrFenced whatever the writers of a stored session write from now on.
	Fence(ctx context.Context, s StoredSession) error
	// Forget forgets the session of a stream.
	Forget(ctx context.Context, stream string) error
}

// StoredSession is a session as of its last commit. Its checkpoints and runs are those of the save before, without those that were
// rolled back, and the new ones; none of them ever changes.
type StoredSession struct {
	Version      int64                      // counts the checkpoints, from 1
	Stream       string                     // unique: a stream has one session at a time
	Writers      []string                   // ids of the stream's writers, the saver's last; only the Handover reads those before
	AgentType    string                     // of the root agent
	Source       json.RawMessage            // of the model
	OutputSchema json.RawMessage            `json:",omitempty"` // nil for none
	Session      string                     // the agentId of the root agent
	Runs         []string                   // the last one is at work
	Token        int64                      // fencing token of the executor that stored it
	Clock        int64                      // timestamp of the latest chunk
	State        map[string]json.RawMessage // the initial one; every checkpoint has another
	Steps, Next  int                        // committed; Next is the model's step to go on with
	Output       json.RawMessage            `json:",omitempty"` // nil for none
	Checkpoints  []Checkpoint               // oldest first
}
