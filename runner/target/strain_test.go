package target

import (
	"testing"
	"time"
)

// TestStrain: pieces of work of equal duration show an idle machine.
func TestStrain(t *testing.T) {
	for _, c := range []struct {
		name string
		late func(piece int) time.Duration
		want float64
	}{
		{"nothing else", func(int) time.Duration { return 0 }, 1},
		{"a collection of garbage", func(n int) time.Duration { return time.Duration(n%2) * time.Millisecond }, 1},
		{"five other processes", func(n int) time.Duration { return time.Duration(n%16/15) * 80 * time.Millisecond }, 6},
		{"a machine that stood still", func(n int) time.Duration { return time.Duration(n/127) * time.Minute }, mostStrain},
	} {
		clock, n := time.Unix(0, 0), 0
		got := strainOf(func() {
			clock = clock.Add(time.Millisecond + c.late(n))
			n++
		}, func() time.Time { return clock })
		if got < c.want*0.99 || got > c.want*1.01 {
			t.Errorf("%s: %v, expected %v", c.name, got, c.want)
		}
	}
	if got := strainOf(func() {}, func() time.Time { return time.Unix(0, 0) }); got != 1 {
		t.Errorf("a clock that stands still: %v", got)
	}
}

// TestGrace: a wait that a busy machine shortened goes on, and ends some time.
// strained makes this machine as busy as the argument, until the function that it returns is called.
func strained(value float64) (over func()) {
	here.mu.Lock()
	defer here.mu.Unlock()
	here.value, here.at = value, time.Now().Add(time.Hour)
	return func() {
		here.mu.Lock()
		here.at = time.Time{}
		here.mu.Unlock()
	}
}

func TestGrace(t *testing.T) {
	patient, hasty := &adaptiveTimeout{deadline: sharp}, &adaptiveTimeout{deadline: sharp - 1}
	since := time.Now().Add(-2 * time.Second)
	by := since.Add(time.Second)
	defer strained(1)()
	for strain, want := range map[float64]time.Duration{1: -time.Second, 4: 2 * time.Second, mostStrain: 6 * time.Second} {
		here.mu.Lock()
		here.value = strain
		here.mu.Unlock()
		if got := patient.Grace(since, by); got < want-time.Second/2 || got > want {
			t.Errorf("a strain of %v: %v more, expected %v", strain, got, want)
		}
		if got := hasty.Grace(since, by); got > 0 {
			t.Errorf("a strain of %v: %v more than a deadline that is sharp", strain, got)
		}
	}
}

// BenchmarkStrain measures a machine that is as busy as this one is.
func BenchmarkStrain(b *testing.B) {
	var sum float64
	for b.Loop() {
		sum += strainOf(work, time.Now)
	}
	b.ReportMetric(sum/float64(b.N), "strain")
}
