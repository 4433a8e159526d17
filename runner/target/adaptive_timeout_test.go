package target

import (
	"math"
	"testing"
	"time"
)

// TestAdaptiveTimeout: waits of a kind get shorter once three of them ran out, but never
// too short for a healthy one.
func TestAdaptiveTimeout(t *testing.T) {
	const whole, fast, slow = 5 * time.Second, 2 * time.Millisecond, 200 * time.Millisecond
	fed := func(took time.Duration, times int) *adaptiveTimeout {
		p := &adaptiveTimeout{deadline: whole}
		for range times {
			p.succeeded(forFrame, took)
		}
		for range shortenAfter {
			if got := p.limit(forFrame); got != whole {
				t.Errorf("%v before three waits ran out", got)
			}
			p.exhausted(forFrame)
		}
		return p
	}
	for _, c := range []struct {
		name string
		p    *adaptiveTimeout
		want time.Duration
	}{
		{"a server that never sent any", fed(0, 0), minTimeout},
		{"a fast server", fed(fast, 40), minTimeout},
		{"a fast server that rarely lets one run out", fed(fast, 100), reliableTimeout},
		{"a server behind 200 ms", fed(slow, 100), 10 * slow},
		{"a server that takes a second", fed(time.Second, 3), whole},
		{"more than are kept", fed(slow, 3*storedWaits), 10 * slow},
	} {
		if got := c.p.limit(forFrame); got != c.want {
			t.Errorf("%s: waits last %v, want %v", c.name, got, c.want)
		}
		if got := c.p.limit(forHead); got != whole {
			t.Errorf("%s: waits of another kind last %v, want %v", c.name, got, whole)
		}
	}
	p := fed(fast, 40)
	p.succeeded(forFrame, time.Second) // it began before the third ran out
	if got := p.limit(forFrame); got != whole {
		t.Errorf("after a late one waits last %v, want %v", got, whole)
	}
	p = fed(fast, 40)
	p.succeeded(forFrame, fast)
	if got := p.limit(forFrame); got != minTimeout {
		t.Errorf("after a prompt one waits last %v, want %v", got, minTimeout)
	}
	p = &adaptiveTimeout{deadline: whole}
	p.succeeded(forControl, slow)
	for range shortenAfter {
		p.exhausted(forFrame)
	}
	if got := p.limit(forFrame); got != 10*slow {
		t.Errorf("without a healthy one of its kind a wait lasts %v, want %v", got, 10*slow)
	}
	for range silentAfter {
		p.exhausted(forEnd)
	}
	if got := p.limit(forEnd); got != 10*slow {
		t.Errorf("where it never ends, behind 200 ms, a wait lasts %v, want %v", got, 10*slow)
	}
	p = &adaptiveTimeout{deadline: whole}
	for range silentAfter {
		p.exhausted(forFrame)
	}
	if got := p.limit(forFrame); got != silentTimeout {
		t.Errorf("of a silent server a wait lasts %v, want %v", got, silentTimeout)
	}
}

// TestCounters: a quantile is exact to an eighth, and never too short.
func TestCounters(t *testing.T) {
	for _, d := range []time.Duration{0, 1, 7, 8, 9, 15, 16, 1000, time.Millisecond, 3 * time.Second, math.MaxInt64} {
		var one histogram
		one.add(d)
		if got := one.quantile(99); got < d || float64(got) > float64(max(d, 8))*1.13 {
			t.Errorf("%d is told as %d", d, got)
		}
	}
	var many histogram
	if got := many.quantile(99); got != 0 {
		t.Errorf("of none it is %v", got)
	}
	for i := range 1000 {
		many.add(time.Duration(i) * time.Millisecond)
	}
	if got := many.quantile(99); got < 980*time.Millisecond || got > 1120*time.Millisecond {
		t.Errorf("99 of a hundred took %v", got)
	}
}

// TestNoGraceForTheSilent: on a busy machine, waits for events that a server never sends aren't extended.
func TestNoGraceForTheSilent(t *testing.T) {
	defer strained(mostStrain)()
	tg := &adaptiveTimeout{deadline: sharp}
	since := time.Now().Add(-2 * time.Second)
	by := since.Add(time.Second)
	for n := range silentAfter {
		if got := tg.graceOf(forHead, since, by); got < time.Second/2 || got > time.Second {
			t.Fatalf("%v after %d waits ran out, expected as much as the wait itself", got, n)
		}
		tg.exhausted(forHead)
	}
	if got := tg.graceOf(forHead, since, by); got > 0 {
		t.Errorf("%v after all", got)
	}
	if got := tg.graceOf(forFrame, since, by); got <= 0 {
		t.Errorf("%v for what it may send", got)
	}
	tg.succeeded(forHead, time.Millisecond)
	tg.succeeded(forHead, time.Millisecond)
	if got := tg.graceOf(forHead, since, by); got <= 0 {
		t.Errorf("%v for what it sends now and then", got)
	}
}
