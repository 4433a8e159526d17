package play

import (
	"time"

	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"

	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// operations groups the operations of a play by subject.
type operations struct {
	concurrent  concurrent
	changes     changes
	crashKind   crashKind
	bounds      bounds
	inspections inspections
	cursorOps   cursorOps
	readerOps   readerOps
	runs        runs
	outputs     outputs
}

// newPlay returns a play that hasn't performed an operation.
func newPlay(session *target.Session, t *target.Target, program program.Program, o Options) *play {
	p := &play{session: session, target: t, options: o, program: program, occasionCounts: model.OccasionCounts{}}
	p.calls, p.unauthorized = caller{session, p.occasionCounts}, unauthorized{session, t, p.occasionCounts}
	p.operations = operations{
		concurrent{p}, changes{p}, crashKind{p}, bounds{p}, inspections{p}, cursorOps{p}, readerOps{p}, runs{p}, outputs{p},
	}
	return p
}

// Proven has the largest values that the server was seen to accept and deliver.
type Proven struct{ Events, Bytes, Readers int }

// Options control how a program is played.
type Options struct {
	// Judge returns what the judge of the pack finds in an exchange; nil finds nothing.
	Judge func(*record.Exchange) []record.Finding
	// By is the time after which no further operation starts; zero for never.
	By time.Time
}

// play performs operations and keeps the model.
//
// Invariants: streams[i] is stream i of program, also after it was deleted and made again under another id. The models of all
// streams count their occasions in one map. Each counter only grows, but for bytes.
type play struct {
	session        *target.Session
	target         *target.Target
	options        Options
	program        program.Program
	occasionCounts model.OccasionCounts
	streams        []*stream
	calls          caller
	unauthorized   unauthorized
	terminalCalls  int // calls that ended or failed a stream
	ends           int // of these, those by end
	failed         int // of these, those by fail
	bytes          int // about how many bytes readers received, or will, since all had received every expected frame
	proven         Proven
	sure           bool // a refusal wasn't for load
	races          int
	resets         int // requested resets
	states         int // initial states that were set
	kills          int
	removed        int               // deleted streams
	turns          int               // operations that let a run continue
	readerSlots    int               // readers that might have attached to another replica
	stays          bool              // readers attach to the first replica only
	invalidCalls   int               // calls that must be refused or have no effect
	duplicated     int               // calls that two clients may have made concurrently
	rejectedBatch  int               // arrays that must be refused
	pages          int               // requested snapshots
	connects       int               // connections so far, which select the spelling of the request's headers
	requested      int               // readers that resumed after the terminal frame
	others         map[string]string // query parameters that a cursor may accompany; nil before they were tried
	operations
}

// stream is a stream of a program.
type stream struct {
	*streammodel.Stream
	id           string
	writers      map[int]string
	readers      map[int]*reader // by slot
	size         int64           // bytes of its chunks
	runProgress  *runProgress    // of the run that writes it, nil if writers do
	former       map[string]bool // checkpoints of its earlier runs
	made         bool            // a run has created it
	initialState string          // initial state as JSON; "" for none
	largest      int             // bytes of the largest chunk
	closed       []string        // ids of closed writers
	beyondCursor []*beyondCursor // readers with a cursor beyond the latest event
	came         map[int64]came  // by id, for a stream that a run writes
}

// reader is a client and the frames that the model expects it to receive.
type reader struct {
	*streammodel.Reader
	s              *stream
	conn           *target.Reader // nil while it is disconnected
	over           string         // transport: "", "gzip" or "HTTP/2"
	stalled        bool
	head           bool // the head of the response was received
	onOtherReplica bool // attached to another replica
}

// readerOps are the operations of readers.
type readerOps struct{ *play }

// runProgress is a run on the server's runtime, from its start to the reset of its stream.
type runProgress struct {
	*runmodel.Run
	id           string
	state        runState // of the last answer
	before       int64    // the highest id that was sent before it began
	log          []*streammodel.Produced
	call         *target.Exchange   // the last request of its state
	streamStatus streammodel.Status // the stream's status in the last StreamInfo; "" if none was requested
	inspections  int                // inspections so far
	delayed      bool               // a reader timed out on its chunks
	gone         int64              // the latest sequence at the last removal
}

// runState is the answer to a request for a run.
type runState struct {
	Status     runmodel.Status `json:"status"`
	Barrier    string          `json:"barrier"`
	ToolCallID string          `json:"toolCallId"`
}

// runs are the operations on runs.
type runs struct{ *play }

// came is a received frame and its chunk.
type came struct {
	data  []byte
	chunk *streammodel.Produced
}

// outputs compares the chunks of runs with the model.
type outputs struct{ *play }

// beyondCursor is a reader with a cursor above every id of the stream.
type beyondCursor struct {
	conn  *target.Reader
	text  string
	large bool    // the cursor has more digits than ids usually have
	from  float64 // the cursor
}

// cursorOps has the operations with invalid cursors, connections that end at a byte, and deleted streams.
type cursorOps struct{ *play }

// changes has the operations that change a stream without writing to it.
type changes struct{ *play }

// concurrent has the operations of two clients at the same time.
type concurrent struct{ *play }

// unauthorized makes requests that a server must deny, or answer with 404.
type unauthorized struct {
	session *target.Session
	target  *target.Target
	counts  model.OccasionCounts
}

// inspections compares StreamInfo and snapshots with the model.
type inspections struct{ *play }

// crashKind has the operations that kill the server and start it again.
type crashKind struct{ *play }

// bounds has the operations at and beyond the declared limits.
type bounds struct{ *play }

func (c *runProgress) path(how string) string {
	return "/runs/" + target.EscapeSegment(c.id) + "/" + how
}

// next returns the operation that lets the run continue; who selects among several waits.
func (c *runProgress) next(who int) program.Operation {
	switch _, consent := c.Calls(); {
	case c.Status() == runmodel.Interrupted:
		return program.Operation{Kind: program.GoBack, Script: data.ResumeModes[who%len(data.ResumeModes)]}
	case len(c.Barriers()) > 0:
		return program.Operation{Kind: program.Release, Who: who}
	case len(consent) > 0 && consent[who%len(consent)] && who%3 == 0:
		return program.Operation{Kind: program.Deny, Who: who}
	case len(consent) > 0 && consent[who%len(consent)]:
		return program.Operation{Kind: program.Approve, Who: who}
	}
	return program.Operation{Kind: program.HandIn, Who: who, Script: data.CallResults[who/2%len(data.CallResults)]}
}
