package helix

import (
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// What the schemas find about streams and StreamInfo, the judge lists.
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
	m := New(judge.Options{Origin: judge.Produced, Schemas: loadSchemas(t)})
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

// FuzzMachine: no body makes the judge panic, and what it finds is listed, had
// an occasion, and is the same when judged again.
func FuzzMachine(f *testing.F) {
	set := loadSchemas(f)
	for _, r := range badResponses {
		f.Add([]byte(r.body), r.origin == judge.Produced)
	}
	f.Add([]byte(plain(`{"type":"truncated","truncatedAtStep":1e100000000,"atSequence":-1e400}`)), true)
	f.Add([]byte(plain(strings.Repeat("[", 5000))), true)
	f.Fuzz(func(t *testing.T, body []byte, produced bool) {
		r := response{head: after("3"), body: string(body)}
		if produced {
			r.origin = judge.Produced
		}
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
