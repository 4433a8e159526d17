package redis

import (
	"context"
	"sort"
	"sync"

	"github.com/streamcert/streamcert/reference/store"
)

const (
	page        = 256     // entries that one read takes
	mostEntries = 1024    // entries that are stored for the readers of a stream
	mostBytes   = 4 << 20 // and how many bytes
)

// hubs are the hubs of the streams that have readers in this process.
type hubs struct {
	client *client // of the store

	mu   sync.Mutex                 // guards open
	open map[string]map[string]*hub // by name and epoch; each has at least one reader
}

// hub caches the end of a stream's log for its readers in this process, so that one read serves them all.
type hub struct {
	s           *hubs  // that it leaves with its last reader
	name, epoch string // of the stream

	reading sync.Mutex     // one read at a time
	running sync.WaitGroup // the read, if there is one

	mu         sync.Mutex           // guards all below
	requested  bool                 // a read is requested, or one runs and another is requested
	active     bool                 // a goroutine reads
	subs       int                  // readers; the hub leaves hubs with the last
	read       map[*subscription]id // how far those have come that were here already
	from       id                   // stored contains the entries after it and up to head
	head       id                   // of the last entry that was read
	entries    []entry              // in order
	bytes      int64                // of entries, about
	lastNotice int64                // the number of the last notice that was read
	gone       error                // why nothing more will come
	wake       chan struct{}        // closed when there is something new
}

// join returns the hub of a stream, with one more reader.
func (s *hubs) join(name string, d description) *hub {
	s.mu.Lock()
	defer s.mu.Unlock()
	lives := s.open[name]
	if lives == nil {
		lives = map[string]*hub{}
		s.open[name] = lives
	}
	h := lives[d.epoch]
	if h == nil {
		at := id{sequence: d.LatestSequence}
		h = &hub{s: s, name: name, epoch: d.epoch, from: at, head: at, lastNotice: d.notices, wake: make(chan struct{}), read: map[*subscription]id{}}
		lives[d.epoch] = h
		h.refresh() // nothing has announced changes since the stream was described
	}
	h.subs++
	return h
}

// removed reports whether cached entries were removed before a stream was described.
func (h *hub) removed(d description) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(h.entries)
	return h.lastNotice < d.notices || d.Terminal == 0 && n > 0 && h.entries[n-1].event.Kind.Terminal()
}

// leave is the end of a reader.
func (h *hub) leave(r *subscription) {
	h.mu.Lock()
	delete(h.read, r)
	h.mu.Unlock()
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	if h.subs--; h.subs > 0 {
		return
	}
	delete(h.s.open[h.name], h.epoch)
	if len(h.s.open[h.name]) == 0 {
		delete(h.s.open, h.name)
	}
}

// refresh reads new events, soon, in the background.
func (h *hub) refresh() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requested = true
	if h.active || h.s.client.closing.Err() != nil {
		return
	}
	h.active = true
	h.running.Go(func() {
		for h.takeRequest() {
			// An error is followed by another wait for changes, which asks again when Redis is back.
			_ = h.advance(h.s.client.closing)
		}
	})
}

func (h *hub) takeRequest() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.active = h.requested
	h.requested = false
	return h.active
}

// advance reads the log to its end.
func (h *hub) advance(ctx context.Context) error {
	h.reading.Lock()
	defer h.reading.Unlock()
	for {
		h.mu.Lock()
		head, gone := h.head, h.gone
		h.mu.Unlock()
		if gone != nil {
			return gone
		}
		found, more, err := h.fetch(ctx, head, page)
		if err != nil && err != store.ErrUnknownStream {
			return err
		}
		h.take(found, err)
		if err != nil || !more {
			return err
		}
	}
}

// fetch reads up to most entries after an id, in order, and reports whether there are more. Errors: store.ErrUnknownStream if
// the stream of this epoch is gone.
func (h *hub) fetch(ctx context.Context, after id, most int) (found []entry, more bool, err error) {
	answer, err := h.s.client.run(ctx, h.s.client.scripts.tail, h.name, after.String(), most)
	if err != nil {
		return nil, false, err
	}
	if text(answer[0]) != h.epoch {
		return nil, false, store.ErrUnknownStream
	}
	log, err := entries(answer[1])
	if err != nil {
		return nil, false, err
	}
	notices, err := entries(answer[2])
	if err != nil {
		return nil, false, err
	}
	found, more = merge(log, notices, most)
	return found, more, nil
}

// merge joins two pages of so many entries by the order of their ids, up to where both are known.
func merge(log, notices []entry, most int) (found []entry, more bool) {
	found = append(log, notices...)
	sort.SliceStable(found, func(i, j int) bool { return found[i].at.before(found[j].at) })
	for _, one := range [][]entry{log, notices} {
		if len(one) < most {
			continue
		}
		more = true
		last := one[len(one)-1].at
		found = found[:sort.Search(len(found), func(i int) bool { return last.before(found[i].at) })]
	}
	return found, more
}

// take caches the entries that were read and wakes the readers.
func (h *hub) take(found []entry, gone error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	// A terminal event is read again each time: a notice goes before it, and a reset takes it away.
	if n := len(h.entries); n > 0 && h.entries[n-1].event.Kind.Terminal() {
		h.bytes -= h.entries[n-1].size()
		h.entries = h.entries[: n-1 : n-1] // readers use the other part
	}
	if len(found) == 0 && gone == nil {
		return
	}
	h.gone = gone
	for _, e := range found {
		h.entries, h.bytes = append(h.entries, e), h.bytes+e.size()
		if !e.event.Kind.Terminal() {
			h.head = e.at
		}
		h.lastNotice = max(h.lastNotice, e.number)
		// helix.truncation.in-flight, helix.replicas.removed: entries that were read before the cleanup aren't delivered
		// after its notice: readers that haven't received them read the log.
		if e.event.Kind == store.Truncated {
			h.from, h.entries, h.bytes = h.head, nil, 0
		}
	}
	h.drop(h.delivered())
	for len(h.entries) > 1 && (len(h.entries) > mostEntries || h.bytes > mostBytes) {
		h.drop(len(h.entries) / 2)
	}
	close(h.wake)
	h.wake = make(chan struct{})
}

// delivered returns how many of the cached entries every reader has received. Later readers read the log.
func (h *hub) delivered() int {
	all := h.head
	for _, at := range h.read {
		if at.before(all) {
			all = at
		}
	}
	return h.search(all)
}

// search returns how many of the cached entries have an id of at most the given one.
func (h *hub) search(at id) int {
	return sort.Search(len(h.entries), func(i int) bool { return at.before(h.entries[i].at) })
}

// drop lets go of the first n of the stored entries.
func (h *hub) drop(n int) {
	if n == 0 {
		return
	}
	for _, e := range h.entries[:n] {
		h.bytes -= e.size()
	}
	h.from = h.entries[n-1].at
	h.entries = append([]entry(nil), h.entries[n:]...)
}

// after returns the cached entries after a reader's position, at most so many, and a channel that wakes a reader that has
// all of them. Without that channel the reader has to read the log, up to the position where the cached entries begin.
func (h *hub) after(r *subscription, most int) (found []entry, wake <-chan struct{}, from id, gone error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gone != nil {
		return nil, nil, from, h.gone
	}
	h.read[r] = r.at
	if r.at.before(h.from) {
		return nil, nil, h.from, nil
	}
	i := h.search(r.at)
	return h.entries[i:min(len(h.entries), i+most)], h.wake, h.from, nil
}
