package certify

import "sync"

// repeats lists the rows to run again because the server closed an idle connection under a call, or ended while the row was
// open. It is safe for concurrent use.
type repeats struct {
	mu       sync.Mutex      // guards all below
	deferred []rowKey        // those that wait for their repetition; none are added during one
	lost     map[rowKey]bool // those that run again now; nil before and after
}

// puts queues a row to run again. It reports false for a row that has been run again.
func (p *repeats) puts(key rowKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost != nil {
		return false
	}
	p.deferred = append(p.deferred, key)
	return true
}

// begin takes the queued rows for repetition until end is called, and returns the locations of their scenarios.
func (p *repeats) begin() map[string]bool {
	p.mu.Lock() // probes are still there
	defer p.mu.Unlock()
	if len(p.deferred) == 0 {
		return nil
	}
	locations := map[string]bool{}
	p.lost = map[rowKey]bool{}
	for _, key := range p.deferred {
		p.lost[key], locations[key.location] = true, true
	}
	p.deferred = nil
	return locations
}

func (p *repeats) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = nil
}

// take reports whether a row runs now: any, or in a repetition one whose calls got lost.
func (p *repeats) take(key rowKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost == nil || p.lost[key]
}
