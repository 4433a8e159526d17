package helix

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix"
)

// chunkFrame is one chunk as a reader receives it.
func chunkFrame(n int) string {
	return fmt.Sprintf("id: %d\ndata: {\"type\":\"chunk\",\"sequence\":%d,\"chunk\":{\"type\":\"text_delta\",\"delta\":\"a\",\"timestamp\":1}}\n\n", n, n)
}

const (
	activeFrame = "id: 5\ndata: {\"type\":\"status\",\"status\":\"active\"}\n\n"
	endFrame    = "data: {\"type\":\"end\"}\n\n"
)

// served answers the nth reader with the nth list of writes, each flushed separately, and keeps the connection open unless
// the last one ends the stream.
func served(readers [][]string) *httptest.Server {
	turn := make(chan []string, len(readers))
	for _, r := range readers {
		turn <- r
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		writes := <-turn
		for _, s := range writes {
			_, _ = w.Write([]byte(s)) // a reader that left is no concern of this test
			_ = http.NewResponseController(w).Flush()
		}
		if len(writes) == 0 || writes[len(writes)-1] != endFrame {
			<-r.Context().Done()
		}
	}))
}

// TestAfterwards: after two readers of one stream, the shorter of which received the latest chunk, another one reads.
func TestAfterwards(t *testing.T) {
	for name, c := range map[string]struct {
		late []string
		want string
	}{
		"everything":                  {[]string{chunkFrame(1), chunkFrame(2), chunkFrame(3), chunkFrame(4), chunkFrame(5)}, ""},
		"after a status with its id":  {[]string{activeFrame, chunkFrame(1), chunkFrame(2), chunkFrame(3), chunkFrame(4), chunkFrame(5)}, ""},
		"with later chunks":           {[]string{chunkFrame(1), chunkFrame(2), chunkFrame(3), chunkFrame(4), chunkFrame(5), chunkFrame(6)}, ""},
		"and its end":                 {[]string{chunkFrame(1), chunkFrame(2), chunkFrame(3), chunkFrame(4), chunkFrame(5), endFrame}, ""},
		"without one in the middle":   {[]string{chunkFrame(1), chunkFrame(2), chunkFrame(4), chunkFrame(5)}, "helix.lifecycle.late-reader"},
		"without the last":            {[]string{chunkFrame(1), chunkFrame(2), chunkFrame(3), chunkFrame(4)}, "helix.lifecycle.late-reader"},
		"without the last at its end": {[]string{chunkFrame(1), chunkFrame(2), chunkFrame(3), chunkFrame(4), endFrame}, "helix.lifecycle.late-reader"},
	} {
		t.Run(name, func(t *testing.T) {
			found := readAfterwards(t, c.late)
			if c.want == "" && len(found) > 0 || c.want != "" && !slices.Contains(found, c.want) {
				t.Errorf("found %v, want %q", found, c.want)
			}
		})
	}
}

// readAfterwards plays the three readers and returns which requirements break.
func readAfterwards(t *testing.T, late []string) (found []string) {
	t.Helper()
	srv := served([][]string{{chunkFrame(1), chunkFrame(2), chunkFrame(3)}, {chunkFrame(4), chunkFrame(5)}, late})
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	tg, err := target.New(target.Config{URL: srv.URL, Timing: target.Timing{Deadline: 300 * time.Millisecond}}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	s := tg.Session(context.Background())
	defer s.Close()
	cursor := "3"
	for n, r := range []target.ReadRequest{{Stream: "s"}, {Stream: "s", Cursor: &cursor}} {
		reader, err := client.Attach(s, r)
		if err != nil {
			t.Fatal(err)
		}
		for range []int{3, 2}[n] {
			if _, err := reader.Next("a chunk", time.Now().Add(10*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
	}
	afterwards(s, 3) // from the start
	var seen []*record.Exchange
	for _, x := range s.Exchanges() {
		seen = append(seen, x.Record())
	}
	findings, _ := sideBySide(seen)
	for _, f := range findings {
		found = append(found, f.Requirement)
	}
	return found
}
