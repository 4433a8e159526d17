package target

import (
	"math"
	"math/bits"
	"slices"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// waitKind classifies waits by the event they wait for. Waits of one kind take about the same time.
type waitKind int

const (
	forHead     waitKind = iota // the head of a response
	forFrame                    // the next frame of a stream
	forEnd                      // the end of a body
	forControl                  // the answer to a call of the control binding
	forDocument                 // the answer to a request for a document
	waitKinds
)

// ofAnswer returns the kind of a wait for a unary answer.
func ofAnswer(k record.Kind) waitKind {
	if k == record.Control {
		return forControl
	}
	return forDocument
}

const (
	// shortenAfter is the number of timeouts of a kind after which its waits are shortened.
	shortenAfter = 3
	// minTimeout is the minimum duration of a shortened wait.
	minTimeout = 250 * time.Millisecond
	// silentAfter is the number of timeouts of a kind for each successful wait from which the server counts as one that
	// never sends such an event, and silentTimeout the minimum duration of waits for it then.
	silentAfter   = 16
	silentTimeout = 50 * time.Millisecond
	// reliableAfter is the number of successful waits of a kind for each timeout from which the server counts as one that
	// sends such events, and reliableTimeout the minimum duration of waits for it then: timeouts are rare, and one may be
	// that of a busy machine.
	reliableAfter   = 16
	reliableTimeout = 2 * time.Second
	// timeoutFactor is the duration of a shortened wait, as a multiple of the usual successful wait.
	timeoutFactor = 10
	// storedWaits limits the successful waits of a kind that are stored, the last ones.
	storedWaits = 1024
)

// adaptiveTimeout bounds the waits of a run. A server that never sends something would
// make a run wait for it a thousand times; after a few times the run knows, and
// waits only as long as a healthy wait could take on this server. It is safe for
// concurrent use.
type adaptiveTimeout struct {
	deadline time.Duration // of the config, scaled
	delivery time.Duration // of frames, where it isn't the deadline; 0 is the deadline

	mu    sync.Mutex       // guards all below
	kinds [waitKinds]waits // by the kind of wait
	took  histogram        // of every healthy wait
}

// waits records the outcomes of the waits of one kind.
type waits struct {
	ranOut  int             // timeouts since the last wait that succeeded after the deadline
	healthy []time.Duration // durations of the latest waits that succeeded, a ring once it is full
	next    int             // index in healthy that the next one replaces, once it is full
}

// limit returns the longest duration of a wait that begins now.
func (p *adaptiveTimeout) limit(k waitKind) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	most := p.deadline
	if k == forFrame && p.delivery > 0 {
		most = p.delivery
	}
	if p.kinds[k].ranOut < shortenAfter {
		return most
	}
	return min(most, p.shortened(k))
}

// shortened returns the limit of a wait of a kind that often times out: a multiple of the usual successful wait. A kind
// without a successful wait uses the usual waits of the other kinds.
func (p *adaptiveTimeout) shortened(k waitKind) time.Duration {
	w, least := &p.kinds[k], minTimeout
	usual := w.quantile(99)
	if len(w.healthy) == 0 {
		for i := range p.kinds {
			usual = max(usual, p.kinds[i].quantile(50))
		}
	}
	if w.silent() {
		least = silentTimeout
	}
	if len(w.healthy) >= reliableAfter*w.ranOut {
		least = reliableTimeout
	}
	return max(least, timeoutFactor*usual)
}

// silent reports whether the server is taken for one that never sends such a thing.
func (w *waits) silent() bool {
	return w.ranOut >= silentAfter && len(w.healthy) <= w.ranOut/silentAfter
}

func (p *adaptiveTimeout) isSilent(k waitKind) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kinds[k].silent()
}

// quantile returns the time within which the given percentage of the kind's successful waits ended; 0 for none.
func (w *waits) quantile(of int) time.Duration {
	n := len(w.healthy)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(w.healthy))
	return sorted[(n-1)*of/100]
}

// succeeded takes in a healthy wait. One that took longer than a shortened one may
// shows that the server is slow and not silent.
func (p *adaptiveTimeout) succeeded(k waitKind, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took.add(took)
	w := &p.kinds[k]
	if w.ranOut > 0 && took > minTimeout && took > p.shortened(k) {
		w.ranOut = 0
	}
	if len(w.healthy) < storedWaits {
		w.healthy = append(w.healthy, took)
		return
	}
	w.healthy[w.next] = took
	w.next = (w.next + 1) % storedWaits
}

// exhausted takes in a wait that ran out.
func (p *adaptiveTimeout) exhausted(k waitKind) {
	p.mu.Lock()
	p.kinds[k].ranOut++
	p.mu.Unlock()
}

// histogram counts durations by their size, to an eighth: a server that floods a run with frames makes millions of waits.
type histogram struct {
	counts [64 << histogramBits]int // by the position of the highest bit of a duration and the bits after it
	all    int                      // sum of counts
}

const histogramBits = 3 // number of bits of a size that are stored after its first bit

func (t *histogram) add(d time.Duration) {
	n := uint64(max(d, 1<<histogramBits))
	behind := bits.Len64(n) - 1 - histogramBits
	t.counts[behind<<histogramBits|int(n>>behind&(1<<histogramBits-1))]++
	t.all++
}

// quantile returns the given percentile of the durations, rounded up to the end of its bucket; 0 for none.
func (t *histogram) quantile(of int) time.Duration {
	if t.all == 0 {
		return 0
	}
	left := (t.all - 1) * of / 100
	for i, n := range t.counts {
		if left -= n; left < 0 {
			behind, first := i>>histogramBits, i&(1<<histogramBits-1)|1<<histogramBits
			return time.Duration(uint64(first+1)<<behind - 1)
		}
	}
	return math.MaxInt64
}

// Usual returns the 99th percentile of the waits that succeeded, rounded up by at most an eighth; 0 if none did. Callers
// choose deadlines by it.
func (p *adaptiveTimeout) Usual() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.took.quantile(99)
}

// By returns the deadline of a wait for a frame that begins now. After waits for
// frames have run out three times it is no later than a healthy one needs.
func (p *adaptiveTimeout) By() time.Time { return time.Now().Add(p.limit(forFrame)) }

// Grace returns how much longer a wait from since to by may last because this machine is busy: 0 or less if it isn't, or if
// the wait had that time already. A deadline shorter than sharp isn't extended.
func (p *adaptiveTimeout) Grace(since, by time.Time) time.Duration {
	if p.deadline < sharp {
		return time.Until(by)
	}
	return time.Until(since.Add(time.Duration(here.now() * float64(by.Sub(since)))))
}

// graceOf is [Targep.Grace] of a wait of a kind, no more at a time than the wait itself: meanwhile the machine may have
// become idle, or other waits may have shown that the server never sends such a thing. Then it gets no more time.
func (p *adaptiveTimeout) graceOf(k waitKind, since, by time.Time) time.Duration {
	if p.isSilent(k) {
		return time.Until(by)
	}
	return min(p.Grace(since, by), max(by.Sub(since), minTimeout))
}

// Overdue reports whether something that is awaited since a time, and is looked for again and again, should have come.
func (p *adaptiveTimeout) Overdue(since time.Time) bool {
	by := since.Add(p.limit(forFrame))
	return time.Now().After(by) && p.Grace(since, by) <= 0
}
