package helix

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// recorded is a capture of n events, generated as it is read.
type recorded struct {
	next, n int
	rest    []byte
	buf     []byte
}

func (c *recorded) Read(b []byte) (int, error) {
	if len(c.rest) == 0 {
		if c.next > c.n {
			return 0, io.EOF
		}
		c.buf = c.buf[:0]
		for len(c.buf) < 32<<10 && c.next <= c.n {
			c.buf = appendEvent(c.buf, c.next)
			c.next++
		}
		c.rest = c.buf
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// appendEvent mixes the types as a run does: mostly text, some tools and state.
func appendEvent(b []byte, seq int) []byte {
	var own string
	switch seq % 20 {
	case 3, 4, 5:
		own = `"type":"thinking","content":"Let me look at the second file first.","isComplete":false`
	case 10:
		own = `"type":"tool_start","toolCallId":"call-7","toolName":"search","arguments":{"query":"open tickets","limit":10}`
	case 11:
		own = `"type":"tool_end","toolCallId":"call-7","toolName":"search","success":true,"result":{"hits":[{"id":1,"title":"a"},{"id":2,"title":"b"}]}`
	case 12:
		own = `"type":"state_patch","patches":[{"op":"replace","path":"/count","value":4}]`
	default:
		own = `"type":"text_delta","delta":"word number \"seven\" "`
	}
	return fmt.Appendf(b, "id: %d\ndata: {\"type\":\"chunk\",\"chunk\":{%s,\"agentId\":\"run-1\",\"agentType\":\"planner\",\"timestamp\":1702329600000,\"step\":%d},\"sequence\":%d}\n\n", seq, own, seq/20, seq)
}

func BenchmarkJudge(b *testing.B) {
	set := loadSchemas(b)
	for _, origin := range []judge.Origin{judge.Relayed, judge.Produced} {
		b.Run(map[judge.Origin]string{judge.Relayed: "relayed", judge.Produced: "produced"}[origin], func(b *testing.B) {
			b.ReportAllocs()
			m := New(judge.Options{Origin: origin, Schemas: set})
			r := wire.NewReader(&recorded{next: 1, n: b.N}, wire.Options{})
			b.ResetTimer()
			n := 0
			for ; ; n++ {
				f, err := r.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					b.Fatal(err)
				}
				if got := m.Frame(f); len(got) > 0 {
					b.Fatal(got)
				}
			}
			if n != b.N {
				b.Fatalf("judged %d of %d", n, b.N)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
