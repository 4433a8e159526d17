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

// sweep is the proof that a stream survives disconnects: the messages of one uninterrupted read, and the result of the
// reads with disconnects.
type sweep struct {
	w        *world.World     // the scenario
	stream   *world.Stream    // that every connection reads
	messages []*world.Message // chunks and the terminal frame, in order
	sizes    []int64          // bytes of each message's frame
	prelude  int64            // bytes before the first message
	took     time.Duration    // duration of the uninterrupted read

	whileWriting *disconnectingClient // the client that was disconnected while others wrote, nil if there was none

	mu      sync.Mutex           // guards all below
	reads   int                  // connections that were checked
	tried   []disconnect         // disconnects of all clients
	failure *disconnectingClient // the client that failed first, shrunk at the end; nil for none
	err     error                // the first that isn't about what a client received
}

// disconnect is a position at which a connection is closed: after so many bytes of a frame. 0 bytes are the end of the
// frame before.
type disconnect struct {
	frame int   // index in messages
	bytes int64 // of the frame that were received
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

// sweeps reads a finished stream with disconnects, each list of them with another client.
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

// uninterrupted reads a finished stream without a disconnect.
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

// toTheEnd reads the messages of a client that is never disconnected, to the terminal frame.
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
		if len(sw.messages) == 0 {
			sw.prelude = m.Frame.Offset
		}
		sw.messages = append(sw.messages, m)
		sw.sizes = append(sw.sizes, int64(len(m.Frame.Raw)))
	}
	return sw, nil
}

// everywhere returns a list for each byte of the longest frame: disconnects at that byte of every frame.
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

// atSplitPoints returns as many lists as the frame with the most split points has: disconnects at another split point
// of every frame.
func (sw *sweep) atSplitPoints() [][]disconnect {
	var all [][]disconnect
	for i, m := range sw.messages {
		for n, seam := range client.SplitPoints(m.Frame.Raw) {
			if n == len(all) {
				all = append(all, nil)
			}
			all[n] = append(all[n], disconnect{i, int64(seam.At)})
		}
	}
	return all
}

// drawn returns so many lists, each of which disconnects in about every second frame, one to three times at the same
// byte. Split points are drawn more often.
func (sw *sweep) drawn(clients int) [][]disconnect {
	r := rand.New(rand.NewPCG(uint64(sw.w.Env().Seed), 1))
	var all [][]disconnect
	for range clients {
		var cuts []disconnect
		for i, m := range sw.messages {
			at := r.Int64N(sw.sizes[i])
			if seams := client.SplitPoints(m.Frame.Raw); len(seams) > 0 && r.IntN(3) == 0 {
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
	// sweepers is the number of clients that read concurrently.
	sweepers = 4
	// longestWait is about how long a sweep of a remote server may take.
	longestWait = 3 * time.Second
)

// affordable drops lists of disconnects where connections are slow. The seed selects them.
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

// playAll plays the lists concurrently until a client fails.
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

// unchanged returns the failure of the sweep, nil if the disconnects changed nothing.
func unchanged(w *world.World) error {
	sw := world.Get[*sweep](w)
	if sw == nil {
		return steps.Faultf("no client was cut")
	}
	if sw.whileWriting != nil && sw.failure == nil {
		// The stream isn't finished before this step, so that its end is compared as well.
		entire, err := toTheEnd(w, w.Clients["uninterrupted client"])
		if err != nil {
			return err
		}
		if err := sw.whileWriting.compareAll(entire); err != nil {
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

// disconnectWhileWriting disconnects a client of a stream while two writers write: both write during each reconnection.
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
		events := 2*min(written+burst, each) - len(sw.whileWriting.got) // stored, or written in this round
		if events = max(0, events-r.IntN(3)); r.IntN(4) == 0 {
			events = 0
		}
		err := sw.whileWriting.readN(events, 1+r.Int64N(80), rd)
		if failed := wait(); failed != nil {
			return failed
		}
		var failure *steps.Failure
		if errors.As(err, &failure) { // the Then reports it
			sw.failure = sw.whileWriting
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// burst is the number of events that a writer writes while a client reconnects, so that one of them is written between the replay
// and the live events.
const burst = 2

// writeBoth has each writer write some events and returns a function that waits for them. A begins at once, B when the
// client has sent its request.
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
