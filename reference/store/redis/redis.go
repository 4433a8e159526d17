package redis

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/store"
)

// Store is a store.Store in Redis 7 or newer. Make it with Open, and close it.
type Store struct {
	*client
	hubs    *hubs          // that serve the subscriptions
	changes sync.WaitGroup // done when no change is waited for
}

// Open connects to the Redis of a URL such as redis://user:password@localhost:6379/0, rediss:// for TLS or
// unix:///path?db=0. Its error reports that it can't be reached, or isn't one that can keep streams.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	a, err := parse(url)
	if err != nil {
		return nil, err
	}
	o.Prefix = cmp.Or(o.Prefix, "streamcert:")
	o.Retention = cmp.Or(o.Retention, 24*time.Hour)
	o.MaxStream = cmp.Or(o.MaxStream, 128<<20)
	o.Timeout = cmp.Or(o.Timeout, 3*time.Second)
	c := &client{o: o, slots: make(chan struct{}, mostConnections), scripts: newScripts()}
	c.closing, c.close = context.WithCancel(context.Background())
	c.pool = c.newPool(a)
	s := &Store{client: c, hubs: &hubs{client: c, open: map[string]map[string]*hub{}}}
	at, err := s.lastChange(ctx)
	if err == nil {
		err = s.warn(ctx)
	}
	if err != nil {
		s.close()
		_ = s.pool.Close()
		return nil, fmt.Errorf("connecting to the store at %s: %w", a.host, err)
	}
	s.changes.Go(func() { s.hubs.follow(at) })
	return s, nil
}

// Close ends the waits of all subscriptions and closes the connections. Stored data stays.
func (s *Store) Close() error {
	s.close() // which ends all calls
	err := s.pool.Close()
	s.changes.Wait()
	s.hubs.mu.Lock()
	defer s.hubs.mu.Unlock()
	for _, lives := range s.hubs.open {
		for _, h := range lives {
			h.running.Wait()
		}
	}
	return err
}

// OpenWriter implements store.Store.
func (s *Store) OpenWriter(ctx context.Context, name string) (string, error) {
	// A random id is never that of another process, or of one before a restart.
	writer := "writer-" + rand.Text()
	_, err := s.run(ctx, s.scripts.open, name, rand.Text(), edition(), writer)
	if err != nil {
		return "", err
	}
	return writer, nil
}

// CloseWriter implements store.Store.
func (s *Store) CloseWriter(ctx context.Context, name, writer string) error {
	_, err := s.run(ctx, s.scripts.close, name, writer)
	return err
}

// Append implements store.Store.
func (s *Store) Append(ctx context.Context, name, writer string, chunks []store.Chunk) ([]int64, error) {
	args := make([]any, 0, 2+3*len(chunks))
	args = append(args, writer, s.o.MaxStream)
	for _, c := range chunks {
		step := ""
		if c.HasStep {
			step = strconv.FormatInt(c.Step, 10)
		}
		args = append(args, step, []byte(c.JSON), eventCost+len(c.JSON))
	}
	// helix.durable.kept: the script has stored the chunks when it answers, each at its sequence. helix.durable.whole: it
	// stores all of them or none, and is never repeated. helix.durable.sequences: it continues from the highest id, which
	// is stored with them. helix.replicas.sequences, helix.replicas.order, helix.replicas.whole, helix.replicas.closed:
	// Redis runs one script at a time, from any process, and stores the counter and the end. helix.replicas.survives: no
	// part of it is stored in this process.
	answer, err := s.run(ctx, s.scripts.append, name, args...)
	if err != nil {
		return nil, err
	}
	first, err := strconv.ParseInt(text(answer[0]), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the sequence that redis answered: %w", err)
	}
	sequences := make([]int64, len(chunks))
	for i := range sequences {
		sequences[i] = first + int64(i)
	}
	return sequences, nil
}

// End implements store.Store.
func (s *Store) End(ctx context.Context, name string, finalOutput json.RawMessage) error {
	return s.finish(ctx, name, store.Ended, "e", finalOutput)
}

// Fail implements store.Store.
func (s *Store) Fail(ctx context.Context, name, message, code string) error {
	return s.finish(ctx, name, store.Failed, "f", []byte(message), "x", code)
}

func (s *Store) finish(ctx context.Context, name string, word store.Status, kind string, value []byte, more ...any) error {
	// helix.durable.finished: the terminal event is in the log, and the status next to it.
	args := append([]any{string(word), s.o.MaxStream, eventCost + len(value), max(0, s.o.Retention.Milliseconds()), kind, value}, more...)
	_, err := s.run(ctx, s.scripts.finish, name, args...)
	return err
}

// SetStatus implements store.Store.
func (s *Store) SetStatus(ctx context.Context, name string, status store.Status) error {
	if status != store.Active && status != store.Paused {
		return fmt.Errorf("setting status %q: a stream can be made %s or %s", status, store.Active, store.Paused)
	}
	// helix.durable.status: a pause is a field of the description of the stream.
	_, err := s.run(ctx, s.scripts.status, name, string(status))
	return err
}

// Cleanup implements store.Store.
func (s *Store) Cleanup(ctx context.Context, name string, step int64) error {
	// helix.durable.removed: the entries are deleted from the log itself.
	_, err := s.run(ctx, s.scripts.cleanup, name, step, edition())
	return err
}

// Reset implements store.Store.
func (s *Store) Reset(ctx context.Context, name string) error {
	_, err := s.run(ctx, s.scripts.reset, name, edition())
	return err
}

// Delete implements store.Store.
func (s *Store) Delete(ctx context.Context, name string) error {
	_, err := s.run(ctx, s.scripts.delete, name)
	return err
}

// SetInitial implements store.Store.
func (s *Store) SetInitial(ctx context.Context, name string, state json.RawMessage) error {
	// helix.durable.snapshot: the state is stored, and snapshots are made of it and of the log.
	_, err := s.run(ctx, s.scripts.initial, name, rand.Text(), edition(), s.o.MaxStream, []byte(state), len(state))
	return err
}

// edition makes a number that no edition of any stream has had.
func edition() int64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return 1 + int64(binary.NativeEndian.Uint64(b[:])&(math.MaxInt64>>1))
}

// Info implements store.Store.
func (s *Store) Info(ctx context.Context, name string) (store.Info, error) {
	// helix.replicas.info: Redis has the counter, the number of chunks and the status, whichever process changed them.
	d, err := s.describe(ctx, name)
	return d.Info, err
}

func (s *Store) describe(ctx context.Context, name string) (description, error) {
	answer, err := s.run(ctx, s.scripts.describe, name)
	if err != nil {
		return description{}, err
	}
	return newDescription(answer[0])
}

// Read implements store.Store.
func (s *Store) Read(ctx context.Context, name string, after store.Mark) (store.Log, error) {
	// helix.replicas.snapshot: what a process has read before is completed with what Redis has after the mark.
	answer, err := s.run(ctx, s.scripts.read, name, after.Edition, after.Sequence)
	if err != nil {
		return store.Log{}, err
	}
	d, err := newDescription(answer[0])
	if err != nil {
		return store.Log{}, err
	}
	read, err := entries(answer[2])
	if err != nil {
		return store.Log{}, err
	}
	log := store.Log{Info: d.Info, Edition: d.edition, FromStart: d.edition != after.Edition}
	if initial := text(answer[1]); initial != "" {
		log.Initial = json.RawMessage(initial)
	}
	for _, e := range read {
		log.Events = append(log.Events, e.event)
	}
	return log, nil
}
