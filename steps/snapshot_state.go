package steps

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
)

func snapshotStateSteps(v *Vocabulary) {
	step1(v, features.Given, `^the state of the stream begins as (.+)$`, onStream1(func(w *World, s *stream, state string) error {
		value, err := decode([]byte(state))
		if err != nil {
			return fault("%s is not JSON", state)
		}
		return w.must(s, "PUT", "/state", value)
	}))
	both(func(k features.Keyword) {
		step1(v, k, `^the writer patches the state with (\[.*\])$`, onStream1(func(w *World, s *stream, patches string) error {
			return w.patchState(s, patches, nil)
		}))
		step2(v, k, `^the writer patches the state in step (\d+) with (\[.*\])$`, onStream2(func(w *World, s *stream, step int, patches string) error {
			return w.patchState(s, patches, map[string]any{"step": step})
		}))
	})
	step2(v, features.When, `^snapshots are asked for while (\d+) writers append (\d+) values each to the list$`,
		func(w *World, writers, values int) error { return w.snapshotsDuring(writers, values) })
	step1(v, features.When, `^a snapshot is asked for whenever one of (\d+) values that are appended to the list has reached the client$`,
		func(w *World, values int) error { return w.snapshotAfterEach(values) })
	step0(v, features.Then, `^every snapshot and what follows it add up to the whole state$`, onStream0(func(w *World, s *stream) error {
		return w.addUp(s)
	}))
	step0(v, features.Then, `^every snapshot holds what had reached the client$`, onStream0(func(w *World, s *stream) error {
		return w.savedFirst(s)
	}))
	step0(v, features.Then, `^the sequence of every snapshot was the latest while it was taken$`, onStream0(func(w *World, s *stream) error {
		return w.latestMeanwhile(s)
	}))
}

// patchState writes a state_patch chunk as the next event.
func (w *World) patchState(s *stream, patches string, extra map[string]any) error {
	operations, err := decode([]byte(patches))
	if err != nil {
		return fault("%s is not JSON", patches)
	}
	e := statePatch(s, fmt.Sprintf("event %d", len(s.events)+1), operations, extra)
	return w.write(s, "", e)
}

// statePatch adds a state_patch chunk to the ledger.
func statePatch(s *stream, label string, operations any, extra map[string]any) *event {
	members := map[string]any{"type": "state_patch", "patches": operations, "timestamp": epoch + len(s.events) + 1}
	for name, value := range extra {
		members[name] = value
	}
	e := newEvent(label, chunk(members))
	s.events = append(s.events, e)
	return e
}

// appends are n patches that add a value of their own each to the list. Values that are all different show a patch that is
// applied twice as well as one that is lost.
func appends(s *stream, name string, n int) []*event {
	var out []*event
	for i := range n {
		value := fmt.Sprintf("%s%d", name, i+1)
		operations := []any{map[string]any{"op": "add", "path": "/list/-", "value": value}}
		out = append(out, statePatch(s, "the patch that appends "+value, operations, nil))
	}
	return out
}

// mostSnapshots bounds what is taken while something else goes on.
const mostSnapshots = 24

// snapshotsDuring asks for snapshots while writers write at the same time, each in its order.
func (w *World) snapshotsDuring(writers, values int) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	work := make([][]*event, writers)
	for i := range work {
		name := string(rune('a' + i))
		if err := w.openWriter(s, name); err != nil {
			return err
		}
		work[i] = appends(s, name, values)
	}
	failed := make([]error, writers)
	done := make(chan struct{})
	var all sync.WaitGroup
	for i, evs := range work {
		all.Go(func() {
			for _, e := range evs {
				if failed[i] = w.write(s, string(rune('a'+i)), e); failed[i] != nil {
					return
				}
			}
		})
	}
	go func() { defer close(done); all.Wait() }()
	err = w.snapshotsUntil(s, done)
	<-done
	for _, f := range failed {
		if f != nil {
			return f
		}
	}
	return err
}

// snapshotsUntil asks for one snapshot after the other, and for the last one when it is over.
func (w *World) snapshotsUntil(s *stream, over <-chan struct{}) error {
	for range mostSnapshots {
		if err := w.askSnapshot(s.id, ""); err != nil {
			return err
		}
		select {
		case <-over:
			return w.askSnapshot(s.id, "")
		default:
		}
	}
	return nil
}

// snapshotAfterEach appends a value, waits until the client has received it, and asks for a snapshot.
func (w *World) snapshotAfterEach(values int) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	cs, err := w.clientsNamed("the client")
	if err != nil {
		return err
	}
	for _, e := range appends(s, "v", values) {
		if err := w.write(s, "", e); err != nil {
			return err
		}
		if err := cs[0].receive(e); err != nil {
			return err
		}
		if err := w.askSnapshot(s.id, ""); err != nil {
			return err
		}
	}
	return nil
}

// snapshots are all that the scenario asked for.
func (w *World) snapshots() ([]*taken, error) {
	var out []*taken
	for _, e := range w.session.Snapshots() {
		t, err := readSnapshot(e)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, fault("no snapshot was asked for")
	}
	return out, nil
}

// after reads what a stream holds after a cursor, as a reader that no transcript shows: up to the mark, or to the terminal
// frame where there is no mark.
func (w *World) after(s *stream, cursor string, mark *event) (*clientState, error) {
	c := &clientState{w: w, name: "client that goes on after the snapshot", stream: s, lastID: cursor}
	r := target.ReadRequest{Hidden: true}
	if cursor != "" {
		r.Cursor = &cursor
	}
	if err := c.connect(r); err != nil {
		return nil, err
	}
	defer c.reader.Cut()
	if s.produced {
		return c, c.everything()
	}
	keep := func(m *message) error {
		c.got = append(c.got, m)
		return nil
	}
	if mark != nil {
		_, err := c.upTo(mark, keep)
		return c, err
	}
	err := c.take("the terminal frame", func(*message) bool { return false })
	for _, m := range c.got {
		s.learn(m)
	}
	return c, err
}

// end is a mark behind everything that was written; nil where the terminal frame is one.
func (w *World) end(s *stream) (*event, error) {
	if s.ended || s.produced {
		return nil, nil
	}
	return w.marker(s)
}

// addUp checks that the state of each snapshot with the patches behind its sequence is the state that all patches add up
// to.
func (w *World) addUp(s *stream) error {
	ts, err := w.snapshots()
	if err != nil {
		return err
	}
	mark, err := w.end(s)
	if err != nil {
		return err
	}
	whole, err := w.after(s, "", mark)
	if err != nil {
		return err
	}
	root := whole.root()
	want, broken, err := fold(whole.got, root, w.initialState(s))
	if err != nil {
		return whole.failure("a patch that applies to "+string(want), fmt.Sprintf("%s (%v)", clip(broken.Chunk), err), broken)
	}
	value, err := decode(want)
	if err != nil {
		return fault("the state %s is not JSON", want)
	}
	for _, t := range ts {
		cursor, err := t.cursor()
		if err != nil {
			return err
		}
		rest, err := w.after(s, cursor, mark)
		if err != nil {
			return err
		}
		got, broken, err := fold(rest.got, root, encode(t.members["state"]))
		if err != nil {
			return t.failure("the state", "one to which the patch after it applies: "+clip(broken.Chunk), fmt.Sprintf("%s (%v)", clip(got), err))
		}
		if sum, err := decode(got); err != nil || !same(sum, value) {
			return t.failure("the state, with the patches after sequence "+cursor+",", string(want), clip(got))
		}
		w.saw(1)
	}
	return nil
}

// initialState is what the state of the stream was set to begin with.
func (w *World) initialState(s *stream) []byte {
	state := []byte(`{}`)
	for _, call := range w.calls {
		if call.Method == "PUT" && call.Now().Status/100 == 2 {
			state = call.Body
		}
	}
	return state
}

// savedFirst checks that the nth snapshot, asked for when the nth value had reached the client, holds n values.
func (w *World) savedFirst(s *stream) error {
	ts, err := w.snapshots()
	if err != nil {
		return err
	}
	first := len(s.events) - len(ts) // before the values
	var list []any
	for i, t := range ts {
		patches, _ := memberOf(s.events[first+i].value(), "patches").([]any)
		list = append(list, memberOf(patches[0], "value"))
		got, _ := memberOf(t.members["state"], "list").([]any)
		if !same(got, list) {
			return t.failure("the list in the state", string(encode(list)), clip(encode(got)))
		}
		w.saw(1)
	}
	return nil
}

// latestMeanwhile checks each sequence against the chunks around the snapshot in the record. Where several writers write,
// one of them may still wait for its answer when another begins: all but the last that each began had been answered.
func (w *World) latestMeanwhile(s *stream) error {
	ts, err := w.snapshots()
	if err != nil {
		return err
	}
	mark, err := w.end(s)
	if err != nil {
		return err
	}
	if _, err := w.after(s, "", mark); err != nil { // which learns the sequences
		return err
	}
	record := w.session.Exchanges()
	for i, t := range ts {
		begun := slices.Index(record, t.exchange)
		over := len(record)
		if i+1 < len(ts) {
			over = slices.Index(record, ts[i+1].exchange)
		}
		low, high := s.answered(record[:begun]), s.begun(record[:over])
		got, err := t.cursor()
		if err != nil {
			return err
		}
		if n, err := strconv.ParseInt(got, 10, 64); err != nil || n < low || n > high {
			return t.failure("streamSequence", fmt.Sprintf("between %d and %d", low, high), got)
		}
		w.saw(1)
	}
	return nil
}

// answered is the highest sequence of a chunk that was answered for sure before the record ends, 0 if there is none.
func (s *stream) answered(record []*target.Exchange) int64 {
	highest := int64(0)
	last := map[string]int64{} // by writer: what may not be answered yet
	s.writes(record, func(writer string, sequence int64) {
		highest = max(highest, last[writer])
		last[writer] = sequence
	})
	return highest
}

// begun is the highest sequence of a chunk whose write began before the record ends, 0 if there is none.
func (s *stream) begun(record []*target.Exchange) int64 {
	highest := int64(0)
	s.writes(record, func(_ string, sequence int64) { highest = max(highest, sequence) })
	return highest
}

// writes visits the chunks of the ledger that a record writes, with the sequences that they were delivered with.
func (s *stream) writes(record []*target.Exchange, visit func(writer string, sequence int64)) {
	for _, call := range record {
		if call.Kind != target.Control || len(call.Body) == 0 {
			continue
		}
		for _, e := range s.events {
			if sequence, err := strconv.ParseInt(e.id, 10, 64); err == nil && bytes.Equal(call.Body, e.body) {
				visit(call.Path, sequence)
			}
		}
	}
}
