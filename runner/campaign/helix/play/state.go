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

// operations are those of a play, by what they are about.
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

// newPlay returns a play of a program that has not begun.
func newPlay(session *target.Session, t *target.Target, program program.Program, o Options) *play {
	p := &play{session: session, target: t, options: o, program: program, ledger: model.Ledger{}}
	p.calls, p.unauthorized = caller{session, p.ledger}, unauthorized{session, t, p.ledger}
	p.operations = operations{
		concurrent{p}, changes{p}, crashKind{p}, bounds{p}, inspections{p}, cursorOps{p}, readerOps{p}, runs{p}, outputs{p},
	}
	return p
}

// Proven is the largest of each that a server was seen to take and to deliver.
type Proven struct{ Events, Bytes, Readers int }

// Options are how a program is played.
type Options struct {
	// Judge returns what the judge of the pack finds in an exchange; nil finds nothing.
	Judge func(*record.Exchange) []record.Finding
	// By is when no further operation is begun; zero for never.
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
	ledger         model.Ledger
	streams        []*stream
	calls          caller
	unauthorized   unauthorized
	serverRestarts int // that streams have ended
	ends           int // of these, for which an output was drawn
	failed         int // of these, by a failure
	bytes          int // that readers were or will be sent since the last time that all received what was due, about
	proven         Proven
	sure           bool // a refusal isn't one of the server's load
	races          int
	resets         int // that were asked for
	states         int // with which streams were to begin
	kills          int
	removed        int               // streams that were deleted
	turns          int               // that let a run go on
	readerSlots    int               // that might have been taken on another replica
	stays          bool              // readers come where others have left
	meddled        int               // calls that must be refused
	pairs          int               // calls that two clients may have made at once
	rejectedBatch  int               // arrays that must be
	pages          int               // snapshots that were asked for
	connects       int               // readers that came so far, which say what they take in one way after the other
	requested      int               // readers that have everything, and come again
	others         map[string]string // of a query, that a cursor may stand beside; nil before they were tried
	operations
}

// stream is one of a program.
type stream struct {
	*streammodel.Stream
	id           string
	writers      map[int]string
	readers      map[int]*reader // by slot
	size         int64           // bytes that were written
	runProgress  *runProgress    // of the run that writes it, nil if clients do
	former       map[string]bool // checkpoints of its runs before that one
	made         bool            // a run has made it
	initialState string          // the state that its runs begin with, as JSON; "" for none
	largest      int             // bytes of a chunk
	closed       []string        // writers that were
	beyondCursor []*beyondCursor // readers whose cursor is beyond all
	came         map[int64]came  // of a stream that a run writes, by id
}

// reader is a client and what the model expects it to receive.
type reader struct {
	*streammodel.Reader
	s              *stream
	conn           *target.Reader // nil while it is away
	over           string         // how it is connected
	stalled        bool
	head           bool // it was answered
	onOtherReplica bool // it is attached to another replica
}

// readerOps are the operations of readers.
type readerOps struct{ *play }

// runProgress is a run on the server's own runtime, from its start to the reset of its stream.
type runProgress struct {
	*runmodel.Run
	id          string
	state       runState // as of the last answer
	before      int64    // the greatest id that was sent before it began
	log         []*streammodel.Produced
	call        *target.Exchange   // where it was asked for last
	word        streammodel.Status // of the stream, as StreamInfo said it last; "" if it wasn't asked for
	inspections int                // so far
	delayed     bool               // a reader waited in vain for what was written
	gone        int64              // the latest sequence when something was removed last
}

// runState is the answer to the call that asks for a run.
type runState struct {
	Status     runmodel.Status `json:"status"`
	Barrier    string          `json:"barrier"`
	ToolCallID string          `json:"toolCallId"`
}

// runs are the operations on runs.
type runs struct{ *play }

// came is a frame that a chunk came in.
type came struct {
	data  []byte
	chunk *streammodel.Produced
}

// outputs compare what runs have written with the model.
type outputs struct{ *play }

// beyondCursor is a reader whose cursor is greater than every id of the stream.
type beyondCursor struct {
	conn  *target.Reader
	text  string
	large bool    // it has more digits than ids usually have
	from  float64 // its cursor
}

// cursorOps are cursors beyond all events, connections that are cut at a byte, and streams that are deleted.
type cursorOps struct{ *play }

// changes are the operations that change a stream without writing to it.
type changes struct{ *play }

// concurrent has the operations of two clients at the same time.
type concurrent struct{ *play }

// unauthorized makes requests that a server must deny, or answer with 404.
type unauthorized struct {
	session *target.Session
	target  *target.Target
	counts  model.Ledger
}

// inspections compare what the server tells of a stream with the model.
type inspections struct{ *play }

// crashKind end the server, and begin it again.
type crashKind struct{ *play }

// bounds are operations on what a server declares to take, and beyond.
type bounds struct{ *play }

func (c *runProgress) path(how string) string {
	return "/runs/" + target.EscapeSegment(c.id) + "/" + how
}

// next returns the operation that lets the run go on; who selects one of several waits.
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
