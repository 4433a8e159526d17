package helix_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/streamcert/streamcert/reference/helix"
)

// BenchmarkFanout100 writes to one stream with 100 readers over loopback and reports the events that reached readers a
// second, all together.
func BenchmarkFanout100(b *testing.B) {
	const readers, batch = 100, 100
	server := httptest.NewServer(helix.New(helix.Options{}))
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
	chunk := `{"type":"text_delta","agentId":"a","agentType":"t","timestamp":1702329600000,"step":1,"delta":"word "}`
	body := "[" + strings.Repeat(chunk+",", batch-1) + chunk + "]"
	b.ResetTimer()
	for range b.N {
		if answer := s.write("s", body); !strings.HasPrefix(answer, "201") {
			b.Fatal(answer)
		}
	}
	s.control("s", "end", "")
	reading.Wait()
	b.ReportMetric(float64(b.N)*batch*readers/b.Elapsed().Seconds(), "events/s")
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
