package draw

import (
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// choices is the state of a draw that gives operations one of several ways, and inserts requests between them.
type choices struct {
	r      *rand.Rand                   // of the program
	claims func(capability string) bool // reports whether the target claims a capability
	names  bool                         // the streams have similar ids, of which a server may refuse some
	n      map[program.Kind]int         // operations of a kind so far
	of     []written                    // by stream
	out    []program.Operation          // the operations with their choices so far
}

// written describes a stream after the operations so far, if the server has performed each.
type written struct {
	chunks   int  // accepted so far
	closed   int  // writers
	finished bool // by an end or a failure
}

// add appends operations that a server with the claimed capabilities can perform.
func (c *choices) add(operations ...program.Operation) {
	for _, o := range operations {
		if needs := program.Needs[o.Kind]; needs == "" || c.claims(needs) {
			c.out = append(c.out, o)
		}
	}
}

// count returns how many operations of a kind came before this one.
func (c *choices) count(k program.Kind) int {
	c.n[k]++
	return c.n[k] - 1
}

// chosen returns a program with choices: the ways in which its operations are performed, the initial states of its
// streams, and the requests that a client makes between operations. Each way has its turn.
func chosen(r *rand.Rand, p program.Program, claims func(capability string) bool) program.Program {
	if len(p.Operations) == 0 {
		return p
	}
	c := &choices{r: r, claims: claims, names: p.Names != "", n: map[program.Kind]int{}, of: make([]written, p.Streams)}
	for i := range p.Streams {
		if !p.Runs && !c.names && ((len(p.Operations)+i)%2 == 0 || p.Operations[0].Kind == program.Kill) {
			c.states(i, len(p.Operations))
		}
	}
	for _, o := range p.Operations {
		if p.Runs {
			c.ofRun(o)
			continue
		}
		c.ofStream(o)
		if !c.names {
			c.requests()
		}
	}
	for i, s := range c.of {
		o := program.Operation{
			Kind: program.Finish, Stream: i, Who: 1, Amid: campaign.Pick(r, program.End, program.Fail), Cursor: r.IntN(2 + s.chunks), First: r.IntN(2) == 0,
			Over: campaign.Pick(r, "", "gzip", "HTTP/2"), Query: campaign.Pick(r, "", "query", "both", "another", "neither", "beside"), Headers: c.headers(),
		}
		if r.IntN(3) == 0 {
			o.Cursor = 1 + r.IntN(3)
		}
		c.add(o)
	}
	p.Operations = c.out
	return p
}

// headers returns the client whose headers the next reader sends: each in turn, and none in three of seven cases.
func (c *choices) headers() string {
	return [...]string{"a page", "curl", "", "", "a library", "a traced client", ""}[c.count("headers")%7]
}

// attached chooses the headers of a reader, and another replica for every third one.
func (c *choices) attached(o *program.Operation) {
	o.Headers = c.headers()
	if c.count("replica")%3 == 2 && c.claims("replicas") {
		o.Replica = 2
	}
}

// remove has every second deletion come with a request for a stream whose id objects of some languages inherit.
func (c *choices) remove(o *program.Operation) {
	if n := c.count(o.Kind); n%2 == 1 {
		o.Class = data.InheritedNames[n/2%len(data.InheritedNames)]
	}
}

// ofStream adds an operation on a stream that writers write, with its choices.
func (c *choices) ofStream(o program.Operation) {
	s := &c.of[o.Stream]
	switch o.Kind {
	case program.Write:
		s.chunks += o.Count
	case program.Race:
		s.chunks += o.Who * o.Count
		o.Most = 1 + c.r.IntN(1000)
	case program.CloseWriter:
		o.Twice = c.count(o.Kind)%2 == 0
		s.closed++
	case program.Reset:
		c.reset(o)
		return
	case program.Remove:
		c.remove(&o)
		*s = written{chunks: 2}
	case program.RejectBatch:
		o.Who = 1 + (5*c.count(o.Kind)+c.r.IntN(2)*o.Count)%len(data.InvalidChunks)
	case program.Attach, program.Resume:
		c.attached(&o)
	case program.End, program.Fail:
		s.finished = true
		c.over(&o)
	case program.Snapshot:
		c.snapshot(o)
		return
	}
	c.add(o)
}

// snapshot adds a request for a snapshot: every fourth while another client requests one, and of a finished stream every
// second without partial content.
func (c *choices) snapshot(o program.Operation) {
	n := c.count(program.Snapshot)
	if c.of[o.Stream].finished && n%2 == 1 {
		o.Kind = program.SnapshotWithoutPartial
	} else {
		o.Twice = n%4 == 3
	}
	c.add(o)
}

// over chooses the text, the output or code of a terminal call, and whether another one follows.
func (c *choices) over(o *program.Operation) {
	n := c.count("over")
	switch {
	case o.Class == program.EveryClass: // dozens of ends have all texts of the catalogue
		o.Cursor = 5*n + c.of[o.Stream].chunks
	case o.Class != program.ASCIIText:
		o.Cursor = c.of[o.Stream].chunks
	case n%3 == 1:
		o.Size = 320 << (n % 7) // up to about 20 KiB
	}
	if o.Kind == program.End {
		o.Count = c.r.IntN(200)
	} else if c.count(o.Kind)%3 != 1 { // a failure without a code comes after one with a code
		o.Code = data.FailureCodes[n%len(data.FailureCodes)]
	}
	if o.Code == "" && (o.Kind == program.Fail || data.FinalOutput(o.Count, "") == nil) { // the next call has what the first one left out
		o.After = []program.Kind{program.End, program.Fail}[n%2]
	}
}

// reset adds a reset: of a finished stream most come after a reader, whose answer changes, and every fourth with
// initial states after it.
func (c *choices) reset(o program.Operation) {
	s := &c.of[o.Stream]
	n := c.count(program.Reset)
	if s.finished && (n%2 == 1 || c.r.IntN(2) == 0) {
		c.add(program.Operation{Kind: program.Resume, Stream: o.Stream, Who: 1, Cursor: program.Terminal, Query: campaign.Pick(c.r, "", "query")})
	}
	c.add(o)
	s.finished = false
	if n%4 == 0 && !c.names {
		c.states(o.Stream, n)
	}
}

// initialState is an initial state of streams that writers write. Patches change some of its members.
const initialState = `{"k":{"in":[null]},"list":["",[]],"a/b":0,"kept":{"":"","-":[],"constructor":{}}}`

// bare lists states that aren't an object, or are falsy or empty.
var bare = []string{`null`, `false`, `0`, `""`, `[]`, `{}`, `[{"k":1}]`, `"text"`, `-1.5e3`, `true`}

// states adds initial states of a stream without chunks, and a snapshot after the first one.
func (c *choices) states(stream, at int) {
	states := []string{initialState}
	n := c.count(program.SetState)
	if n%2 == 1 {
		states = []string{`{"k":1,"before":{"in":[]}}`, initialState}
	}
	page := program.Operation{Kind: program.Snapshot, Stream: stream}
	if at += n; at%3 > 0 {
		states = append([]string{bare[at%len(bare)]}, states...)
		c.add(page) // has none of the next state
	}
	if c.of[stream].chunks > 0 { // another state than before
		states = append(states, `{"k":{"in":[1]},"list":[],"since":null}`)
	}
	for i, text := range states {
		c.add(program.Operation{Kind: program.SetState, Stream: stream, State: text})
		if i == 0 {
			c.add(page)
		}
	}
}

// mostCompared is about the most chunks of a stream of which snapshots are requested between operations.
const mostCompared = 2000

// requests sometimes adds requests for every stream: a change of one must not affect another.
func (c *choices) requests() {
	info, snapshot, closed := c.r.IntN(5) == 0, c.r.IntN(12) == 0, c.r.IntN(5) == 0
	for i, s := range c.of {
		if info {
			c.add(program.Operation{Kind: program.Info, Stream: i})
		}
		if snapshot && s.chunks < mostCompared {
			c.snapshot(program.Operation{Kind: program.Snapshot, Stream: i})
		}
		if closed && s.closed > 0 {
			c.add(program.Operation{Kind: program.WriteClosed, Stream: i, Who: 1 + c.r.IntN(s.closed), Count: 1 + c.r.IntN(2)})
		}
	}
}

const (
	// snapshotEvery is the number of calls of runs of which one has a snapshot after it.
	snapshotEvery = 5
	// readAllEvery is the number of them of which one has all chunks read again.
	readAllEvery = 9
)

// unsteering lists the kinds of operations after which no run has written more.
var unsteering = []program.Kind{program.Attach, program.Leave, program.Resume, program.Receive, program.Info, program.Snapshot, program.SnapshotWithoutPartial, program.Reset, program.Remove}

// ofRun adds an operation on a stream that runs write, with its choices.
func (c *choices) ofRun(o program.Operation) {
	switch o.Kind {
	case program.Start, program.GoBack:
		o.Twice = c.count("twice")%3 == 1
	case program.GoOn:
		n := c.count(o.Kind) + 1
		o.Who = 7 * n % mostChoices
		if n%3 == 0 { // only an answer may let a waiting run go on
			c.ofRun(program.Operation{Kind: program.MakeInvalidCalls, Stream: o.Stream})
		}
	case program.MakeInvalidCalls:
		o.Who = (c.count(o.Kind) + 1) % mostChoices
	case program.Interrupt:
		o.Class = [...]string{"", "short", "", "long"}[c.count(o.Kind)%4]
	case program.Remove:
		c.remove(&o)
	case program.Attach, program.Resume:
		o.Headers = c.headers()
	}
	c.add(o)
	if slices.Contains(unsteering, o.Kind) {
		return
	}
	n := c.count("steered")
	if n%snapshotEvery == 1 {
		kind := []program.Kind{program.SnapshotWithoutPartial, program.Snapshot}[n/snapshotEvery%2]
		c.add(program.Operation{Kind: kind, Stream: o.Stream})
	}
	if n%readAllEvery == readAllEvery-1 {
		c.add(program.Operation{Kind: program.ReadAll, Stream: o.Stream})
	}
}

// mostChoices is above the number of calls that a run distinguishes.
const mostChoices = 840
