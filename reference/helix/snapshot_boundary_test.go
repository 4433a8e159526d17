package helix_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// cutting takes snapshots of stream "s" and compares each with the accumulated chunks.
type cutting struct {
	testing.TB
	streams *store.Memory
	server  *helix.Handler
	edition int64
	taken   []taken // of this edition of the log, as far as they are looked at again
	wrong   []string
}

// taken is a snapshot with its request.
type taken struct {
	helix.Snapshot
	partial bool
}

func newCutting(t testing.TB, snapshot func(context.Context, helix.Take, helix.SnapshotRequest) (helix.Snapshot, error)) *cutting {
	c := &cutting{TB: t, streams: new(store.Memory)}
	c.server = helix.New(helix.Options{Store: c.streams, Snapshot: snapshot, Runtime: func(p runtime.Ports) runtime.Ports { return numbered(p) }})
	t.Cleanup(c.server.Close)
	return c
}

// call makes a control call or a request, and returns the answer.
func (c *cutting) call(method, path, body string) (int, []byte) {
	a, r := httptest.NewRecorder(), httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1"
	r.Header.Set("Content-Type", "application/json")
	c.server.ServeHTTP(a, r)
	return a.Code, a.Body.Bytes()
}

func (c *cutting) snapshot(partial bool) (s taken) {
	code, body := c.call(http.MethodGet, fmt.Sprintf("/streams/s/snapshot?includePartialContent=%t", partial), "")
	if err := json.Unmarshal(body, &s.Snapshot); code != http.StatusOK || err != nil {
		c.Fatalf("%d %s: %v", code, body, err)
	}
	s.partial = partial
	return s
}

func (c *cutting) log() store.Log {
	log, err := c.streams.Read(context.Background(), "s", store.Mark{})
	if err != nil {
		c.Fatal(err)
	}
	return log
}

// inspect takes a snapshot of both kinds, and compares them and some older ones with the stream. No writer is active
// meanwhile.
func (c *cutting) inspect() {
	c.Helper()
	log := c.log()
	if log.Edition != c.edition { // the chunks of older snapshots may be gone
		c.edition, c.taken = log.Edition, nil
	}
	c.taken = append(c.taken, c.snapshot(true), c.snapshot(false))
	if len(c.taken) > 8 {
		c.taken = append(c.taken[:2], c.taken[4:]...)
	}
	for i, s := range c.taken {
		c.compare(log, s, i >= len(c.taken)-2)
	}
}

// compare finds fault with a snapshot; fresh is for one that was taken of this very log.
func (c *cutting) compare(log store.Log, s taken, fresh bool) {
	c.Helper()
	events, start := loggedOf(log.Events), page{state: map[string]any{}}
	if log.Initial != nil {
		start.state = decoded(log.Initial)
	}
	whole, _ := start.read(events, 0)
	below, _ := start.read(upTo(events, s.StreamSequence), 0)
	shown := pageOf(s.Snapshot, below.root)
	if got, want := shown.String(), below.String(); got != want {
		c.fault("the snapshot at %d (partial %t) shows\n%s\nand the chunks up to there add up to\n%s", s.StreamSequence, s.partial, got, want)
		return
	}
	if sum, ok := shown.read(events[len(upTo(events, s.StreamSequence)):], s.StreamSequence); ok && sum.String() != whole.String() {
		c.fault("with what follows %d the snapshot (partial %t) becomes\n%s\nand the stream is\n%s", s.StreamSequence, s.partial, sum, whole)
		return
	}
	if !fresh {
		return
	}
	completed, open := bounds(events)
	switch {
	case s.partial && s.StreamSequence != log.LatestSequence:
		c.fault("a snapshot with partial content is of %d, not of %d", s.StreamSequence, log.LatestSequence)
	case !s.partial && s.StreamSequence < completed:
		c.fault("the snapshot is of %d, and a step that is complete goes to %d", s.StreamSequence, completed)
	case !s.partial && open > 0 && s.StreamSequence >= open:
		c.fault("the snapshot is of %d, and the open step began at %d", s.StreamSequence, open)
	}
}

func (c *cutting) fault(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// bounds returns where the last complete step of the root agent ends, and where the first open one begins; 0 for none.
func bounds(events []logged) (completed, open int64) {
	var waiting []logged
	root := ""
	for _, e := range effectiveOf(events) {
		kind, agent := e.word("type"), e.word("agentId")
		if root == "" || kind == "stream_resync" {
			root = agent
		}
		if agent != root && !e.terminal {
			continue
		}
		covered := func(logged) bool { return false }
		switch kind {
		case "text_delta", "thinking", "tool_start", "tool_end", "state_patch", "output":
			if kind != "state_patch" || e.number("step") >= 0 {
				waiting = append(waiting, e)
			}
		case "checkpoint_created":
			covered = func(w logged) bool { return w.number("step") <= e.number("stepCount") }
		case "step_committed":
			covered = func(w logged) bool { return e.number("step") < 0 || w.number("step") <= e.number("step") }
		}
		if e.terminal {
			covered = func(logged) bool { return true }
		}
		var left []logged
		for _, w := range waiting {
			switch {
			case kind == "step_discarded" && w.number("step") == e.number("step"):
			case covered(w):
				completed = max(completed, w.sequence)
			default:
				left = append(left, w)
			}
		}
		waiting = left
	}
	if len(waiting) > 0 {
		open = waiting[0].sequence
	}
	return completed, open
}

// effectiveOf returns the events that count after the last of them.
func effectiveOf(events []logged) []logged {
	for i, e := range slices.Backward(events) {
		if e.word("type") == "stream_resync" {
			return slices.Concat(effectiveOf(upTo(events[:i], e.number("fromSequence"))), events[i:])
		}
	}
	return events
}

// report fails the test with the first fault of a stream that can be made again from its seed.
func (c *cutting) report(what string, seed uint64) {
	c.Helper()
	if len(c.wrong) == 0 {
		return
	}
	var lines strings.Builder
	for _, e := range c.log().Events {
		fmt.Fprintf(&lines, "%d %s\n", e.Sequence, e.Chunk.JSON)
	}
	c.Errorf("%s, seed %d: %d faults, of which the first: %s\nof the stream\n%s", what, seed, len(c.wrong), c.wrong[0], lines.String())
}

const boundarySeeds = 24

// TestSnapshotBoundaryIsExact: at every moment of any stream a snapshot equals the accumulated chunks up to its sequence, and
// with the later chunks added, all of them.
func TestSnapshotBoundaryIsExact(t *testing.T) {
	for seed := range uint64(boundarySeeds) {
		c := newCutting(t, nil)
		writeStream(c, rand.New(rand.NewPCG(seed, 1)), 60)
		c.report("a stream", seed)
		if t.Failed() {
			return
		}
	}
}

// TestSnapshotBoundaryOfRunsIsExact: the same for the runtime's output.
func TestSnapshotBoundaryOfRunsIsExact(t *testing.T) {
	for seed := range uint64(boundarySeeds) {
		c := newCutting(t, nil)
		playSession(c, rand.New(rand.NewPCG(seed, 2)))
		c.report("a session", seed)
		if t.Failed() {
			return
		}
	}
}

// TestSnapshotWhileARunGoesOn: the same during concurrent writes.
func TestSnapshotWhileARunGoesOn(t *testing.T) {
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 3))
		c := newCutting(t, nil)
		c.start(randomScript(random, 40, false))
		var takers sync.WaitGroup
		snapshots := make([][]taken, 3)
		for i := range snapshots {
			takers.Go(func() {
				for n := range 40 {
					snapshots[i] = append(snapshots[i], c.snapshot(n%2 == 0))
				}
			})
		}
		takers.Wait()
		c.settled()
		for _, some := range snapshots {
			for _, s := range some {
				c.compare(c.log(), s, false)
			}
		}
		c.report("a run", seed)
	}
}

// TestInexactCutsAreFound: the tests above must be able to fail.
func TestInexactCutsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("generated streams against servers that cut wrongly")
	}
	for name, broken := range map[string]func(context.Context, helix.Take, helix.SnapshotRequest) (helix.Snapshot, error){
		"the text of the open step is in neither": func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
			s, err := take(ctx, r.Partial)
			if err == nil && !r.Partial {
				var latest helix.Snapshot
				latest, err = take(ctx, true)
				s.StreamSequence, s.State = latest.StreamSequence, latest.State
			}
			return s, err
		},
		"the state is ahead of the messages": func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
			s, err := take(ctx, r.Partial)
			if latest, again := take(ctx, true); err == nil && again == nil {
				s.State = latest.State
			}
			return s, err
		},
		"the open step is shown above the sequence": func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
			s, err := take(ctx, r.Partial)
			if latest, again := take(ctx, true); err == nil && again == nil {
				s.Messages = latest.Messages
			}
			return s, err
		},
		"it is always of the beginning": func(_ context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
			return helix.Snapshot{State: json.RawMessage(`{}`), Messages: []helix.Message{}}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			found := 0
			for seed := range uint64(10) {
				c := newCutting(t, broken)
				writeStream(c, rand.New(rand.NewPCG(seed, 1)), 60)
				found += len(c.wrong)
			}
			if found == 0 {
				t.Error("no fault was found")
			}
		})
	}
}
