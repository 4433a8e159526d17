package play

import (
	"time"

	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/model"
	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// env has what all parts of a play use.
//
// Invariants: streams[i] is stream i of program, also after it was deleted and made again under another id. The models of all
// streams count their occasions in counts.
type env struct {
	session *target.Session      // that makes all requests
	target  *target.Target       // of session
	options Options              // never change
	program program.Program      // never changes
	counts  model.OccasionCounts // by requirement
	streams []*stream            // made before the first operation
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

// stream is a stream of a program.
type stream struct {
	*streammodel.Stream
	id           string            // changes only when the stream is deleted and made again
	writers      map[int]string    // ids by number; closed writers are taken out
	readers      map[int]*reader   // by slot
	size         int64             // bytes of its chunks
	runProgress  *runProgress      // of the run that writes it, nil if writers do
	former       map[string]bool   // checkpoints of its earlier runs
	made         bool              // a run has created it
	initialState string            // initial state as JSON; "" for none
	largest      int               // bytes of the largest chunk
	closed       []string          // ids of closed writers
	beyondCursor []*beyondCursor   // readers with a cursor beyond the latest event
	came         map[int64]came    // by id, for a stream that a run writes
	finished     bool              // the last operation finished it
	others       map[string]string // query parameters that a cursor may accompany; nil before they were tried

	// Counts that make texts and chunks unique.
	terminalCalls, races, removed int
}

// reader is a client and the frames that the model expects it to receive.
type reader struct {
	*streammodel.Reader
	s              *stream        // in whose readers it is
	conn           *target.Reader // nil while it is disconnected
	over           string         // transport: "", "gzip" or "HTTP/2"
	stalled        bool           // it doesn't read its body now
	head           bool           // the head of the response was received
	headers        string         // of HeaderForms
	replica        int            // to which it should attach, 0 for the first
	onOtherReplica bool           // attached to another replica
}

// runProgress is a run on the server's runtime, from its start to the reset of its stream.
type runProgress struct {
	*runmodel.Run
	id           string                  // of the run, assigned by the server
	state        runState                // of the last answer
	before       int64                   // the highest id that was sent before it began
	log          []*streammodel.Produced // chunks that the run has written so far, in order
	call         *target.Exchange        // the last request of its state
	streamStatus streammodel.Status      // the stream's status in the last StreamInfo; "" if none was requested
	delayed      bool                    // a reader timed out on its chunks
	gone         int64                   // the latest sequence at the last removal
}

// runState is the answer to a request for a run.
type runState struct {
	Status     runmodel.Status `json:"status"`     // as the server names it
	Barrier    string          `json:"barrier"`    // at which the run waits; "" for none
	ToolCallID string          `json:"toolCallId"` // of the call that waits; "" for none
}

// came is a received frame and its chunk.
type came struct {
	data  []byte                // as it first came
	chunk *streammodel.Produced // decoded data
}

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

// beyondCursor is a reader with a cursor above every id of the stream.
type beyondCursor struct {
	conn  *target.Reader // waits until the stream passes the cursor
	text  string         // the cursor as it was sent
	large bool           // the cursor has more digits than ids usually have
	from  float64        // the cursor
}
