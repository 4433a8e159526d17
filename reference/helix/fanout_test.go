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

// BenchmarkFanout100 writes to one stream with 100 readers over loopback and reports the events that reached readers a
// second, all together: once in arrays over HTTP, and once chunk by chunk into the store, so that the writer's own round
// trips are left out and a reader that keeps up gets every event in a flush of its own.
func BenchmarkFanout100(b *testing.B) {
	const readers, batch = 100, 100
	chunk := `{"type":"text_delta","agentId":"a","agentType":"t","timestamp":1702329600000,"step":1,"delta":"word "}`
	b.Run("arrays", func(b *testing.B) {
		body := "[" + strings.Repeat(chunk+",", batch-1) + chunk + "]"
		fanout(b, readers, batch, func(s *service, _ *store.Memory) error {
			if answer := s.write("s", body); !strings.HasPrefix(answer, "201") {
				return errors.New(answer)
			}
			return nil
		})
	})
	b.Run("chunks", func(b *testing.B) {
		var writer string
		fanout(b, readers, 1, func(_ *service, log *store.Memory) (err error) {
			if writer == "" {
				if writer, err = log.OpenWriter(b.Context(), "s"); err != nil {
					return err
				}
			}
			_, err = log.Append(b.Context(), "s", writer, []store.Chunk{{JSON: json.RawMessage(chunk), Step: 1, HasStep: true}})
			return err
		})
	})
}

func fanout(b *testing.B, readers, batch int, write func(*service, *store.Memory) error) {
	log := &store.Memory{}
	server := httptest.NewServer(helix.New(helix.Options{Store: log}))
	defer server.Close()
	s := &service{TB: b, url: server.URL, client: &http.Client{Transport: &http.Transport{}}}
	s.open("s")
	var reading sync.WaitGroup
	for range readers {
		answer := s.do("GET", "/streams/s/events", "")
		reading.Go(func() {
			defer answer.Body.Close()
			if n := countEvents(answer.Body); n != b.N*batch+1 {
				b.Errorf("a reader got %d events, want %d", n, b.N*batch+1)
			}
		})
	}
	b.ResetTimer()
	for range b.N {
		if err := write(s, log); err != nil {
			b.Fatal(err)
		}
	}
	s.control("s", "end", "")
	reading.Wait()
	b.ReportMetric(float64(b.N*batch*readers)/b.Elapsed().Seconds(), "events/s")
}

// countEvents counts the blank lines of a body.
func countEvents(body io.Reader) int {
	buffer := make([]byte, 64<<10)
	events, last := 0, byte(0)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			events += bytes.Count(buffer[:n], []byte("\n\n"))
			if last == '\n' && buffer[0] == '\n' {
				events++
			}
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
