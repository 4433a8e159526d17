package helix

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/reference"
	seams "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// wholes are mutants that only a run of many scenarios shows.
func wholes() []Mutant {
	return []Mutant{{
		Name: "checkpoint-ids-of-a-byte", Requirement: "helix.checkpoints.unique", Stateful: true, Whole: true,
		Summary: "The number of a checkpoint is kept in a byte, and begins anew.",
		Apply: seams.OnIDs(func(_ runtime.IDs, i *seams.IDs) {
			var n atomic.Uint32
			i.OnCheckpoint = func(string, int, time.Time) string { return fmt.Sprint("checkpoint-", n.Add(1)%256) }
		}),
	}, {
		Name: "session-ids-begin-anew", Requirement: "helix.subagents.unique", Stateful: true, Whole: true,
		Summary: "Every 300th session has the id of the first again, those of sub-agents among them.",
		Apply: seams.OnIDs(func(inner runtime.IDs, i *seams.IDs) {
			var n atomic.Uint32
			i.OnNew = func(kind string) string {
				if kind == "session" {
					return fmt.Sprint("session-", n.Add(1)%300)
				}
				return inner.New(kind)
			}
		}),
	}, {
		Name: "chunk-of-another-stream-once", Requirement: "helix.security.isolation", Stateful: true, Whole: true,
		Summary: "Every 200th chunk is sent from a buffer that another stream has filled.",
		Apply:   buffersCross(200),
	}}
}

// buffersCross gives a reader a chunk of another stream once in a number of chunks.
func buffersCross(each int) apply {
	return func(o reference.Options) reference.Options { return buffers(each)(o) }
}

// buffers are those of one server.
func buffers(each int) apply {
	var mu sync.Mutex
	n, buffer, of := 0, store.Chunk{}, ""
	return onEvents(func(v visit, e store.Event) []store.Event {
		if e.Kind != store.ChunkWritten {
			return []store.Event{e}
		}
		mu.Lock()
		defer mu.Unlock()
		n++
		own := e.Chunk
		if n >= each && of != "" && of != v.Stream {
			n, e.Chunk = 0, buffer
		}
		buffer, of = own, v.Stream
		return []store.Event{e}
	})
}
