package helix_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/redis"
	"github.com/streamcert/streamcert/reference/store/redis/redistest"
)

// BenchmarkFanoutReplicated writes arrays through one replica to a stream with 100 readers on another, over memory and over
// Redis. It reports the events that reached readers a second, in total, and for Redis the fraction of memory's.
func BenchmarkFanoutReplicated(b *testing.B) {
	const readers, batch = 100, 100
	rate := 0.0
	b.Run("memory", func(b *testing.B) {
		disk := new(store.Memory)
		rate = fanoutReplicated(b, disk, disk, readers, batch)
	})
	b.Run("redis", func(b *testing.B) {
		server := redistest.Start(b)
		open := func() *redis.Store {
			s, err := redis.Open(b.Context(), server.URL, redis.Options{MaxStream: 8 << 30})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = s.Close() })
			return s
		}
		if own := fanoutReplicated(b, open(), open(), readers, batch); rate > 0 {
			b.ReportMetric(own/rate, "of-memory")
		}
	})
}

// fanoutReplicated writes arrays to one store that readers of another get, and returns how many events a second reached them.
func fanoutReplicated(b *testing.B, written, read store.Store, readers, batch int) (rate float64) {
	var chunks []store.Chunk
	for n := range batch {
		delta := fmt.Sprintf(`{"type":"text_delta","agentId":"a","agentType":"t","timestamp":1702329600000,"step":1,"delta":"word %d %s"}`, n, strings.Repeat("x", 8))
		chunks = append(chunks, store.Chunk{JSON: json.RawMessage(delta), Step: 1, HasStep: true})
	}
	return fanout(b, written, read, readers, batch, func(s *service, _ *received) error {
		_, err := written.Append(b.Context(), "s", s.writer, chunks)
		return err
	})
}
