package helix_test

import (
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// BenchmarkWriteWithUnreadReaders writes to a stream with 1,000 readers that never read a body, and reports the median time of a
// write.
func BenchmarkWriteWithUnreadReaders(b *testing.B) {
	const readers = 1000
	log := &store.Memory{}
	server := httptest.NewServer(helix.New(helix.Options{Store: log}))
	defer server.Close()
	defer server.CloseClientConnections()
	s := &service{TB: b, url: server.URL, client: server.Client()}
	s.open("s")
	address := server.Listener.Addr().String()
	for range readers {
		c, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Write([]byte("GET /streams/s/events HTTP/1.1\r\nHost: " + address + "\r\n\r\n")); err != nil {
			b.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 12)); err != nil { // it is attached
			b.Fatal(err)
		}
	}
	chunk := `{"type":"text_delta","agentId":"a","agentType":"t","timestamp":1702329600000,"step":1,"delta":"word "}`
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		if answer := s.write("s", chunk); !strings.HasPrefix(answer, "201") {
			b.Fatal(answer)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "median-µs")
}
