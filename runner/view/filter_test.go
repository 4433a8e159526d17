package view_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/view"
)

// random returns chunks of a few agents and types; Sequence distinguishes them.
func random(r *rand.Rand, n int) []view.Chunk {
	out := make([]view.Chunk, n)
	at := int64(1733310000000)
	for i := range out {
		kind := []string{"text_delta", "thinking", "tool_start", "custom"}[r.IntN(4)]
		at += r.Int64N(3)
		out[i] = view.Chunk{
			Type: kind, AgentID: fmt.Sprint("a", r.IntN(3)), AgentType: fmt.Sprint("t", r.IntN(2)), Timestamp: frame.Number{N: at, OK: true}, Sequence: frame.Number{N: int64(i), OK: true},
			Raw: fmt.Appendf(nil, `{"type":%q,"delta":"w%d ","content":"never"}`, kind, i),
		}
	}
	return out
}

// named are filters with an independent description of their results.
func named() map[string]struct {
	filter view.Filter
	keep   func(c view.Chunk, at int) bool
} {
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
		"where":      {view.Where(func(c view.Chunk) bool { return c.Sequence.N%2 == 0 }), func(c view.Chunk, _ int) bool { return c.Sequence.N%2 == 0 }},
		"nothing":    {view.Chain(), func(view.Chunk, int) bool { return true }},
	}
}

func TestFiltersKeepExactlyWhatTheySay(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 1))
		in := random(r, r.IntN(40))
		before := fmt.Sprintf("%+v", in)
		for name, f := range named() {
			want := []view.Chunk{}
			for i, c := range in {
				if f.keep(c, i) {
					want = append(want, c)
				}
			}
			got := append([]view.Chunk{}, slices.Collect(f.filter(slices.Values(in)))...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %s (-want +got):\n%s", seed, name, diff)
			}
			for other, g := range named() {
				chained := slices.Collect(view.Chain(f.filter, g.filter)(slices.Values(in)))
				if diff := cmp.Diff(slices.Collect(g.filter(slices.Values(want))), chained); diff != "" {
					t.Fatalf("seed %d, %s then %s (-want +got):\n%s", seed, name, other, diff)
				}
			}
		}
		if after := fmt.Sprintf("%+v", in); after != before {
			t.Fatalf("seed %d: a filter changed a chunk", seed)
		}
	}
}
