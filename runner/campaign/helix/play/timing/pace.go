package timing

import (
	"math"
	"sync"
	"time"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
)

// Pace paces a race whose readers come and go. Each write begins when a reader attaches, so that it falls between the
// stored events of that reader and the live ones. Each reader leaves after the chunks accepted since it attached. The
// methods of a nil Pace return at once.
//
// Invariants: order of an accepted chunk is below accepted, and math.MaxInt before that. came never blocks a reader.
type Pace struct {
	writers int           // each may begin one write for each reader that attaches
	came    chan struct{} // has a value for each write that may begin

	mu       sync.Mutex     // guards all below
	order    map[string]int // by marker of a chunk: how many were accepted before it
	accepted int            // number of accepted chunks
}

// New returns the pace of a race of writers, each of which makes at most each writes.
func New(writers, each int) *Pace {
	return &Pace{writers: writers, came: make(chan struct{}, writers*each), order: map[string]int{}}
}

// adaptiveTimeout limits the time for which a write waits for a reader. No reader may come if each of them waits for a lost chunk.
const adaptiveTimeout = 5 * time.Millisecond

// Before delays a write until a reader attaches, and records its chunks.
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

// After records that a write was accepted.
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

// Comes lets each writer write once, as a reader is about to attach. It returns how many chunks were accepted before.
func (p *Pace) Comes() int {
	if p == nil {
		return 0
	}
	for range p.writers {
		select {
		case p.came <- struct{}{}:
		default: // enough writes may begin already
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.accepted
}

// IsNews reports whether a chunk was accepted after the first so many, or isn't yet accepted.
func (p *Pace) IsNews(marker string, since int) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at, is := p.order[marker]
	return is && at >= since
}
