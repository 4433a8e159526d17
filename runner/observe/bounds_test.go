package observe_test

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/observe"
)

// TestARedirectThatGrowsWhenFolded: a name may be longer in lower case than it
// came. No form of a name of a secret shows its value.
func TestARedirectThatGrowsWhenFolded(t *testing.T) {
	for _, query := range []string{"?ȺȺȺȺȺȺȺȺtoken=hush", "?%74oKen=hush", "?\u212Aey=hush", "?ſecret=hush", "?a=1&TOKEN=hush&ȺȺKEY=hush"} {
		at := serving(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://other.invalid/x"+query)
			w.WriteHeader(http.StatusFound)
		})
		_, err := observe.Observe(context.Background(), observe.Request{URL: at}, observe.Options{Load: load})
		if err == nil || !strings.Contains(err.Error(), "other.invalid") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestASweepKeepsWhatItCompares: data between the events, of any size, takes no memory.
func TestASweepKeepsWhatItCompares(t *testing.T) {
	const frames = 40_000
	if _, err := load("helix"); err != nil { // once for all tests; it takes more
		t.Fatal(err)
	}
	for name, filler := range map[string]string{"comments": ":\n\n", "events of no type": "data:{}\n\n"} {
		at := serving(t, func(w http.ResponseWriter, r *http.Request) {
			if cursorOf(r) >= 4 {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			if cursorOf(r) == 0 {
				block := strings.Repeat(filler, 1000)
				for range frames / 1000 {
					_, _ = io.WriteString(w, block)
				}
			}
			for i := cursorOf(r) + 1; i <= 3; i++ {
				_, _ = io.WriteString(w, delta(i, strconv.Itoa(i)))
			}
			_, _ = io.WriteString(w, end)
		})
		done := certifytest.Heap(t, 16<<20)
		r := see(t, observe.Request{URL: at}, observe.Options{
			Sweep: &observe.SweepOptions{After: "1"}, Quiet: 20 * time.Second, Grace: 20 * time.Second,
		})
		done()
		if r.Sweep.Events != 3 || !r.Sweep.Finished || r.Sweep.Unproven != "" {
			t.Errorf("%s: %+v", name, r.Sweep)
		}
	}
}
