package sweep

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// sweep is the proof that a stream survives cuts: what one read brought that
// nobody cut, and what came of reads that were.
type sweep struct {
	w       *world.World
	stream  *world.Stream
	whole   []*world.Message // chunks and the terminal frame, in order
	sizes   []int64          // how many bytes each of them took
	prelude int64            // bytes before the first of them
	took    time.Duration

	whileWriting *disconnectingClient // the read that was cut while others wrote, nil if there was none

	mu      sync.Mutex
	reads   int          // connections that were looked at
	tried   []disconnect // by all clients
	failure *disconnectingClient
	err     error
}

// disconnect is a place at which a connection is closed: after so many bytes of a frame.
// 0 bytes are the end of the frame before.
type disconnect struct {
	frame int // index in the whole
	bytes int64
}

// Sentences registers the sentences on streams whose readers are disconnected again and again.
func Sentences(v *steps.Sentences[*world.World]) {
	steps.Step1(v, features.Given, `^a stream that says ("[^"]+"(?:, "[^"]+")*)$`, func(w *world.World, list string) error {
		s, err := w.NewStream("", w.Session().NewStream())
		if err != nil {
			return err
		}
		return say(s, strings.Split(list, ", "))
	})
	steps.Step0(v, features.When, `^a client is cut at every byte$`, world.OnStream0(func(s *world.Stream) error {
		return sweeps(s, (*sweep).everywhere)
	}))
	steps.Step0(v, features.When, `^a client is cut inside every character and behind every line$`, world.OnStream0(func(s *world.Stream) error {
		return sweeps(s, (*sweep).atSplitPoints)
	}))
	steps.Step1(v, features.When, `^(\d+) clients are cut where the seed says, once or again and again$`, world.OnStream1(func(s *world.Stream, n int) error {
		return sweeps(s, func(sw *sweep) [][]disconnect { return sw.drawn(n) })
	}))
	steps.Step1(v, features.Given, `^a client is cut again and again while writers "A" and "B" write (\d+) events each$`,
		world.OnStream1(disconnectWhileWriting))
	steps.Step0(v, features.Then, `^the cuts change nothing of what an uninterrupted read brings$`, unchanged)
}

// say writes an event for each text, which stands in quotes.
func say(s *world.Stream, texts []string) error {
	for i, text := range texts {
		members := map[string]any{"type": "text_delta", "delta": strings.Trim(text, `"`), "timestamp": s.World.Moment(i)}
		e := world.NewEvent("the event "+text, s.World.Chunk(members))
		s.Events = append(s.Events, e)
		if err := s.Write("", e); err != nil {
			return err
		}
	}
	return nil
}

// sweeps cuts reads of a finished stream, each list of cuts by a client of its own.
func sweeps(s *world.Stream, choose func(*sweep) [][]disconnect) error {
	sw, err := uninterrupted(s)
	if err != nil {
		return err
	}
	world.Put(s.World, sw)
	sw.playAll(sw.affordable(choose(sw)))
	if sw.failure != nil {
		sw.failure = sw.shrunk(sw.failure)
	}
	return sw.err
}

// uninterrupted reads a finished stream without a cut.
func uninterrupted(s *world.Stream) (*sweep, error) {
	c := &world.Client{World: s.World, Name: "uninterrupted client", Stream: s}
	began := time.Now()
	if err := c.Connect(target.ReadRequest{}); err != nil {
		return nil, err
	}
	sw, err := toTheEnd(s.World, c)
	if err == nil {
		sw.took = time.Since(began)
	}
	return sw, err
}

// toTheEnd takes in what a client reads that nobody cuts, to the end.
func toTheEnd(w *world.World, c *world.Client) (*sweep, error) {
	sw := &sweep{w: w, stream: c.Stream}
	for c.Terminal == nil {
		m, err := c.Next("a terminal frame")
		switch {
		case err != nil:
			return nil, c.Where(err)
		case m == nil:
			return nil, c.Differs("a terminal frame", nil)
		case m.Type == "truncated":
			continue
		}
		if len(sw.whole) == 0 {
			sw.prelude = m.Frame.Offset
		}
		sw.whole = append(sw.whole, m)
		sw.sizes = append(sw.sizes, int64(len(m.Frame.Raw)))
	}
	return sw, nil
}

// everywhere is one client for each byte of the longest frame, which is cut at
// that byte of every frame.
func (sw *sweep) everywhere() [][]disconnect {
	var all [][]disconnect
	for at := int64(0); ; at++ {
		var cuts []disconnect
		for i, size := range sw.sizes {
			if at < size && (at > 0 || i > 0) {
				cuts = append(cuts, disconnect{i, at})
			}
		}
		if len(cuts) == 0 {
			return all
		}
		all = append(all, cuts)
	}
}

// atSplitPoints is as many clients as the frame with the most seams has, each of which is
// cut at another of them in every frame.
func (sw *sweep) atSplitPoints() [][]disconnect {
	var all [][]disconnect
	for i, m := range sw.whole {
		for n, seam := range client.Seams(m.Frame.Raw) {
			if n == len(all) {
				all = append(all, nil)
			}
			all[n] = append(all[n], disconnect{i, int64(seam.At)})
		}
	}
	return all
}

// drawn is as many clients, each of which is cut in about every second frame, one
// to three times at the same place. Places where it matters most are drawn more
// often.
func (sw *sweep) drawn(clients int) [][]disconnect {
	r := rand.New(rand.NewPCG(uint64(sw.w.Env().Seed), 1))
	var all [][]disconnect
	for range clients {
		var cuts []disconnect
		for i, m := range sw.whole {
			at := r.Int64N(sw.sizes[i])
			if seams := client.Seams(m.Frame.Raw); len(seams) > 0 && r.IntN(3) == 0 {
				at = int64(seams[r.IntN(len(seams))].At)
			}
			if r.IntN(2) == 0 || i == 0 && at == 0 {
				continue
			}
			for range 1 + r.IntN(3) {
				cuts = append(cuts, disconnect{i, at})
			}
		}
		all = append(all, cuts)
	}
	return all
}

const (
	// sweepers is how many clients are cut at a time.
	sweepers = 4
	// longestWait is about how long a sweep may take of a server that is far away.
	longestWait = 3 * time.Second
)

// affordable leaves out clients where every connection takes long; which ones, the
// seed says.
func (sw *sweep) affordable(all [][]disconnect) [][]disconnect {
	var connections time.Duration
	for _, cuts := range all {
		connections += time.Duration(len(cuts) + 1)
	}
	whole := connections * sw.took / sweepers
	if whole <= longestWait {
		return all
	}
	rand.New(rand.NewPCG(uint64(sw.w.Env().Seed), 3)).Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return all[:max(1, int(int64(len(all))*int64(longestWait)/int64(whole)))]
}

// playAll lets clients be cut side by side until one finds something.
func (sw *sweep) playAll(all [][]disconnect) {
	client.Each(all, sweepers, sw.settled, func(cuts []disconnect) { sw.settle(sw.play(cuts)) })
}

func (sw *sweep) settled() bool {
	sw.mu.Lock()
	defer sw.mu.Unlock()
	return sw.failure != nil || sw.err != nil
}

func (sw *sweep) settle(cl *disconnectingClient, err error) {
	sw.mu.Lock()
	defer sw.mu.Unlock()
	sw.reads += cl.reads
	sw.tried = append(sw.tried, cl.cuts...)
	var failure *steps.Failure
	switch {
	case errors.As(err, &failure) && sw.failure == nil:
		sw.failure = cl
	case err != nil && failure == nil && sw.err == nil:
		sw.err = err
	}
}

// unchanged says what the cuts changed.
func unchanged(w *world.World) error {
	sw := world.Get[*sweep](w)
	if sw == nil {
		return steps.Faultf("no client was cut")
	}
	if sw.whileWriting != nil && sw.failure == nil {
		// The stream goes on until here, so that the end is compared, too.
		whole, err := toTheEnd(w, w.Clients["uninterrupted client"])
		if err != nil {
			return err
		}
		if err := sw.whileWriting.compareAll(whole); err != nil {
			return err
		}
		sw.reads = sw.whileWriting.reads
	}
	if sw.failure != nil {
		return sw.failure.failure
	}
	w.Saw(sw.reads)
	return nil
}

// disconnectWhileWriting cuts a client of a stream to which two writers write: each time
// it comes back, both are writing.
func disconnectWhileWriting(s *world.Stream, each int) error {
	witness, err := s.World.Attach("uninterrupted client", "", target.ReadRequest{})
	if err != nil {
		return err
	}
	if _, err := witness.Reader.Head(); err != nil {
		return witness.Where(err)
	}
	r := rand.New(rand.NewPCG(uint64(s.World.Env().Seed), 2))
	sw := &sweep{w: s.World, stream: s}
	sw.whileWriting = &disconnectingClient{sweep: sw, from: map[*world.Message]*target.Reader{}}
	world.Put(s.World, sw)
	for written := 0; written < each; written += burst {
		rd := make(chan *target.Reader, 1)
		wait := writeBoth(s, written, min(burst, each-written), rd)
		events := 2*min(written+burst, each) - len(sw.whileWriting.got) // that are there, or will be at once
		if events = max(0, events-r.IntN(3)); r.IntN(4) == 0 {
			events = 0
		}
		err := sw.whileWriting.readN(events, 1+r.Int64N(80), rd)
		if failed := wait(); failed != nil {
			return failed
		}
		var failure *steps.Failure
		if errors.As(err, &failure) { // for the Then to say
			sw.failure = sw.whileWriting
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// burst is how many events a writer writes while a client comes back, so that one
// of them meets the moment between the replay and what follows it.
const burst = 2

// writeBoth lets each writer write some events and returns what waits for them. A
// begins at once, B when the request of the client is on its way.
func writeBoth(s *world.Stream, written, more int, attached <-chan *target.Reader) (wait func() error) {
	done := make(chan error, 2)
	plan := map[string][]*world.Event{}
	for _, name := range []string{"A", "B"} {
		for n := written + 1; n <= written+more; n++ {
			label := name + "-" + strconv.Itoa(n)
			plan[name] = append(plan[name], world.NewEvent("event "+label, s.World.TextDelta("event "+label, n, world.AgentOf(name))))
		}
		s.Events = append(s.Events, plan[name]...)
	}
	for name, evs := range plan {
		go func() {
			if name == "B" {
				if rd := <-attached; rd != nil {
					rd.Sent()
				}
			}
			var err error
			for i := 0; i < len(evs) && err == nil; i++ {
				err = s.Write(name, evs[i])
			}
			done <- err
		}()
	}
	return func() error { return errors.Join(<-done, <-done) }
}
