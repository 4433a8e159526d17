package merlin

import "sync"

// meeting synchronises the streams of a program at their barriers.
type meeting struct {
	mu     sync.Mutex // guards all below
	met    *sync.Cond // signalled when a round ends
	all    int        // that haven't left
	here   int        // streams that wait; at most all
	rounds int        // that have ended
}

func newMeeting(all int) *meeting {
	m := &meeting{all: all}
	m.met = sync.NewCond(&m.mu)
	return m
}

// meet waits until everybody is here who hasn't left.
func (m *meeting) meet() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.here++
	round := m.rounds
	for m.begin(); round == m.rounds; {
		m.met.Wait()
	}
}

// leave goes for good.
func (m *meeting) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all--
	m.begin()
}

// begin wakes all streams if none is missing. The meeting is locked.
func (m *meeting) begin() {
	if m.here > 0 && m.here >= m.all {
		m.here, m.rounds = 0, m.rounds+1
		m.met.Broadcast()
	}
}
