package helixui

import (
	"context"
	"sync"
	"sync/atomic"
)

// turn is one answer: the parts that were sent so far, to any reader.
type turn struct {
	Turn
	stop context.CancelFunc // ends the agent

	mu       sync.Mutex               // guards all below
	stored   []Event                  // by ascending ids; only appended
	over     bool                     // no part follows
	changed  chan struct{}            // closed when there is more
	barriers map[string]chan struct{} // each closed once it is released
	message  *assembly                // assembled from before and stored

	waiting []Call        // calls that the client has to answer
	later   []Instruction // what the agent does after that
	calls   int           // that the agent has made in the message
	answers []reply       // of the client, with which the turn begins
	before  []Event       // what the message had when it began, by ascending ids
	// answered is the id of the last part before it: who has that one begins with the start of the turn. 0 if before is empty.
	answered int
}

func newTurn(t Turn, stop context.CancelFunc) *turn {
	return &turn{Turn: t, stop: stop, changed: make(chan struct{}), barriers: map[string]chan struct{}{}, message: newAssembly(t.MessageID)}
}

// keep takes parts in, each under the next id.
// helix-ui.resume.ascending: ids count the parts of a chat.
func (t *turn) keep(next func() int, parts ...Part) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range parts {
		t.stored = append(t.stored, Event{next(), p})
		t.message.take(p)
	}
	t.wake()
}

// end ends the turn.
func (t *turn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	t.wake()
}

// wake is called with the lock.
func (t *turn) wake() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// now returns the stored parts, whether they are all, and a channel that is closed when there are more.
func (t *turn) now() (stored []Event, over bool, changed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stored, t.over, t.changed
}

// answer returns the message so far.
func (t *turn) answer() Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.message.assembled()
}

func (t *turn) barrier(name string) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.barriers[name] == nil {
		t.barriers[name] = make(chan struct{})
	}
	return t.barriers[name]
}

// release opens a barrier, which stays open.
func (t *turn) release(name string) {
	open := t.barrier(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-open:
	default:
		close(open)
	}
}

// await waits until a barrier is open.
func (t *turn) await(ctx context.Context, name string) error {
	select {
	case <-t.barrier(name):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// chat is a conversation: the messages of turns that are over, and the turn that is the latest.
type chat struct {
	owner int // the user who created it

	mu       sync.Mutex   // guards messages and latest
	messages []Message    // without the answer of latest
	latest   *turn        // nil before the first
	sent     atomic.Int64 // the latest id; a turn takes the next one while it is locked, and the chat may wait for the turn
}

// next returns the id of the next part.
func (c *chat) next() int { return int(c.sent.Add(1)) }

// turn returns the latest one, nil before the first.
func (c *chat) turn() *turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.latest
}

// history returns the messages of all finished turns, and with open that of the open one. helix-ui.replay.once: only the
// stream contains the content of the open turn.
func (c *chat) history(open bool) []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := append([]Message{}, c.messages...)
	if c.latest != nil {
		_, over, _ := c.latest.now() // first, because a finished turn doesn't change
		answer := c.latest.answer()
		switch {
		case over:
			all = append(all, answer)
		case open:
			answer.ID += "-partial"
			all = append(all, answer)
		}
	}
	return all
}

// reply is the client's answer to a call.
type reply struct {
	call Call // that the agent made
	part Part // of the message that the client posted
}
