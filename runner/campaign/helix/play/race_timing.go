package play

import (
	"math"
	"sync"
	"time"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
)

// pace is that of a race whose readers come and go: each write begins when a reader comes, so that it falls between what
// that reader finds stored and what it is told later, and each reader leaves when it has what was written since it came.
// A nil one lets everybody go as fast as they can.
type pace struct {
	writers int
	came    chan struct{} // has something in it for each write that may begin

	mu       sync.Mutex
	order    map[string]int // of the chunks that are written, by what marks them: how many were accepted before
	accepted int            // chunks
}

func newPace(writers, each int) *pace {
	return &pace{writers: writers, came: make(chan struct{}, writers*each), order: map[string]int{}}
}

// adaptiveTimeout is how long a write waits for a reader. Perhaps none comes any more, since each waits for a chunk that is lost.
const adaptiveTimeout = 5 * time.Millisecond

// before holds a write until a reader comes, and notes what it writes.
func (p *pace) before(chunks []*streammodel.Chunk) {
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

// after notes that a write was accepted.
func (p *pace) after(chunks []*streammodel.Chunk) {
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

// comes tells each writer that a reader is about to come. It returns how many chunks were accepted before.
func (p *pace) comes() int {
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

// isNews reports whether a chunk was accepted after so many others, or isn't yet.
func (p *pace) isNews(marker string, since int) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at, is := p.order[marker]
	return is && at >= since
}
