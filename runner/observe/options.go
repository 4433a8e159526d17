package observe

import (
	"cmp"
	"errors"
	"io"
	"time"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/spec"
)

// Request describes how to request the stream.
type Request = client.Request

// StatusError reports that the answer is no stream.
type StatusError = client.StatusError

// Options configure how a stream is observed. The zero value of a field means its default.
type Options struct {
	// Packs are the candidates for the pack of a stream, at least one. A stream that nothing identifies counts as one of
	// the first.
	Packs   []pack.Pack
	Pack    string                          // name of one of them; "" recognises it from the events
	Profile *judge.Profile                  // nil recognises it from the events
	Route   string                          // name of the route, "" if it is unknown
	Load    func(pack string) (Pack, error) // loads the pack that was recognised; required
	For     time.Duration                   // bounds the first read, and a fifth of a sweep; 1 minute
	Limit   int64                           // bounds the bytes of a body; 64 MiB
	// Grace is the time that the server has for a head in a sweep, for the next required event, and to close the body after
	// the last; default 5 seconds.
	Grace time.Duration
	// Quiet is the silence after which a stream that goes on has sent all it had;
	// 1 second.
	Quiet time.Duration
	Save  io.Writer     // gets a capture; nil for none
	Sweep *SweepOptions // nil for the first read alone
}

// withDefaults fills in what isn't set. It copies the options of a sweep: those of the caller don't change.
func (o Options) withDefaults() Options {
	o.For = cmp.Or(o.For, time.Minute)
	o.Limit = cmp.Or(o.Limit, 64<<20)
	o.Grace = cmp.Or(o.Grace, 5*time.Second)
	o.Quiet = cmp.Or(o.Quiet, time.Second)
	if o.Sweep != nil {
		s := *o.Sweep
		s.Cuts, s.Concurrency = cmp.Or(s.Cuts, cutsByDefault), cmp.Or(s.Concurrency, readers)
		o.Sweep = &s
	}
	return o
}

// SweepOptions say where a sweep cuts.
type SweepOptions struct {
	Seed        int64   // selects cuts and cursors where there are more than Cuts
	Cuts        int     // most cuts at a byte, and most cursors; 500
	Concurrency int     // readers at a time; 8
	After       string  // only a resume after this event
	At          []int64 // bytes after which one reader disconnects; nil for the drawn ones
}

// readers is the number of readers of a sweep at a time, by default.
const readers = 8

// cutsByDefault is the number of cuts and cursors for a long stream.
const cutsByDefault = 500

// The reasons for which we end a read.
var (
	errFor   = errors.New("the time is over")
	errLimit = errors.New("the limit is reached")
	errGrace = errors.New("the body stays open")
	errQuiet = errors.New("nothing comes any more")
)

// capped fails with errLimit where more is sent than is read.
type capped struct {
	src  io.Reader
	left int64 // bytes that may still come; never negative
}

// Read implements io.Reader.
func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errLimit
	}
	n, err := c.src.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// A Pack is the part of a protocol that observing needs.
type Pack struct {
	Name    string
	Version string                            // of the suite
	Digest  string                            // of the suite's files
	Book    *spec.Book                        // with the requirements of the pack
	Machine func(judge.Options) judge.Machine // as in a [pack.Pack]
}
