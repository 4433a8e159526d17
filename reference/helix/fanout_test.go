package helix_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// BenchmarkFanout100 writes to one stream with 100 readers over loopback and reports the events a second that
// reached readers, in total: in arrays over HTTP; chunk by chunk into the store, so that the writer's round trips are left
// out; and in lockstep, where the next chunk is written when all readers have the one before, so that every event is
// flushed separately.
func BenchmarkFanout100(b *testing.B) {
	const readers, batch = 100, 100
	chunk := `{"type":"text_delta","agentId":"a","agentType":"t","timestamp":1702329600000,"step":1,"delta":"word "}`
	b.Run("arrays", func(b *testing.B) {
		body := "[" + strings.Repeat(chunk+",", batch-1) + chunk + "]"
		log := &store.Memory{}
		fanout(b, log, log, readers, batch, func(s *service, _ *received) error {
			if answer := s.write("s", body); !strings.HasPrefix(answer, "201") {
				return errors.New(answer)
			}
			return nil
		})
	})
	for _, lockstep := range []bool{false, true} {
		b.Run(map[bool]string{false: "chunks", true: "lockstep"}[lockstep], func(b *testing.B) {
			log := &store.Memory{}
			written := int64(0)
			fanout(b, log, log, readers, 1, func(s *service, r *received) error {
				if lockstep {
					r.await(written * readers)
				}
				written++
				_, err := log.Append(b.Context(), "s", s.writer, []store.Chunk{{JSON: json.RawMessage(chunk), Step: 1, HasStep: true}})
				return err
			})
		})
	}
}

// received counts the events that all readers have received.
type received struct {
	mu    sync.Mutex
	grown *sync.Cond
	n     int64
}

func (r *received) add(n int) {
	r.mu.Lock()
	r.n += int64(n)
	r.mu.Unlock()
	r.grown.Signal()
}

func (r *received) await(n int64) {
	r.mu.Lock()
	for r.n < n {
		r.grown.Wait()
	}
	r.mu.Unlock()
}

// fanout opens a stream of one store, has it written to, and ends it. It returns how many events a second reached the
// readers of another, in total.
func fanout(b *testing.B, written, read store.Store, readers, batch int, write func(*service, *received) error) (rate float64) {
	server := httptest.NewServer(helix.New(helix.Options{Store: read}))
	defer server.Close()
	s := &service{TB: b, url: server.URL, client: &http.Client{Transport: &http.Transport{}}}
	var err error
	if s.writer, err = written.OpenWriter(b.Context(), "s"); err != nil {
		b.Fatal(err)
	}
	var reading sync.WaitGroup
	r := &received{}
	r.grown = sync.NewCond(&r.mu)
	for range readers {
		answer := s.do("GET", "/streams/s/events", "")
		reading.Go(func() {
			defer answer.Body.Close()
			if n := countEvents(answer.Body, r.add); n != b.N*batch+1 {
				b.Errorf("a reader got %d events, want %d", n, b.N*batch+1)
			}
		})
	}
	b.ResetTimer()
	for range b.N {
		if err := write(s, r); err != nil {
			b.Fatal(err)
		}
	}
	if err := written.End(b.Context(), "s", nil); err != nil {
		b.Fatal(err)
	}
	reading.Wait()
	rate = float64(b.N*batch*readers) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "events/s")
	return rate
}

// countEvents counts the blank lines of a body and reports them as they come.
func countEvents(body io.Reader, more func(int)) int {
	buffer := make([]byte, 64<<10)
	events, last := 0, byte(0)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			came := bytes.Count(buffer[:n], []byte("\n\n"))
			if last == '\n' && buffer[0] == '\n' {
				came++
			}
			events += came
			more(came)
			last = buffer[n-1]
		}
		if err != nil {
			if err != io.EOF {
				panic(fmt.Sprint("reading a stream: ", err))
			}
			return events
		}
	}
}
