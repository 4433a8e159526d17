package redis_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	client "github.com/gomodule/redigo/redis"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/redis"
	"github.com/streamcert/streamcert/reference/store/redis/redistest"
)

// chunk is one of so many bytes.
func chunk(bytes int) []store.Chunk {
	return []store.Chunk{{JSON: json.RawMessage(`"` + strings.Repeat("x", bytes-2) + `"`), Step: 1, HasStep: true}}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// dial opens a connection for the test.
func dial(t *testing.T, server *redistest.Server) client.Conn {
	t.Helper()
	conn, err := client.Dial("tcp", server.Addr)
	must(t, err)
	return conn
}

// redisDo calls a Redis on a separate connection.
func redisDo(t *testing.T, server *redistest.Server, command string, args ...any) any {
	t.Helper()
	conn := dial(t, server)
	defer conn.Close()
	answer, err := conn.Do(command, args...)
	must(t, err)
	return answer
}

// next waits for one event.
func next(t *testing.T, sub store.Subscription) store.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		batch, err := sub.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if len(batch) == 1 {
			return batch[0]
		}
		if len(batch) > 1 {
			t.Fatalf("%d events came at once", len(batch))
		}
	}
}

// TestSeveralProcesses: the readers of one store receive the writes of another.
func TestSeveralProcesses(t *testing.T) {
	server, ctx := redistest.Start(t), t.Context()
	a, b := open(t, server, redis.Options{}), open(t, server, redis.Options{})
	writer, err := a.OpenWriter(ctx, "s")
	must(t, err)
	sub, err := b.Subscribe(ctx, "s", 0)
	must(t, err)
	defer sub.Close()
	_, err = a.Append(ctx, "s", writer, chunk(10))
	must(t, err)
	if e := next(t, sub); e.Sequence != 1 {
		t.Errorf("%+v", e)
	}
	_, err = b.Append(ctx, "s", writer, chunk(10)) // a writer is one everywhere
	must(t, err)
	if e := next(t, sub); e.Sequence != 2 {
		t.Errorf("%+v", e)
	}
	must(t, a.Cleanup(ctx, "s", 0))
	if e := next(t, sub); e.Kind != store.Truncated || e.AtSequence != 2 {
		t.Errorf("%+v", e)
	}
	must(t, a.SetStatus(ctx, "s", store.Paused))
	if e := next(t, sub); e.Status != store.Paused {
		t.Errorf("%+v", e)
	}
	must(t, a.End(ctx, "s", nil))
	if e := next(t, sub); e.Kind != store.StreamEnded || e.Sequence != 3 {
		t.Errorf("%+v", e)
	}
}

// TestRestart: Redis is killed and started again, and its readers go on where they were.
func TestRestart(t *testing.T) {
	server, ctx := redistest.Start(t), t.Context()
	s := open(t, server, redis.Options{Timeout: time.Second})
	writer, err := s.OpenWriter(ctx, "s")
	must(t, err)
	sub, err := s.Subscribe(ctx, "s", 0)
	must(t, err)
	defer sub.Close()
	for i := range int64(5) {
		_, err = s.Append(ctx, "s", writer, chunk(10))
		must(t, err)
		if e := next(t, sub); e.Sequence != 2*i+1 {
			t.Fatalf("%+v", e)
		}
		server.Kill()
		if _, err := s.Append(ctx, "s", writer, chunk(10)); !errors.Is(err, store.ErrUnavailable) {
			t.Fatalf("without a Redis: %v", err)
		}
		if _, err := s.Info(ctx, "s"); !errors.Is(err, store.ErrUnavailable) {
			t.Fatalf("without a Redis: %v", err)
		}
		server.Run()
		sequences, err := s.Append(ctx, "s", writer, chunk(10))
		must(t, err)
		if e := next(t, sub); e.Sequence != 2*i+2 || sequences[0] != e.Sequence {
			t.Fatalf("%+v, and %v", e, sequences)
		}
	}
}

// TestFull: a write above the limit is refused, and accepted data stays.
func TestFull(t *testing.T) {
	server, ctx := redistest.Start(t, "--maxmemory", "12mb", "--maxmemory-policy", "noeviction"), t.Context()
	s := open(t, server, redis.Options{MaxStream: 1 << 20})
	fill := func(stream string) (int, error) {
		writer, err := s.OpenWriter(ctx, stream)
		for n := 0; ; n++ {
			if err == nil {
				_, err = s.Append(ctx, stream, writer, chunk(100_000))
			}
			if err != nil {
				return n, err
			}
		}
	}
	n, err := fill("a")
	if n != 10 || !errors.Is(err, store.ErrStreamFull) {
		t.Fatalf("%d chunks, %v", n, err)
	}
	must(t, s.Cleanup(ctx, "a", 0)) // makes room
	if n, err = fill("a"); n != 10 || !errors.Is(err, store.ErrStreamFull) {
		t.Fatalf("%d chunks, %v", n, err)
	}
	for i := 0; !errors.Is(err, store.ErrFull); i++ {
		if n, err = fill(fmt.Sprint(i)); i > 20 {
			t.Fatal(err)
		}
	}
	info, err := s.Info(ctx, "a")
	if err != nil || info.ChunkCount != 10 || info.LatestSequence != 20 {
		t.Errorf("%+v, %v", info, err)
	}
	must(t, s.Delete(ctx, "0"))
	if n, err := fill("0"); n == 0 {
		t.Error(err)
	}
}

// TestRetention: a finished stream is stored for so long, one that isn't finished for ever, and records are stored with their
// stream.
func TestRetention(t *testing.T) {
	server, ctx := redistest.Start(t), t.Context()
	s := open(t, server, redis.Options{Retention: 300 * time.Millisecond})
	for _, stream := range []string{"active", "ended", "reset"} {
		writer, err := s.OpenWriter(ctx, stream)
		must(t, err)
		_, err = s.Append(ctx, stream, writer, chunk(10))
		must(t, err)
		must(t, s.SetStatus(ctx, stream, store.Paused))
		must(t, s.SetRecord(ctx, store.Key{Stream: stream, Name: "before " + stream}, 0, []byte("x")))
	}
	must(t, s.End(ctx, "reset", nil))
	must(t, s.Reset(ctx, "reset"))
	writer, err := s.OpenWriter(ctx, "reset")
	must(t, err)
	_, err = s.Append(ctx, "reset", writer, chunk(10))
	must(t, err)
	must(t, s.End(ctx, "ended", nil))
	must(t, s.SetRecord(ctx, store.Key{Stream: "ended", Name: "after ended"}, 0, []byte("x")))
	must(t, s.SetRecord(ctx, store.Key{Name: "of none"}, 0, []byte("x")))
	if _, err := s.Info(ctx, "ended"); err != nil {
		t.Fatal(err)
	}
	gone := func(name string) bool {
		_, version, err := s.Record(ctx, name)
		must(t, err)
		return version == 0
	}
	for _, err := s.Info(ctx, "ended"); !errors.Is(err, store.ErrUnknownStream); _, err = s.Info(ctx, "ended") {
		must(t, err)
		time.Sleep(10 * time.Millisecond)
	}
	for _, name := range []string{"of none", "before ended", "after ended"} {
		for !gone(name) { // the test ends where it stays
			time.Sleep(10 * time.Millisecond)
		}
	}
	for _, stream := range []string{"active", "reset"} {
		if log, err := s.Read(ctx, stream, store.Mark{}); err != nil || len(log.Events) != 1 {
			t.Errorf("%s: %+v, %v", stream, log, err)
		}
		if gone("before " + stream) {
			t.Errorf("the record of a stream that is kept is gone: %s", stream)
		}
	}
	for len(redisDo(t, server, "KEYS", "*ended*").([]any)) > 0 { // nothing of it stays
		time.Sleep(10 * time.Millisecond)
	}
	_, err = s.OpenWriter(ctx, "ended")
	must(t, err)
	if info, err := s.Info(ctx, "ended"); err != nil || info.LatestSequence != 0 {
		t.Errorf("a new stream of the name: %+v, %v", info, err)
	}
}

// TestScriptsAreLoadedAgain: a Redis that has forgotten its scripts, as after a failover, is given them again.
func TestScriptsAreLoadedAgain(t *testing.T) {
	server, ctx := redistest.Start(t), t.Context()
	s := open(t, server, redis.Options{})
	writer, err := s.OpenWriter(ctx, "s")
	must(t, err)
	for i := range int64(3) {
		sequences, err := s.Append(ctx, "s", writer, chunk(10))
		must(t, err)
		if len(sequences) != 1 || sequences[0] != i+1 {
			t.Errorf("sequences %v", sequences)
		}
		redisDo(t, server, "SCRIPT", "FLUSH")
	}
}

// TestOpenFails: an invalid store is reported at once.
func TestOpenFails(t *testing.T) {
	for _, url := range []string{"redis://127.0.0.1:1", "http://127.0.0.1", "redis://127.0.0.1:1/x", ""} {
		if s, err := redis.Open(t.Context(), url, redis.Options{Timeout: time.Second}); err == nil {
			t.Errorf("%q is a store", url)
			_ = s.Close()
		}
	}
}
