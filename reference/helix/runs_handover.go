package helix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// handover stores sessions as records that belong to their stream: the initial configuration, each checkpoint and each run
// once, and under the name of the stream the session's position. A save thus costs the same however many steps a session
// has. The writer of a session's journal is its fence.
type handover struct {
	store   store.Store // shared by all replicas
	journal *journal    // whose writers are the fences
}

// sessionConfig is the initial configuration of a session, stored once.
type sessionConfig struct {
	AgentType    string                     // of the root agent
	Source       json.RawMessage            // the script, as the runtime got it
	OutputSchema json.RawMessage            `json:",omitempty"` // nil for none
	State        map[string]json.RawMessage // before the first checkpoint
}

// storedCheckpoint and storedRun are the records of a checkpoint and of a run. Before is the id of the one before, "" for none.
type storedCheckpoint struct {
	Before string // the records form a list that begins at the session's position
	runtime.Checkpoint
}

type storedRun struct{ Before, Stream string }

// at is the position of a session, stored with each save. Run and Checkpoint are the latest ones, whose records refer to
// those before.
type at struct {
	Writers         []string // of all executors so far, the latest last
	Session         string   // id of the configuration
	Run, Checkpoint string
	Token, Clock    int64           // fence and clock, which only grow
	Steps, Next     int             // committed so far, and the index of the next one in the script
	Output          json.RawMessage `json:",omitempty"` // nil before the end
}

func sessionRecord(stream string) string { return "session:" + stream }
func runRecord(run string) string        { return "run:" + run }

// Ids without a space are unique across streams.
func configRecord(stream, session string) string { return "begun:" + session + " " + stream }
func checkpointRecord(stream, id string) string  { return "checkpoint:" + id + " " + stream }

// errForgotten reports that a session came to its end while it was read.
var errForgotten = errors.New("the session was forgotten")

// Save implements runtime.Handover.
func (h handover) Save(ctx context.Context, s runtime.StoredSession) error {
	now := at{
		Writers: append(slices.Clone(s.Writers), h.journal.writer(s.Stream)), Session: s.Session, Run: s.Runs[len(s.Runs)-1],
		Token: s.Token, Clock: s.Clock, Steps: s.Steps, Next: s.Next, Output: s.Output,
	}
	if n := len(s.Checkpoints); n > 0 {
		now.Checkpoint = s.Checkpoints[n-1].ID
	}
	// The records to which the session refers are stored first.
	if err := h.saveParts(ctx, s, now); err != nil {
		return err
	}
	err := h.set(ctx, s.Stream, sessionRecord(s.Stream), s.Version-1, now)
	if errors.Is(err, store.ErrOutdated) {
		return runtime.ErrFenced
	}
	return err
}

// saveParts stores the new records of a session.
func (h handover) saveParts(ctx context.Context, s runtime.StoredSession, now at) error {
	last := h.journal.stored(s.Stream)
	if last.session != now.Session {
		if err := h.add(ctx, s.Stream, configRecord(s.Stream, now.Session), sessionConfig{s.AgentType, s.Source, s.OutputSchema, s.State}); err != nil {
			return err
		}
	}
	err := h.addNew(ctx, s.Stream, len(s.Checkpoints), last.checkpoint, func(i int) part {
		c := storedCheckpoint{Checkpoint: s.Checkpoints[i]}
		if i > 0 {
			c.Before = s.Checkpoints[i-1].ID
		}
		return part{c.ID, checkpointRecord(s.Stream, c.ID), c}
	})
	if err != nil {
		return err
	}
	err = h.addNew(ctx, s.Stream, len(s.Runs), last.run, func(i int) part {
		r := storedRun{Stream: s.Stream}
		if i > 0 {
			r.Before = s.Runs[i-1]
		}
		return part{s.Runs[i], runRecord(s.Runs[i]), r}
	})
	if err != nil {
		return err
	}
	h.journal.keep(s.Stream, storedIDs{now.Session, now.Run, now.Checkpoint})
	return nil
}

// part is one of several parts of a session, and the name of its record.
type part struct {
	id, name string // records are named after it
	value    any    // stored as JSON, never changed
}

// addNew stores the new ones of n parts, oldest first, where last was stored by this process.
func (h handover) addNew(ctx context.Context, stream string, n int, last string, get func(i int) part) error {
	from, err := h.firstNew(ctx, n, last, get)
	for i := from; i < n && err == nil; i++ {
		p := get(i)
		err = h.add(ctx, stream, p.name, p.value)
	}
	return err
}

func (h handover) firstNew(ctx context.Context, n int, last string, get func(i int) part) (int, error) {
	for i := n; i > 0 && last != ""; i-- {
		if get(i-1).id == last {
			return i, nil
		}
	}
	// Another process stored them, or the session was rolled back beyond the last one.
	for i := n; i > 0; i-- {
		if _, version, err := h.store.Record(ctx, get(i-1).name); err != nil || version > 0 {
			return i, err
		}
	}
	return 0, nil
}

// add stores a record that never changes. It may exist already.
func (h handover) add(ctx context.Context, stream, name string, value any) error {
	err := h.set(ctx, stream, name, 0, value)
	if errors.Is(err, store.ErrOutdated) {
		return nil
	}
	return err
}

func (h handover) set(ctx context.Context, stream, name string, version int64, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("saving %s: %w", name, err)
	}
	return h.store.SetRecord(ctx, store.Key{Stream: stream, Name: name}, version, text)
}

// Load implements runtime.Handover.
func (h handover) Load(ctx context.Context, run string) (s runtime.StoredSession, found bool, err error) {
	var named storedRun
	if version, err := h.get(ctx, runRecord(run), &named); err != nil || version == 0 {
		return s, false, err
	}
	var is at
	version, err := h.get(ctx, sessionRecord(named.Stream), &is)
	if err != nil || version == 0 {
		return s, false, err
	}
	s = runtime.StoredSession{
		Version: version, Stream: named.Stream, Writers: is.Writers, Session: is.Session, Token: is.Token, Clock: is.Clock,
		Steps: is.Steps, Next: is.Next, Output: is.Output,
	}
	err = h.loadParts(ctx, is, &s)
	if errors.Is(err, errForgotten) {
		return s, false, nil
	}
	return s, err == nil, err
}

// loadParts reads the records to which a session refers.
func (h handover) loadParts(ctx context.Context, is at, s *runtime.StoredSession) error {
	var began sessionConfig
	if err := h.getPart(ctx, configRecord(s.Stream, is.Session), &began); err != nil {
		return err
	}
	s.AgentType, s.Source, s.OutputSchema, s.State = began.AgentType, began.Source, began.OutputSchema, began.State
	for id := is.Checkpoint; id != ""; {
		var c storedCheckpoint
		if err := h.getPart(ctx, checkpointRecord(s.Stream, id), &c); err != nil {
			return err
		}
		s.Checkpoints, id = append(s.Checkpoints, c.Checkpoint), c.Before
	}
	for id := is.Run; id != ""; {
		var r storedRun
		if err := h.getPart(ctx, runRecord(id), &r); err != nil {
			return err
		}
		s.Runs, id = append(s.Runs, id), r.Before
	}
	slices.Reverse(s.Checkpoints)
	slices.Reverse(s.Runs)
	return nil
}

// get reads a record, and returns its version.
func (h handover) get(ctx context.Context, name string, value any) (int64, error) {
	text, version, err := h.store.Record(ctx, name)
	if err != nil || version == 0 {
		return 0, err
	}
	if err := json.Unmarshal(text, value); err != nil {
		return 0, fmt.Errorf("reading %s: %w", name, err)
	}
	return version, nil
}

// getPart reads a record that is there for as long as the session is. Errors: errForgotten.
func (h handover) getPart(ctx context.Context, name string, value any) error {
	version, err := h.get(ctx, name, value)
	if err == nil && version == 0 {
		return errForgotten
	}
	return err
}

// Fence implements runtime.Handover.
func (h handover) Fence(ctx context.Context, s runtime.StoredSession) error {
	for _, writer := range s.Writers {
		if err := h.store.CloseWriter(ctx, s.Stream, writer); err != nil {
			return err
		}
	}
	return nil
}

// Forget implements runtime.Handover.
func (h handover) Forget(ctx context.Context, stream string) error {
	return h.store.ForgetRecords(ctx, stream)
}
