package helix

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// The judge lists the requirements of the schemas on streams and StreamInfo.
func TestRequirementsCoverTheSchemas(t *testing.T) {
	set := loadSchemas(t)
	for _, name := range set.Names() {
		if strings.HasPrefix(name, "chunks/") || strings.HasPrefix(name, "frames/") || name == "stream-info" {
			for _, x := range set.Invalid(name) {
				if !slices.Contains(Requirements(), x.Requirement) {
					t.Errorf("%s: the judge doesn't list %s", name, x.Requirement)
				}
			}
		}
	}
	for i, id := range Requirements() {
		if !strings.HasPrefix(id, "helix.") || slices.Index(Requirements(), id) != i {
			t.Errorf("requirement %d is %q", i, id)
		}
	}
}

func TestMemoryDoesNotGrowWithTheStream(t *testing.T) {
	if testing.Short() {
		t.Skip("long streams")
	}
	m := New(judge.Options{Origin: record.Produced, Schemas: loadSchemas(t)})
	r := wire.NewReader(&recorded{next: 1, n: 100_000}, wire.Options{})
	heap := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	var before uint64
	for n := 0; ; n++ {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		m.Frame(f)
		m.Frame(&wire.Frame{Index: f.Index, Terminated: true, DataLines: 1,
			Data: []byte(strings.Replace(strings.TrimPrefix(truncatedAt(1, f.Index+1), "data: "), `"truncatedAtStep":1`, `"truncatedAtStep":`+f.ID, 1))})
		if n == 1000 {
			before = heap()
		}
	}
	if now := heap(); now > before+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, now)
	}
	runtime.KeepAlive(m)
}

// appendLeak appends a stream on which no id is used twice and little is closed.
func appendLeak(b []byte, seq int) []byte {
	agent := "run-1"
	var own string
	switch seq % 8 {
	case 0:
		own = fmt.Sprintf(`"type":"tool_start","toolCallId":"call-%d","toolName":"t%s","arguments":{}`, seq, strings.Repeat("x", 200))
	case 1:
		own = fmt.Sprintf(`"type":"tool_end","toolCallId":"call-%d","toolName":"t","success":true,"result":1`, seq-1-(seq/8%2))
	case 2:
		own = fmt.Sprintf(`"type":"subagent_start","subAgentType":"worker","subSessionId":"child-%d","callId":"c%d"`, seq, seq)
	case 3:
		agent = fmt.Sprintf("child-%d", seq-1)
		own = `"type":"state_patch","patches":[{"op":"add","path":"/mine","value":"` + strings.Repeat("x", 500) + `"}]`
	case 4:
		own = fmt.Sprintf(`"type":"state_patch","patches":[{"op":"add","path":"/k%d","value":"%s"}]`, seq, strings.Repeat("x", 5000))
	case 5:
		own = fmt.Sprintf(`"type":"checkpoint_created","runId":"r","checkpointId":"k%d","stepCount":%d`, seq, seq)
	case 6:
		own = fmt.Sprintf(`"type":"step_discarded","runId":"r","stepId":"s%d","reason":"x"`, seq)
		agent = fmt.Sprintf("child-%d", seq-4)
	case 7:
		own, agent = `"type":"thinking","content":"`+strings.Repeat("x", 500)+`","isComplete":false`, fmt.Sprintf("stranger-%d", seq)
	}
	return fmt.Appendf(b, "id: %d\ndata: {\"type\":\"chunk\",\"chunk\":{%s,\"agentId\":%q,\"agentType\":\"planner\",\"timestamp\":1702329600000,\"step\":1},\"sequence\":%d}\n\n", seq, own, agent, seq)
}

func TestMemoryOfHistoryIsBounded(t *testing.T) {
	m := New(judge.Options{Origin: record.Produced, Schemas: loadSchemas(t)})
	r := wire.NewReader(&recorded{next: 1, n: 220_000, event: appendLeak}, wire.Options{})
	var before, now runtime.MemStats
	for n := 1; ; n++ {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		m.Frame(f)
		if n == 150_000 {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&now)
	if now.HeapAlloc > before.HeapAlloc+4<<20 || now.HeapAlloc > 64<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before.HeapAlloc, now.HeapAlloc)
	}
	t.Logf("the heap was %d, then %d bytes", before.HeapAlloc, now.HeapAlloc)
	runtime.KeepAlive(m)
}

// FuzzMachine: no body makes the judge panic, and its findings are listed, have an occasion, and are the same when judged
// again.
func FuzzMachine(f *testing.F) {
	set := loadSchemas(f)
	for _, r := range badResponses {
		f.Add([]byte(r.body), r.origin == record.Produced, false)
	}
	for _, c := range breaches {
		f.Add([]byte(stream(1, c.bad...)), true, false)
		f.Add([]byte(bareStream(c.bad...)), true, true)
	}
	for seed := range uint64(5) {
		lines, _ := drawRun(seed)
		f.Add([]byte(stream(1, lines...)), true, false)
	}
	f.Add([]byte(dataEvent(`{"type":"truncated","truncatedAtStep":1e100000000,"atSequence":-1e400}`)), true, false)
	f.Add([]byte(dataEvent(strings.Repeat("[", 5000))), true, true)
	f.Fuzz(func(t *testing.T, body []byte, produced, bare bool) {
		r := response{head: after("3"), body: string(body)}
		if produced {
			r.origin, r.head = record.Produced, good
		}
		o := judge.Options{Origin: r.origin, Schemas: set, State: []byte(`{"a":{"b":[1]}}`)}
		if bare {
			o.Profile = judge.BareChunks
		}
		got, occasions := r.judgeWith(t, o)
		again, _ := r.judgeWith(t, o)
		if !slices.Equal(got, again) {
			t.Fatalf("judged twice: %v, then %v", got, again)
		}
		for _, x := range got {
			if !slices.Contains(Requirements(), x.Requirement) || occasions[x.Requirement] == 0 {
				t.Fatalf("unlisted, or without an occasion: %+v", x)
			}
		}
	})
}
