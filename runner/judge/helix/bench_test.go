package helix

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"testing"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// recorded is a capture of n events, generated as it is read.
type recorded struct {
	next, n   int
	event     func(b []byte, seq int) []byte // appendEvent if it is nil
	remaining []byte
	buf       []byte
}

func (c *recorded) Read(b []byte) (int, error) {
	if len(c.remaining) == 0 {
		if c.next > c.n {
			return 0, io.EOF
		}
		c.buf = c.buf[:0]
		event := c.event
		if event == nil {
			event = appendEvent
		}
		for len(c.buf) < 32<<10 && c.next <= c.n {
			c.buf = event(c.buf, c.next)
			c.next++
		}
		c.remaining = c.buf
	}
	n := copy(b, c.remaining)
	c.remaining = c.remaining[n:]
	return n, nil
}

// appendEvent mixes the types as a run does: mostly text, some tools and state.
func appendEvent(b []byte, seq int) []byte {
	var own string
	switch seq % 20 {
	case 3, 4, 5:
		own = `"type":"thinking","content":"Let me look at the second file first.","isComplete":false`
	case 10:
		own = `"type":"tool_start","toolCallId":"call-` + strconv.Itoa(seq/20) + `","toolName":"search","arguments":{"query":"open tickets","limit":10}`
	case 11:
		own = `"type":"tool_end","toolCallId":"call-` + strconv.Itoa(seq/20) + `","toolName":"search","success":true,"result":{"hits":[{"id":1,"title":"a"},{"id":2,"title":"b"}]}`
	case 12:
		own = `"type":"state_patch","patches":[{"op":"replace","path":"/count","value":4}]`
	default:
		own = `"type":"text_delta","delta":"word number \"seven\" "`
	}
	return fmt.Appendf(b, "id: %d\ndata: {\"type\":\"chunk\",\"chunk\":{%s,\"agentId\":\"run-1\",\"agentType\":\"planner\",\"timestamp\":1702329600000,\"step\":%d},\"sequence\":%d}\n\n", seq, own, seq/20, seq)
}

// appendRun appends a run in which everything is compared with something: twenty chunks a step, with a sub-agent, two
// calls, reasoning, state and a checkpoint.
func appendRun(b []byte, seq int) []byte {
	step, agent, kind := seq/20, "run-1", "planner"
	var own string
	switch seq % 20 {
	case 0:
		own = fmt.Sprintf(`"type":"tool_start","toolCallId":"call-%d","toolName":"search","arguments":{"query":"open tickets"}`, step)
	case 1:
		own = fmt.Sprintf(`"type":"subagent_start","subAgentType":"worker","subSessionId":"child-%d","callId":"call-%d"`, step, step)
	case 2, 3, 4:
		own, agent, kind = `"type":"text_delta","delta":"what the other one says "`, fmt.Sprintf("child-%d", step), "worker"
	case 5:
		own, agent, kind = `"type":"output","output":{"found":[1,2,3]}`, fmt.Sprintf("child-%d", step), "worker"
	case 6:
		own = fmt.Sprintf(`"type":"subagent_end","subAgentType":"worker","subSessionId":"child-%d","callId":"call-%d","result":{"found":[1,2,3.0]}`, step, step)
	case 7:
		own = fmt.Sprintf(`"type":"tool_end","toolCallId":"call-%d","toolName":"search","success":true,"result":{"hits":[{"id":1}]}`, step)
	case 8, 9:
		own = `"type":"thinking","content":"Let me look. ","isComplete":false`
	case 10:
		own = `"type":"thinking","content":"Let me look. Let me look. ","isComplete":true`
	case 17:
		own = fmt.Sprintf(`"type":"state_patch","patches":[{"op":"add","path":"/notes","value":[]},{"op":"add","path":"/notes/-","value":{"step":%d}}]`, step)
	case 18:
		own = fmt.Sprintf(`"type":"checkpoint_created","runId":"r","checkpointId":"cpv1-run-1-s%d-t17-x","stepCount":%d`, step+1, step+1)
	case 19:
		own = fmt.Sprintf(`"type":"step_committed","runId":"r","stepId":"step-%d","checkpointId":"cpv1-run-1-s%d-t17-x"`, step, step+1)
	default:
		own = `"type":"text_delta","delta":"word número \"seven\" "`
	}
	return fmt.Appendf(b, "id: %d\ndata: {\"type\":\"chunk\",\"chunk\":{%s,\"agentId\":%q,\"agentType\":%q,\"timestamp\":%d,\"step\":%d},\"sequence\":%d}\n\n",
		seq, own, agent, kind, 1702329600000+seq, step, seq)
}

// BenchmarkSemantics judges the relations of chunks, on one core.
func BenchmarkSemantics(b *testing.B) {
	set := loadSchemas(b)
	b.ReportAllocs()
	m := New(judge.Options{Origin: record.Produced, Schemas: set})
	m.Head(good)
	var frames []*wire.Frame // in memory, so that neither making nor reading them is measured
	r := wire.NewReader(&recorded{next: 20, n: 20_019, event: appendRun}, wire.Options{})
	for f, err := r.Next(); err == nil; f, err = r.Next() {
		frames = append(frames, f)
	}
	b.ResetTimer()
	for n := range b.N {
		if n%len(frames) == 0 {
			m = New(judge.Options{Origin: record.Produced, Schemas: set})
			m.Head(good)
		}
		if got := m.Frame(frames[n%len(frames)]); len(got) > 0 {
			b.Fatal(got)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "chunks/s")
}

func BenchmarkJudge(b *testing.B) {
	set := loadSchemas(b)
	for _, origin := range []record.Origin{record.Relayed, record.Produced} {
		b.Run(map[record.Origin]string{record.Relayed: "relayed", record.Produced: "produced"}[origin], func(b *testing.B) {
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
