package timing

import (
	"math"
	"sync"
	"time"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
)

// Pace paces a race whose readers come and go: each write begins when a reader comes, so that it falls between what
// that reader finds stored and what it receives later, and each reader leaves when it has what was written since it came.
// A nil Pace makes no caller wait.
//
// Invariants: order of an accepted chunk is below accepted, and math.MaxInt before that. came never blocks a reader.
type Pace struct {
	writers int
	came    chan struct{} // has something in it for each write that may begin

	mu       sync.Mutex
	order    map[string]int // of the chunks that are written, by what marks them: how many were accepted before
	accepted int            // chunks
}

// New returns the pace of a race of so many writers, which write each at most so many times.
func New(writers, each int) *Pace {
	return &Pace{writers: writers, came: make(chan struct{}, writers*each), order: map[string]int{}}
}

// adaptiveTimeout is how long a write waits for a reader. Perhaps none comes any more, since each waits for a chunk that is lost.
const adaptiveTimeout = 5 * time.Millisecond

// Before delays a write until a reader comes, and notes what it writes.
func (p *Pace) Before(chunks []*streammodel.Chunk) {
	if p == nil {
		return
	}
	select {
	case <-p.came:
	case <-time.After(adaptiveTimeout):
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, chunk := range chunks {
		p.order[chunk.Marker] = math.MaxInt
	}
}

// After notes that a write was accepted.
func (p *Pace) After(chunks []*streammodel.Chunk) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, chunk := range chunks {
		p.order[chunk.Marker] = p.accepted
		p.accepted++
	}
}

// Comes tells each writer that a reader is about to come. It returns how many chunks were accepted before.
func (p *Pace) Comes() int {
	if p == nil {
		return 0
	}
	for range p.writers {
		select {
		case p.came <- struct{}{}:
		default: // they have enough to begin with
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.accepted
}

// IsNews reports whether a chunk was accepted after so many others, or isn't yet.
func (p *Pace) IsNews(marker string, since int) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at, is := p.order[marker]
	return is && at >= since
}
