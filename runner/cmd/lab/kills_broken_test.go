package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/redis"
	"github.com/streamcert/streamcert/runner/cmd/servers"
)

const (
	// brokenEnv is the bug of TestServesBroken, and brokenStore where it keeps streams.
	brokenEnv, brokenStore = "STREAMCERT_TEST_SERVES_BROKEN", "STREAMCERT_TEST_SERVES_BROKEN_AT"

	answersFirst = "answers before it writes"
	replays      = "replays what it wrote"
	removesLater = "answers before it removes"
	neverFences  = "fences nobody off"

	writesBehind     = "writes a conversation when it has answered"
	resolvesInMemory = "resolves actions in memory"
	repeats          = "says again what it was about to keep"

	later = 2 * time.Second // longer than a kill takes, on a busy machine too
)

// buggy returns a process that serves a bug.
func buggy(bug, url string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestServesBroken$", "-test.v")
	cmd.Env = append(os.Environ(), brokenEnv+"="+bug, brokenStore+"="+url)
	return cmd
}

// TestServesBroken is no test: a launched process that keeps writes badly.
func TestServesBroken(t *testing.T) {
	bug := os.Getenv(brokenEnv)
	if bug == "" {
		t.Skip("runs as a process of other tests only")
	}
	kept, err := redis.Open(t.Context(), os.Getenv(brokenStore), redis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var streams store.Store = hasty{kept}
	switch bug {
	case removesLater:
		streams = tardy{kept}
	case neverFences:
		streams = unfenced{kept}
	case writesBehind:
		streams = &behind{Store: kept, records: map[string]storedRecord{}}
	case resolvesInMemory:
		streams = &behind{Store: kept, records: map[string]storedRecord{}, written: func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte(`"Resolved":true`), []byte(`"Resolved":false`))
		}}
	case repeats:
		streams = repeating{kept}
		if err := streams.(repeating).repeat(t.Context()); err != nil {
			t.Fatal(err)
		}
	case replays:
		streams = replaying{kept}
		if err := streams.(replaying).replay(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("http://%s\n", l.Addr())
	t.Fatal(http.Serve(l, testApp().Servers().Reference(servers.Settings{Streams: streams, Heartbeat: time.Minute})))
}

// unfenced lets a writer that was closed write on.
type unfenced struct{ store.Store }

// CloseWriter implements store.Store.
func (unfenced) CloseWriter(context.Context, string, string) error { return nil }

// hasty answers a write with the sequences that it is going to have, and writes it a moment later.
type hasty struct{ store.Store }

// Append implements store.Store.
func (h hasty) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	info, err := h.Info(ctx, stream)
	if err != nil {
		return nil, err
	}
	sequences := make([]int64, len(chunks))
	for i := range sequences {
		sequences[i] = info.LatestSequence + 1 + int64(i)
	}
	time.AfterFunc(later, func() { _, _ = h.Store.Append(context.Background(), stream, writer, chunks) })
	return sequences, nil
}

// tardy answers a cleanup of a stream with chunks and does it a moment later.
type tardy struct{ store.Store }

// Cleanup implements store.Store.
func (h tardy) Cleanup(ctx context.Context, stream string, step int64) error {
	// One that was asked for before the first chunk would otherwise remove a later one on a busy machine.
	if info, err := h.Info(ctx, stream); err != nil || info.LatestSequence == 0 {
		return h.Store.Cleanup(ctx, stream, step)
	}
	time.AfterFunc(later, func() { _ = h.Store.Cleanup(context.Background(), stream, step) })
	return nil
}

// replaying is a broken store: it records each write before it makes it, and makes a recorded write again when it starts,
// without checking whether the first one succeeded.
type replaying struct{ store.Store }

// note describes a write before it is made.
type note struct {
	Stream, Writer string
	Chunks         []store.Chunk
}

const noted = "noted"

// Append implements store.Store.
func (r replaying) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	_, version, err := r.Record(ctx, noted)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(note{stream, writer, chunks})
	if err == nil {
		err = r.SetRecord(ctx, store.Key{Name: noted}, version, text)
	}
	if err != nil {
		return nil, err
	}
	sequences, err := r.Store.Append(ctx, stream, writer, chunks)
	return sequences, errors.Join(err, r.SetRecord(ctx, store.Key{Name: noted}, version+1, nil))
}

// replay repeats a recorded write.
func (r replaying) replay(ctx context.Context) error {
	text, version, err := r.Record(ctx, noted)
	if err != nil || version == 0 {
		return err
	}
	var n note
	if err := json.Unmarshal(text, &n); err != nil {
		return err
	}
	_, err = r.Store.Append(ctx, n.Stream, n.Writer, n.Chunks)
	return errors.Join(err, r.SetRecord(ctx, store.Key{Name: noted}, version, nil))
}
