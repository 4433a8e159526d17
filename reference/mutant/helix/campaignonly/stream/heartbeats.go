package stream

import (
	"net/http"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// beats send a heartbeat where no line ends.
func beats() []edit.Mutant {
	return []edit.Mutant{
		{Name: "heartbeat-in-mid-event", Requirement: "helix.wire.json", Also: []string{"helix.chunks.strings-exact"},
			Summary: "A large event is written in slices, and a timer that fires between two of them writes its comment there.",
			Wrap: edit.OnReads(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(&beating{ResponseWriter: w}, r)
			})},
	}
}

const (
	slice    = 64 << 10
	overlong = 120 * time.Millisecond // after which the comment is expected
)

// beating writes in slices, and a comment behind one that took long.
type beating struct {
	http.ResponseWriter
	mu sync.Mutex
}

// Unwrap lets a ResponseController find the writer.
func (b *beating) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// Write implements http.ResponseWriter.
func (b *beating) Write(p []byte) (n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(p) > 0 && err == nil {
		part := p[:min(slice, len(p))]
		began := time.Now()
		wrote := 0
		wrote, err = b.ResponseWriter.Write(part)
		n, p = n+wrote, p[wrote:]
		if err == nil && len(p) > 0 && len(part) == slice && n+len(p) > 16*slice && time.Since(began) > overlong {
			_, err = b.ResponseWriter.Write([]byte(": heartbeat\n\n"))
		}
	}
	return n, err
}
