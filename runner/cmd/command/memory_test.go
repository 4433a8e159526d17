package command

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestHeadroomAboveWhatIsInUse: the limit of memory is above what is in use, up to the largest, and returns with it.
func TestHeadroomAboveWhatIsInUse(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	keepHeadroom()
	for _, c := range []struct{ inUse, least, most int64 }{
		{180 << 20, 180<<20 + headroom, largest},
		{300 << 20, largest, largest},
		{0, memory, memory},
	} {
		held := make([]byte, c.inUse)
		limit := int64(0)
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline) && (limit < c.least || limit > c.most); {
			runtime.GC()
			limit = debug.SetMemoryLimit(-1)
		}
		if limit < c.least || limit > c.most {
			t.Errorf("%d MiB are in use, and the limit is %d MiB", c.inUse>>20, limit>>20)
		}
		runtime.KeepAlive(held)
	}
}
