package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/report"
)

// laborious is a frame that takes whatever reads it seconds: a patch of n operations.
func laborious(n int) string {
	const operation = `{"op":"add","path":"/a/0","value":1}`
	return `id: 1` + "\n" + `data: {"type":"chunk","sequence":1,"chunk":{"type":"state_patch","agentId":"r","timestamp":1702329600000,"patches":[{"op":"add","path":"/a","value":[]},` +
		strings.Repeat(operation+",", n-1) + operation + "]}}\n\n"
}

// output is what a command writes, which may go on while it is read.
type output struct {
	mu sync.Mutex
	bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.Buffer.Write(p)
}

// TestAnyMomentIsOneToEndAt interrupts commands at drawn moments while they work on what takes long. Each ends soon, and
// certify with its reports. The soak draws fifty moments, and works with a file seven times as large.
func TestAnyMomentIsOneToEndAt(t *testing.T) {
	moments, size := 2, 60_000
	if os.Getenv("STREAMCERT_SOAK") != "" {
		moments, size = 50, 400_000
	}
	frame := laborious(size)
	h := cmdtest.Mutant(t, "says-done")
	hostile := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/events") {
			h.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, frame)
	}))
	t.Cleanup(func() { h.Close(); hostile.Close() })
	recording := cmdtest.Write(t, "recording.sse", strings.Repeat(frame, 3))
	written := edited(t, filepath.Join(certified(t), report.JSONFile), func(r *report.Report) {
		for i := range r.Scenarios {
			for j := range r.Scenarios[i].Exchanges {
				r.Scenarios[i].Exchanges[j].Frames = report.NewBody([]byte(frame))
			}
		}
	})
	for _, line := range [][]string{
		{"check", "--pack", "helix", recording}, {"view", recording}, {"verify", written}, {"observe", hostile.URL + "/streams/s/events"},
		{"probe", "--target", hostile.URL, "--pack", "helix"}, {"certify", "--target", hostile.URL, "--pack", "helix", "--only", "helix.wire.*"},
	} {
		t.Run(line[0], func(t *testing.T) {
			draw := rand.New(rand.NewPCG(1, uint64(len(line[0]))))
			for range moments {
				interruptedAt(t, time.Duration(draw.Int64N(int64(time.Second))), line)
			}
		})
	}
}

func interruptedAt(t *testing.T, moment time.Duration, line []string) {
	t.Helper()
	dir := ""
	if line[0] == "certify" {
		dir = t.TempDir()
		line = append(line[:len(line):len(line)], "--out", dir)
	}
	ctx, interrupt := context.WithTimeout(t.Context(), moment)
	defer interrupt()
	var out, errs output
	ended := make(chan int, 1)
	go func() { ended <- testApp().Run(ctx, line, strings.NewReader(""), &out, &errs) }()
	<-ctx.Done()
	select {
	case code := <-ended:
		if code == misuse {
			t.Errorf("interrupted after %v, it ends with %d: %s", moment, code, errs.String())
		}
	case <-time.After(10 * time.Second): // two seconds, on a machine that is busy with other tests
		t.Fatalf("interrupted after %v, it goes on: %s", moment, fmt.Sprint(line))
	}
	if dir == "" {
		return
	}
	if _, err := os.Stat(filepath.Join(dir, report.JSONFile)); err != nil {
		t.Errorf("interrupted after %v, it leaves no report: %v", moment, err)
	}
}
