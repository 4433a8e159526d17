package view_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/view"
	"github.com/streamcert/streamcert/runner/wire"
)

// random returns chunks of a few agents and types; Sequence distinguishes them.
func random(r *rand.Rand, n int) []view.Chunk {
	out := make([]view.Chunk, n)
	at := int64(1733310000000)
	for i := range out {
		kind := []string{"text_delta", "thinking", "tool_start", "custom"}[r.IntN(4)]
		at += r.Int64N(3)
		out[i] = view.Chunk{
			Type: kind, AgentID: fmt.Sprint("a", r.IntN(3)), AgentType: fmt.Sprint("t", r.IntN(2)), Timestamp: at, Sequence: int64(i),
			Raw: fmt.Appendf(nil, `{"type":%q,"delta":"w%d ","content":"never"}`, kind, i),
		}
	}
	return out
}

// named are filters with an independent description of their results.
func named(r *rand.Rand) map[string]struct {
	filter view.Filter
	keep   func(c view.Chunk, at int) bool
} {
	n := r.IntN(20)
	type entry = struct {
		filter view.Filter
		keep   func(c view.Chunk, at int) bool
	}
	return map[string]entry{
		"agent":      {view.ByAgent("a1"), func(c view.Chunk, _ int) bool { return c.AgentID == "a1" }},
		"agent type": {view.ByAgentType("t0"), func(c view.Chunk, _ int) bool { return c.AgentType == "t0" }},
		"type":       {view.ByType("custom"), func(c view.Chunk, _ int) bool { return c.Type == "custom" }},
		"types":      {view.ByType("custom", "thinking"), func(c view.Chunk, _ int) bool { return c.Type == "custom" || c.Type == "thinking" }},
		"exclude":    {view.Exclude("custom", "thinking"), func(c view.Chunk, _ int) bool { return c.Type != "custom" && c.Type != "thinking" }},
		"where":      {view.Where(func(c view.Chunk) bool { return c.Sequence%2 == 0 }), func(c view.Chunk, _ int) bool { return c.Sequence%2 == 0 }},
		"take":       {view.Take(n), func(_ view.Chunk, at int) bool { return at < n }},
		"skip":       {view.Skip(n), func(_ view.Chunk, at int) bool { return at >= n }},
		"nothing":    {view.Chain(), func(view.Chunk, int) bool { return true }},
	}
}

func TestFiltersKeepExactlyWhatTheySay(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 1))
		in := random(r, r.IntN(40))
		before := fmt.Sprintf("%+v", in)
		for name, f := range named(r) {
			want := []view.Chunk{}
			for i, c := range in {
				if f.keep(c, i) {
					want = append(want, c)
				}
			}
			got := append([]view.Chunk{}, view.All(f.filter(slices.Values(in)))...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %s (-want +got):\n%s", seed, name, diff)
			}
			for other, g := range named(r) {
				chained := view.All(view.Chain(f.filter, g.filter)(slices.Values(in)))
				if diff := cmp.Diff(view.All(g.filter(slices.Values(want))), chained); diff != "" {
					t.Fatalf("seed %d, %s then %s (-want +got):\n%s", seed, name, other, diff)
				}
			}
		}
		if after := fmt.Sprintf("%+v", in); after != before {
			t.Fatalf("seed %d: a filter changed a chunk", seed)
		}
	}
}

func TestFiltersCombineKeepsTheOrderOfEachStream(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		a, b := random(r, r.IntN(20)), random(r, r.IntN(20))
		for i := range b {
			b[i].Sequence += 1000
		}
		of := func(low, high int64) view.Filter {
			return view.Where(func(c view.Chunk) bool { return c.Sequence >= low && c.Sequence < high })
		}
		all := view.All(view.Combine(slices.Values(a), slices.Values(b)))
		if len(all) != len(a)+len(b) {
			t.Fatalf("seed %d: %d chunks of %d and %d", seed, len(all), len(a), len(b))
		}
		if !cmp.Equal(slices.Clip(a), append([]view.Chunk{}, view.All(of(0, 1000)(slices.Values(all)))...)) ||
			!cmp.Equal(slices.Clip(b), append([]view.Chunk{}, view.All(of(1000, 2000)(slices.Values(all)))...)) {
			t.Fatalf("seed %d: the order changed", seed)
		}
		if !slices.IsSortedFunc(all, func(x, y view.Chunk) int { return int(x.Timestamp - y.Timestamp) }) {
			t.Fatalf("seed %d: not by time", seed)
		}
		if got := view.All(view.Take(3)(view.Combine(slices.Values(a), slices.Values(b)))); len(got) != min(3, len(all)) {
			t.Fatalf("seed %d: took %d", seed, len(got))
		}
	}
	if got := view.All(view.Combine()); got != nil {
		t.Error(got)
	}
}

func TestFiltersTakeReadsNoMoreThanItGives(t *testing.T) {
	read := 0
	endless := func(yield func(view.Chunk) bool) {
		for read++; yield(view.Chunk{}); read++ {
		}
	}
	if got := view.All(view.Take(3)(endless)); len(got) != 3 || read != 3 {
		t.Errorf("%d given, %d read", len(got), read)
	}
}

func TestFiltersTextEqualsTheOutput(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	in := random(r, 50)
	want := ""
	for i, c := range in {
		if c.Type == "text_delta" {
			want += fmt.Sprintf("w%d ", i)
		}
	}
	if got := view.Text(slices.Values(in)); got != want || strings.Contains(got, "never") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestChunksOfARecording(t *testing.T) {
	body, err := os.ReadFile("testdata/trip.sse")
	if err != nil {
		t.Fatal(err)
	}
	var failed error
	chunks := view.All(view.Chunks(view.Events(wire.NewReader(bytes.NewReader(body), wire.Options{})), &failed))
	if failed != nil || len(chunks) < 100 {
		t.Fatal(failed, len(chunks))
	}
	// The chunks are the same as on the wire.
	for _, c := range chunks {
		if !bytes.Contains(body, c.Raw) {
			t.Errorf("%s isn't in the recording", c.Raw)
		}
	}
	root := view.ByAgent("session-31")
	if got := view.Text(root(slices.Values(chunks))); !strings.HasSuffix(got, "done.Once more: the ferry at 08:10.") || strings.Contains(got, "fjord begins") {
		t.Errorf("%q", got)
	}
	short := view.Events(wire.NewReader(strings.NewReader("data: "+strings.Repeat("x", 100)), wire.Options{MaxFrame: 10}))
	if got := view.All(view.Chunks(short, &failed)); got != nil || failed == nil {
		t.Error(got, failed)
	}
}
