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
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/streamcert/streamcert/reference/store"
)

// Options configure a Store. The zero value of each field means its default.
type Options struct {
	// Prefix begins the name of every key; "streamcert:" by default.
	Prefix string
	// Retention is the time for which a finished stream is stored; a day by default, negative for ever.
	Retention time.Duration
	// MaxStream limits the memory of one stream in bytes; 128 MiB by default. The configuration of Redis limits the sum of all
	// streams. Larger answers of Redis are refused, so all processes over one Redis need the same value.
	MaxStream int64
	// Timeout limits the duration of a call; 3 s by default.
	Timeout time.Duration
	// Warn is called with one line for each setting of Redis that loses streams; it may be nil.
	Warn func(line string)
}

// Store is a store.Store in Redis 7 or newer. Make it with Open, and close it.
type Store struct {
	o       Options
	pool    *redis.Pool
	slots   chan struct{} // contains one for each active call
	failed  atomic.Int64  // when a connection failed last, in nanoseconds since 1970
	scripts scripts
	closing context.Context
	close   context.CancelFunc
	changes sync.WaitGroup

	mu   sync.Mutex
	hubs map[string]map[string]*hub // of streams that have readers here, by name and epoch
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
	s := &Store{o: o, slots: make(chan struct{}, mostConnections), scripts: newScripts(), hubs: map[string]map[string]*hub{}}
	s.closing, s.close = context.WithCancel(context.Background())
	s.pool = s.newPool(a)
	at, err := s.lastChange(ctx)
	if err == nil {
		err = s.warn(ctx)
	}
	if err != nil {
		s.close()
		_ = s.pool.Close()
		return nil, fmt.Errorf("connecting to the store at %s: %w", a.host, err)
	}
	s.changes.Go(func() { s.follow(at) })
	return s, nil
}

// Close ends the waits of all subscriptions and closes the connections. Stored data stays.
func (s *Store) Close() error {
	s.close() // which ends all calls
	err := s.pool.Close()
	s.changes.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, lives := range s.hubs {
		for _, h := range lives {
			h.running.Wait()
		}
	}
	return err
}

const keysOfStream = 6

func (s *Store) keys(name string) []any {
	p := s.o.Prefix
	return []any{p + "log:" + name, p + "notices:" + name, p + "meta:" + name, p + "steps:" + name, p + "changes", p + "records:" + name}
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

// Approximate memory of an event in addition to its bytes.
const eventCost = 256

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
