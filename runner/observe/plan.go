package observe

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/wire"
)

// sweep is the proof that a stream resumes.
type sweep struct {
	request     Request      // of the first read; cursors are added to it
	o           Options      // with defaults
	rd          *reading     // over, and only read
	resume      *pack.Resume // nil where there is nothing to sweep
	base        *baseline    // of all events that must come again
	connections atomic.Int64 // made so far, for the result
	out         *Sweep       // of the first read's result
	rested      bool         // a reader that was alone was refused to the end

	mu        sync.Mutex     // guards all below
	failures  []*failure     // before conclude makes findings of them
	slow      int            // failures by a timeout: each costs a grace
	undecided map[string]int // by reason
}

// A plan is one reader: where it begins, and after how many bytes of each response
// it disconnects. After the last one it reads on to the end.
type plan struct {
	after string  // id of the event that it begins after; "" for the start
	cuts  []int64 // in bytes, one for each connection but the last
}

// A failure is a violation that a plan found.
type failure struct {
	plan        plan   // that shows it
	requirement string // id of the rule that it breaks
	message     string
	want, got   string
	frame       *wire.Frame // nil if it is about no frame
	cursor      *string     // of the connection that shows it; nil for none
	slow        bool        // it was found by a timeout
	refused     bool        // with a status
	fromStart   bool        // the stream came from its first event, whatever the cursor
}

// undecided is the error of an inconclusive connection.
type undecided struct{ why string }

// Error implements error.
func (u *undecided) Error() string { return u.why }

// rerun returns the command that plays one plan again.
func (s *sweep) rerun(p plan) string {
	words := []string{"streamcert", "observe", "--sweep"}
	if p.after != "" {
		words = append(words, "--after", report.Shell(p.after))
	}
	if len(p.cuts) > 0 {
		var cuts []string
		for _, at := range p.cuts {
			cuts = append(cuts, strconv.FormatInt(at, 10))
		}
		words = append(words, "--cut", strings.Join(cuts, ","))
	}
	words = append(words, s.request.Flags()...)
	return strings.Join(append(words, report.Shell(client.Shown(s.request.URL))), " ")
}
