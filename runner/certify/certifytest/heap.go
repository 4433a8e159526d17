package certifytest

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// Heap measures the live heap until the returned function is called, which fails the test if the heap grew by more than
// most bytes. Garbage doesn't count: its amount depends on the load of the machine.
func Heap(t testing.TB, most int64) (done func()) {
	percent := debug.SetGCPercent(50) // so that the collector looks often
	runtime.GC()
	heap := func() int64 {
		s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(s)
		return int64(s[0].Value.Uint64())
	}
	before, end, highest := heap(), make(chan struct{}), make(chan int64)
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		top := heap()
		for {
			select {
			case <-tick.C:
				top = max(top, heap())
			case <-end:
				highest <- max(top, heap())
				return
			}
		}
	}()
	began := time.Now()
	return func() {
		t.Helper()
		close(end)
		grown := <-highest - before
		debug.SetGCPercent(percent)
		if t.Logf("%v, %d KiB more", time.Since(began), grown>>10); grown > most {
			t.Errorf("%d KiB more were kept, want at most %d", grown>>10, most>>10)
		}
	}
}
