package helix

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// patchesOf returns a stream of one patch an event, each by an agent.
func patchesOf(first, n int, agent, patch string) string {
	var b strings.Builder
	for i := range n {
		c := fmt.Sprintf(`{"type":"state_patch","agentId":%q,"agentType":"t","timestamp":1702329600000,"step":0,"patches":%s}`,
			agent, strings.ReplaceAll(patch, "#", fmt.Sprint(i)))
		b.WriteString(framed(first+i, fmt.Sprintf(`{"type":"chunk","chunk":%s,"sequence":%d}`, c, first+i)))
	}
	return b.String()
}

// TestHostilePatches: for any patches, the judge ends soon, takes little memory, and still finds violations after them.
func TestHostilePatches(t *testing.T) {
	if testing.Short() {
		t.Skip("long streams of large patches")
	}
	const (
		wrong = `[{"op":"replace","path":"/l/20000","value":0}]` // the position doesn't exist, which is sure where the state is followed
		empty = `[]`
	)
	big := `[{"op":"add","path":"/a","value":["` + strings.Repeat("x", 1000) + `"]}]`
	list := `[{"op":"add","path":"/l","value":[]}]`
	levels := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(patchesOf(i+1, 1, "a", `[{"op":"add","path":"`+strings.Repeat("/a", i+1)+`","value":{}}]`))
		}
		return b.String()
	}
	agents := func(n int, list ...string) string {
		var b strings.Builder
		for i := range n {
			for k, p := range list {
				b.WriteString(patchesOf(1+i*len(list)+k, 1, fmt.Sprint("a", i), p))
			}
		}
		return b.String()
	}
	doubled := `[` + strings.Repeat(`{"op":"copy","from":"/a","path":"/a/-"},`, 60) + `{"op":"add","path":"/z","value":1}]`
	for name, c := range map[string]struct {
		body     string
		followed bool // the judge knows the state to the end
	}{
		"copies of itself":    {body: patchesOf(1, 1, "a", big) + patchesOf(2, 300, "a", `[{"op":"copy","from":"/a","path":"/a/-"}]`)},
		"copies in one patch": {body: patchesOf(1, 1, "a", big) + patchesOf(2, 3, "a", doubled)},
		"copies by agents":    {body: agents(200, big, doubled)},
		"copies of a list":    {body: patchesOf(1, 1, "a", list) + patchesOf(2, 20_000, "a", `[{"op":"add","path":"/l/-","value":#},{"op":"copy","from":"/l/0","path":"/l/0"}]`)},
		"20,000 adds":         {body: patchesOf(1, 1, "a", list) + patchesOf(2, 20_000, "a", `[{"op":"add","path":"/l/-","value":#}]`), followed: true},
		"20,000 adds in one patch": {body: patchesOf(1, 1, "a", list) +
			patchesOf(2, 1, "a", `[`+strings.Repeat(`{"op":"add","path":"/l/0","value":1},`, 19_999)+`{"op":"add","path":"/l/-","value":5}]`), followed: true},
		"6,000 levels": {body: levels(6_000)},
		"one deep value": {body: patchesOf(1, 1, "a", `[{"op":"add","path":"/a","value":`+strings.Repeat("[", 6000)+strings.Repeat("]", 6000)+`}]`) +
			patchesOf(2, 2_000, "a", `[{"op":"copy","from":"/a","path":"/b#"}]`)},
	} {
		t.Run(name, func(t *testing.T) {
			last, finds := empty, stateEmptyPatch
			if c.followed {
				last, finds = wrong, stateApplicable
			}
			m := New(judge.Options{Origin: record.Produced, Schemas: loadSchemas(t)})
			m.Head(judge.Head{Status: 200})
			defer debug.SetGCPercent(debug.SetGCPercent(100)) // the garbage that a rarer collector leaves doesn't count
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began, most := time.Now(), uint64(0)
			got := map[string]int{}
			r := wire.NewReader(strings.NewReader(c.body+patchesOf(100_000, 1, "a", last)), wire.Options{})
			for f, err := r.Next(); err == nil; f, err = r.Next() {
				for _, found := range m.Frame(f) {
					got[found.Requirement]++
				}
				if f.Index%1000 == 0 {
					runtime.ReadMemStats(&after)
					most = max(most, after.HeapAlloc)
				}
				if time.Since(began) > 60*time.Second {
					t.Fatalf("it takes too long: %d events in %v", f.Index, time.Since(began))
				}
			}
			runtime.ReadMemStats(&after)
			most = max(most, after.HeapAlloc)
			made := after.TotalAlloc - before.TotalAlloc
			t.Logf("%v for %d KiB; %d MiB at most, %d MiB made", time.Since(began), len(c.body)>>10, most>>20, made>>20)
			if most-min(most, before.HeapAlloc) > 256<<20 || made > 1<<30+uint64(64*len(c.body)) {
				t.Errorf("the judge holds up to %d MiB and makes %d MiB", most>>20, made>>20)
			}
			if got[finds] == 0 {
				t.Errorf("it finds %v and not %s", got, finds)
			}
		})
	}
}
