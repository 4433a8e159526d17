package snapshot

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/run"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func snapshotStateSteps(v *steps.Sentences[*world.World]) {
	steps.Step1(v, features.Given, `^the state of the stream begins as (.+)$`, world.OnStream1(func(s *world.Stream, state string) error {
		value, err := steps.Decode([]byte(state))
		if err != nil {
			return steps.Faultf("%s is not JSON", state)
		}
		return s.Must("PUT", "/state", value)
	}))
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the writer patches the state with (\[.*\])$`, world.OnStream1(func(s *world.Stream, patches string) error {
			return patchState(s, patches, nil)
		}))
		steps.Step2(v, k, `^the writer patches the state in step (\d+) with (\[.*\])$`, world.OnStream2(func(s *world.Stream, step int, patches string) error {
			return patchState(s, patches, map[string]any{"step": step})
		}))
	})
	steps.Step3(v, features.When, `^snapshots`+withPartial+` are asked for while (\d+) writers append (\d+) values each to the list$`,
		snapshotsDuring)
	steps.Step2(v, features.When,
		`^a snapshot`+withPartial+` is asked for whenever one of (\d+) values that are appended to the list has reached the client$`,
		snapshotAfterEach)
	steps.Step0(v, features.Then, `^every snapshot and what follows it add up to the whole state$`, world.OnStream0(addUp))
	steps.Step0(v, features.Then, `^every snapshot holds what had reached the client$`, world.OnStream0(checkpointedFirst))
	steps.Step0(v, features.Then, `^the sequence of every snapshot was the latest while it was taken$`, world.OnStream0(latestMeanwhile))
}

// patchState writes a state_patch chunk as the next event.
func patchState(s *world.Stream, patches string, extra map[string]any) error {
	operations, err := steps.Decode([]byte(patches))
	if err != nil {
		return steps.Faultf("%s is not JSON", patches)
	}
	e := statePatch(s, fmt.Sprintf("event %d", len(s.Events)+1), operations, extra)
	return s.Write("", e)
}

// statePatch adds a state_patch chunk to the events of the stream.
func statePatch(s *world.Stream, label string, operations any, extra map[string]any) *world.Event {
	members := map[string]any{"type": "state_patch", "patches": operations, "timestamp": s.World.Moment(len(s.Events) + 1)}
	for name, value := range extra {
		members[name] = value
	}
	e := world.NewEvent(label, s.World.Chunk(members))
	s.Events = append(s.Events, e)
	return e
}

// appends returns n patches, each of which appends a different value to the list. Different values show a patch that is
// applied twice as well as one that is lost.
func appends(s *world.Stream, name string, n int) []*world.Event {
	var out []*world.Event
	for i := range n {
		value := fmt.Sprintf("%s%d", name, i+1)
		operations := []any{map[string]any{"op": "add", "path": "/list/-", "value": value}}
		out = append(out, statePatch(s, "the patch that appends "+value, operations, nil))
	}
	return out
}

// mostSnapshots bounds the snapshots taken while writers write.
const mostSnapshots = 24

// snapshotsDuring requests snapshots while writers write concurrently, each in its order. The first snapshot comes
// before all of their values and the last one after all of them, independent of the speed of server and machine.
func snapshotsDuring(w *world.World, content string, writers, values int) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	work := make([][]*world.Event, writers)
	for i := range work {
		name := string(rune('a' + i))
		if err := world.OpenWriter(s, name); err != nil {
			return err
		}
		work[i] = appends(s, name, values)
	}
	if err := requestSnapshot(w, s.ID, partialContent[content]); err != nil {
		return err
	}
	failed := make([]error, writers)
	done := make(chan struct{})
	var all sync.WaitGroup
	for i, evs := range work {
		all.Go(func() {
			for _, e := range evs {
				if failed[i] = s.Write(string(rune('a'+i)), e); failed[i] != nil {
					return
				}
			}
		})
	}
	go func() { defer close(done); all.Wait() }()
	err = snapshotsUntil(s, partialContent[content], done)
	<-done
	for _, f := range failed {
		if f != nil {
			return f
		}
	}
	if err != nil {
		return err
	}
	return requestSnapshot(w, s.ID, partialContent[content])
}

// snapshotsUntil requests one snapshot after the other until the writers are done.
func snapshotsUntil(s *world.Stream, partial string, over <-chan struct{}) error {
	for range mostSnapshots {
		if err := requestSnapshot(s.World, s.ID, partial); err != nil {
			return err
		}
		select {
		case <-over:
			return nil
		default:
		}
	}
	return nil
}

// snapshotAfterEach appends a value, waits until the client has received it, and requests a snapshot, so many times.
func snapshotAfterEach(w *world.World, content string, values int) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	cs, err := w.ClientsNamed("the client")
	if err != nil {
		return err
	}
	for _, e := range appends(s, "v", values) {
		if err := s.Write("", e); err != nil {
			return err
		}
		if err := cs[0].Receive(e); err != nil {
			return err
		}
		if err := requestSnapshot(w, s.ID, partialContent[content]); err != nil {
			return err
		}
	}
	return nil
}

// snapshots returns all that the scenario requested, at least one.
func snapshots(w *world.World) ([]*snapshot, error) {
	var out []*snapshot
	for _, e := range w.Session().Snapshots() {
		t, err := readSnapshot(e)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, steps.Faultf("no snapshot was asked for")
	}
	return out, nil
}

// after reads a stream from a cursor as a reader that transcripts leave out, up to the mark, or to the terminal frame
// where there is no mark.
func after(s *world.Stream, cursor string, mark *world.Event) (*world.Client, error) {
	c := &world.Client{World: s.World, Name: "client that goes on after the snapshot", Stream: s, LastID: cursor}
	r := target.ReadRequest{Hidden: true}
	if cursor != "" {
		r.Cursor = &cursor
	}
	if err := c.Connect(r); err != nil {
		return nil, err
	}
	defer c.Reader.Disconnect()
	if s.Produced {
		return c, run.Everything(c)
	}
	keep := func(m *world.Message) error {
		c.Got = append(c.Got, m)
		return nil
	}
	if mark != nil {
		_, err := c.UpTo(mark, keep)
		return c, err
	}
	err := run.Take(c, "the terminal frame", func(*world.Message) bool { return false })
	for _, m := range c.Got {
		s.Learn(m)
	}
	return c, err
}

// complete reads all of a stream up to a mark after every written event.
func complete(s *world.Stream) (all *world.Client, mark *world.Event, err error) {
	if mark, err = end(s); err != nil {
		return nil, nil, err
	}
	all, err = after(s, "", mark)
	return all, mark, err
}

// end writes a mark after every written event; nil where the terminal frame is the mark.
func end(s *world.Stream) (*world.Event, error) {
	if s.Ended || s.Produced {
		return nil, nil
	}
	return s.Marker()
}

// addUp checks that the state of each snapshot with the patches after its sequence equals the sum of all patches.
func addUp(s *world.Stream) error {
	ts, err := snapshots(s.World)
	if err != nil {
		return err
	}
	all, mark, err := complete(s)
	if err != nil {
		return err
	}
	root := run.Root(all)
	want, broken, err := run.Fold(all.Got, root, initialState(s))
	if err != nil {
		return all.Failure("a patch that applies to "+string(want), fmt.Sprintf("%s (%v)", steps.Clip(broken.Chunk), err), broken)
	}
	value, err := steps.Decode(want)
	if err != nil {
		return steps.Faultf("the state %s is not JSON", want)
	}
	for _, t := range ts {
		cursor, err := t.cursor()
		if err != nil {
			return err
		}
		remaining, err := after(s, cursor, mark)
		if err != nil {
			return err
		}
		got, broken, err := run.Fold(remaining.Got, root, steps.Encode(t.members["state"]))
		if err != nil {
			return t.failure("the state", "one to which the patch after it applies: "+steps.Clip(broken.Chunk), fmt.Sprintf("%s (%v)", steps.Clip(got), err))
		}
		if sum, err := steps.Decode(got); err != nil || !steps.Same(sum, value) {
			return t.failure("the state, with the patches after sequence "+cursor+",", string(want), steps.Clip(got))
		}
		s.World.Saw(1)
	}
	return nil
}

// initialState returns the initial state of the stream as JSON, {} by default.
func initialState(s *world.Stream) []byte {
	state := []byte(`{}`)
	for _, call := range s.World.Calls() {
		if call.Method == "PUT" && call.Now().Status/100 == 2 {
			state = call.Body
		}
	}
	return state
}

// checkpointedFirst checks that the nth snapshot, requested after the client had received the nth value, has n values.
func checkpointedFirst(s *world.Stream) error {
	ts, err := snapshots(s.World)
	if err != nil {
		return err
	}
	first := len(s.Events) - len(ts) // before the values
	var list []any
	for i, t := range ts {
		patches, _ := steps.MemberOf(s.Events[first+i].Value(), "patches").([]any)
		list = append(list, steps.MemberOf(patches[0], "value"))
		got, _ := steps.MemberOf(t.members["state"], "list").([]any)
		if !steps.Same(got, list) {
			return t.failure("the list in the state", string(steps.Encode(list)), steps.Clip(steps.Encode(got)))
		}
		s.World.Saw(1)
	}
	return nil
}

// latestMeanwhile checks each sequence against the chunks around the snapshot in the record. Where several writers
// write, one may still wait for its answer when another begins, so only the last write of each writer may be
// unanswered.
func latestMeanwhile(s *world.Stream) error {
	ts, err := snapshots(s.World)
	if err != nil {
		return err
	}
	if _, _, err := complete(s); err != nil { // which learns the sequences
		return err
	}
	exchanges := s.World.Session().Exchanges()
	for i, t := range ts {
		startedAt := slices.Index(exchanges, t.exchange)
		over := len(exchanges)
		if i+1 < len(ts) {
			over = slices.Index(exchanges, ts[i+1].exchange)
		}
		low, high := answered(s, exchanges[:startedAt]), highestStarted(s, exchanges[:over])
		got, err := t.cursor()
		if err != nil {
			return err
		}
		if n, err := strconv.ParseInt(got, 10, 64); err != nil || n < low || n > high {
			return t.failure("streamSequence", fmt.Sprintf("between %d and %d", low, high), got)
		}
		s.World.Saw(1)
	}
	return nil
}

// answered returns the highest sequence of a chunk that was certainly answered before the exchanges end, 0 if there is
// none.
func answered(s *world.Stream, exchanges []*target.Exchange) int64 {
	highest := int64(0)
	last := map[string]int64{} // by writer: the sequence that may not be answered yet
	writes(s, exchanges, func(writer string, sequence int64) {
		highest = max(highest, last[writer])
		last[writer] = sequence
	})
	return highest
}

// highestStarted returns the highest sequence of a chunk whose write began before the exchanges end, 0 if there is
// none.
func highestStarted(s *world.Stream, exchanges []*target.Exchange) int64 {
	highest := int64(0)
	writes(s, exchanges, func(_ string, sequence int64) { highest = max(highest, sequence) })
	return highest
}

// writes calls each for every event that the exchanges write, with the sequence under which it was delivered.
func writes(s *world.Stream, exchanges []*target.Exchange, each func(writer string, sequence int64)) {
	for _, call := range exchanges {
		if call.Kind != record.Control || len(call.Body) == 0 {
			continue
		}
		for _, e := range s.Events {
			if sequence, err := strconv.ParseInt(e.ID, 10, 64); err == nil && bytes.Equal(call.Body, e.Body) {
				each(call.Path, sequence)
			}
		}
	}
}
