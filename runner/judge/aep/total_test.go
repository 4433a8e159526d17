package aep

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

// The judge lists the requirements of the schemas on events and refusals.
func TestRequirementsCoverTheSchemas(t *testing.T) {
	set := loadSchemas(t)
	for _, name := range set.Names() {
		if strings.HasPrefix(name, "frames/") || name == "error-body" {
			for _, x := range set.Invalid(name) {
				if !slices.Contains(Requirements(), x.Requirement) {
					t.Errorf("%s: the judge doesn't list %s", name, x.Requirement)
				}
			}
		}
	}
	for i, id := range Requirements() {
		if !strings.HasPrefix(id, "aep.") || slices.Index(Requirements(), id) != i {
			t.Errorf("requirement %d is %q", i, id)
		}
	}
}

func heap() uint64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// spoken is one block of n deltas, generated as it is read.
type spoken struct {
	next, n   int
	remaining []byte
}

func (s *spoken) Read(b []byte) (int, error) {
	if len(s.remaining) == 0 {
		switch {
		case s.next > s.n:
			return 0, io.EOF
		case s.next == 0:
			s.remaining = []byte(meta + begin("text", "b0", 0, ""))
		default:
			s.remaining = []byte(piece("text", "b0", s.next-1, "a word, and another one "))
		}
		s.next++
	}
	n := copy(b, s.remaining)
	s.remaining = s.remaining[n:]
	return n, nil
}

func TestMemoryDoesNotGrowWithTheStream(t *testing.T) {
	if testing.Short() {
		t.Skip("long streams")
	}
	m := New(judge.Options{Origin: record.Produced, Schemas: loadSchemas(t)})
	r := wire.NewReader(&spoken{n: 50_000}, wire.Options{})
	var before uint64
	for n := 0; ; n++ {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Frame(f); len(got) > 0 {
			t.Fatal(got)
		}
		if n == 1000 {
			before = heap()
		}
	}
	if now := heap(); now > before+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, now)
	}
	runtime.KeepAlive(m)
}

// Arguments that are too large to be stored are neither right nor wrong.
func TestHugeArgumentsAreNotCompared(t *testing.T) {
	body := meta + begin("tool_call", "b0", 0, `"toolCallId":"c1","toolName":"find"`)
	for n := range 20 {
		body += piece("tool_call", "b0", n, strings.Repeat("x", 64<<10))
	}
	body += finish("tool_call", "b0", `"args":{}`) + done(`[`+toolUse+`]`, "")
	if got, _ := (response{body: body}).judge(t, loadSchemas(t)); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

// Many blocks cost neither memory without end nor time beyond measure.
func TestManyBlocks(t *testing.T) {
	m := New(judge.Options{Origin: record.Produced, Schemas: loadSchemas(t)})
	m.Head(good)
	frame := func(text string) {
		f, err := wire.NewReader(strings.NewReader(text), wire.Options{}).Next()
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Frame(f); len(got) > 0 {
			t.Fatal(got)
		}
	}
	frame(meta)
	for n := range 3000 {
		id := fmt.Sprint("b", n)
		frame(begin("text", id, n, ""))
		frame(finish("text", id, `"text":"x"`))
	}
	frame(done(`[`+strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"x"},`, 3000), ",")+`]`, ""))
}

// FuzzMachine: no body makes the judge panic, and its findings are listed, have an occasion, and are the same when judged
// again.
func FuzzMachine(f *testing.F) {
	set := loadSchemas(f)
	for _, r := range badResponses {
		f.Add([]byte(r.body))
	}
	for _, r := range goodResponses {
		f.Add([]byte(r.body))
	}
	f.Add([]byte("event: done\ndata: " + strings.Repeat("[", 5000) + "\n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		r := response{head: good, body: string(body)}
		got, occasions := r.judge(t, set)
		again, _ := r.judge(t, set)
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

func BenchmarkJudge(b *testing.B) {
	b.ReportAllocs()
	m := New(judge.Options{Origin: record.Produced, Schemas: loadSchemas(b)})
	r := wire.NewReader(&spoken{n: b.N}, wire.Options{})
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
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}
