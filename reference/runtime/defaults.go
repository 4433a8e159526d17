package runtime

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Memory stores checkpoints in memory. The zero value is ready to use.
type Memory struct {
	mu          sync.Mutex              // guards checkpoints
	checkpoints map[string][]Checkpoint // by stream, oldest first
}

// Save implements Checkpoints.
func (m *Memory) Save(_ context.Context, stream string, c Checkpoint) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.checkpoints == nil {
		m.checkpoints = map[string][]Checkpoint{}
	}
	m.checkpoints[stream] = append(m.checkpoints[stream], c)
	return nil
}

// Load implements Checkpoints.
func (m *Memory) Load(_ context.Context, stream, id string) (Checkpoint, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := m.find(stream, id); i >= 0 {
		return m.checkpoints[stream][i], true, nil
	}
	return Checkpoint{}, false, nil
}

// Discard implements Checkpoints.
func (m *Memory) Discard(_ context.Context, stream, after string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := m.find(stream, after); i >= 0 {
		m.checkpoints[stream] = slices.Delete(m.checkpoints[stream], i+1, len(m.checkpoints[stream]))
	}
	return nil
}

// Forget implements Checkpoints.
func (m *Memory) Forget(stream string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.checkpoints, stream)
}

// find returns the index of a checkpoint, -1 if there is none.
func (m *Memory) find(stream, id string) int {
	if id == "" {
		return len(m.checkpoints[stream]) - 1
	}
	return slices.IndexFunc(m.checkpoints[stream], func(c Checkpoint) bool { return c.ID == id })
}

// RandomIDs makes ids of random bytes.
type RandomIDs struct{}

// New implements IDs.
func (RandomIDs) New(kind string) string { return kind + "-" + random(8) }

// Checkpoint implements IDs.
func (RandomIDs) Checkpoint(session string, stepCount int, at time.Time) string {
	// helix.checkpoints.id-form: the id is built from the session, step and time of the checkpoint.
	return fmt.Sprintf("cpv1-%s-s%d-t%d-%s", session, stepCount, at.UnixMilli(), random(4))
}

// random returns n random bytes in hexadecimal digits.
func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// SystemClock is the time of day.
type SystemClock struct{}

// Now implements Clock.
func (SystemClock) Now() time.Time { return time.Now() }

// AfterFunc implements Clock.
func (SystemClock) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }

// WithDefaults returns the ports with every default filled in, so that a decorator has something to wrap.
func (p Ports) WithDefaults() Ports {
	if p.Clock == nil {
		p.Clock = SystemClock{}
	}
	if p.Checkpoints == nil {
		p.Checkpoints = new(Memory)
	}
	if p.IDs == nil {
		p.IDs = RandomIDs{}
	}
	if p.Model == nil {
		p.Model = func(m Model) Model { return m }
	}
	if p.Pieces == nil {
		p.Pieces = Words
	}
	if p.Increments == nil {
		p.Increments = Words
	}
	if p.Arguments == nil {
		p.Arguments = Coerce
	}
	if p.Classify == nil {
		p.Classify = Classify
	}
	if p.Fenced == nil {
		p.Fenced = func(token, current int64) bool { return token < current }
	}
	if p.Discards == nil {
		// helix.checkpoints.interrupted: an interrupted step is announced whatever it had staged.
		p.Discards = func(staged, interrupted bool) bool { return staged || interrupted }
	}
	return p
}
