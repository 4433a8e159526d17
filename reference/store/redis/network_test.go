package redis_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/redis"
	"github.com/streamcert/streamcert/reference/store/redis/redistest"
)

// traffic writes numbered chunks to a stream, whatever becomes of them, while a reader follows it and reconnects after
// each disconnect.
type traffic struct {
	t        *testing.T
	s        *redis.Store
	answered map[int]int64 // sequences of the chunks whose writes were answered
	tried    int
	writer   string

	mu   sync.Mutex
	read []store.Event
	lost int // how often the reader had to come back
	done sync.WaitGroup
}

// begin opens a stream and lets a reader follow it.
func begin(t *testing.T, s *redis.Store) *traffic {
	t.Helper()
	writer, err := s.OpenWriter(t.Context(), "s")
	must(t, err)
	f := &traffic{t: t, s: s, answered: map[int]int64{}, writer: writer}
	f.done.Go(f.follow)
	return f
}

// follow reads until the stream ends.
func (f *traffic) follow() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for last := int64(0); ctx.Err() == nil; {
		sub, err := f.s.Subscribe(ctx, "s", last)
		if err != nil { // as a reader that is answered 503 comes back
			time.Sleep(10 * time.Millisecond)
			continue
		}
		for err == nil {
			var batch []store.Event
			batch, err = sub.Next(ctx)
			f.mu.Lock()
			f.read = append(f.read, batch...)
			f.mu.Unlock()
			if n := len(batch); n > 0 {
				last = max(last, batch[n-1].Sequence)
			}
		}
		sub.Close()
		if err == io.EOF {
			return
		}
		f.mu.Lock()
		f.lost++
		f.mu.Unlock()
	}
}

// write tries to write the next chunk, and reports whether that was answered.
func (f *traffic) write() error {
	f.t.Helper()
	n := f.tried
	f.tried++
	sequences, err := f.s.Append(f.t.Context(), "s", f.writer, []store.Chunk{{JSON: json.RawMessage(strconv.Itoa(n))}})
	switch {
	case err == nil:
		f.answered[n] = sequences[0]
	case !errors.Is(err, store.ErrUnavailable) && !errors.Is(err, store.ErrFull):
		f.t.Fatalf("write %d: %v", n, err)
	}
	return err
}

// healthy waits until writes are answered again, without intervention.
func (f *traffic) healthy() {
	f.t.Helper()
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if f.write() == nil {
			return
		}
		if time.Now().After(until) {
			f.t.Fatal("the store doesn't come back by itself")
		}
	}
}

// end ends the stream and compares the stored events with the acknowledged ones and with those of the reader.
func (f *traffic) end() {
	f.t.Helper()
	f.healthy()
	must(f.t, f.s.End(f.t.Context(), "s", nil))
	f.done.Wait()
	log, err := f.s.Read(f.t.Context(), "s", store.Mark{})
	must(f.t, err)
	seen := map[int]int64{}
	for _, e := range log.Events {
		if e.Kind != store.ChunkWritten {
			continue
		}
		n, err := strconv.Atoi(string(e.Chunk.JSON))
		must(f.t, err)
		if seen[n] != 0 {
			f.t.Errorf("chunk %d is stored twice", n)
		}
		seen[n] = e.Sequence
	}
	for n, sequence := range f.answered {
		if seen[n] != sequence {
			f.t.Errorf("chunk %d was answered with sequence %d and is stored with %d", n, sequence, seen[n])
		}
	}
	same := slices.EqualFunc(log.Events, f.read, func(a, b store.Event) bool {
		return a.Kind == b.Kind && a.Sequence == b.Sequence && string(a.Chunk.JSON) == string(b.Chunk.JSON)
	})
	if !same {
		f.t.Errorf("the reader got %d events, and %d are stored, or others", len(f.read), len(log.Events))
	}
	f.t.Logf("%d writes, %d answered, %d stored; the reader came back %d times", f.tried, len(f.answered), len(seen), f.lost)
}

// TestKilledRedis: Redis is killed and started again in the midst of writes.
func TestKilledRedis(t *testing.T) {
	server := redistest.Start(t)
	f := begin(t, open(t, server, redis.Options{Timeout: time.Second}))
	for range 3 {
		f.healthy()
		over := make(chan struct{})
		go func() {
			defer close(over)
			time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
			server.Kill()
		}()
		for f.write() == nil {
		}
		<-over
		server.Run()
	}
	f.end()
}

// TestBrokenConnections: connections break in the middle of a command, and in the middle of an answer.
func TestBrokenConnections(t *testing.T) {
	server := redistest.Start(t)
	p := newProxy(t, server.Addr)
	s, err := redis.Open(t.Context(), p.URL, redis.Options{Timeout: time.Second})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	f := begin(t, s)
	for n := range 60 {
		f.healthy()
		if way := &p.left; n%2 == 0 {
			way.Store(int64(rand.IntN(1200)))
		} else {
			p.answers.Store(int64(rand.IntN(120)))
		}
		for range 8 {
			_ = f.write()
		}
	}
	f.end()
	if len(f.answered) == f.tried {
		t.Error("every write was answered: nothing was cut")
	}
}

// TestSlowRedis: every piece takes 200 ms in each direction. It is slow, and nothing else.
func TestSlowRedis(t *testing.T) {
	server := redistest.Start(t)
	p := newProxy(t, server.Addr)
	s, err := redis.Open(t.Context(), p.URL, redis.Options{})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	f := begin(t, s)
	p.delay.Store(int64(200 * time.Millisecond))
	for range 5 {
		if err := f.write(); err != nil {
			t.Errorf("a slow write: %v", err)
		}
	}
	f.end()
	if f.lost > 0 {
		t.Errorf("the reader had to come back %d times", f.lost)
	}
}

// TestRedisWithoutMemory: a Redis that is out of memory refuses writes, and continues when there is memory again.
func TestRedisWithoutMemory(t *testing.T) {
	server, ctx := redistest.Start(t, "--maxmemory", "12mb", "--maxmemory-policy", "noeviction"), t.Context()
	s := open(t, server, redis.Options{})
	f := begin(t, s)
	f.healthy()
	writer, err := s.OpenWriter(ctx, "filler")
	must(t, err)
	for _, size := range []int{100_000, 1000, 10} { // until not even the smallest fits
		for n := 0; err == nil; n++ {
			if _, err = s.Append(ctx, "filler", writer, chunk(size)); n > 100_000 {
				t.Fatal("it never fills up")
			}
		}
		if !errors.Is(err, store.ErrFull) {
			t.Fatal(err)
		}
		err = nil
	}
	if err := f.write(); !errors.Is(err, store.ErrFull) {
		t.Errorf("a write without memory: %v", err)
	}
	if info, err := s.Info(ctx, "s"); err != nil || info.ChunkCount != 1 {
		t.Errorf("what is stored can't be read: %+v, %v", info, err)
	}
	must(t, s.Delete(ctx, "filler"))
	f.end()
}
