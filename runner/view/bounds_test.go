package view_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/view"
	"github.com/streamcert/streamcert/runner/wire"
)

// patches returns a stream of one patch a chunk.
func patches(n int, patch func(i int) string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `data: {"type":"state_patch","agentId":"a","agentType":"t","timestamp":1,"patches":%s}`+"\n\n", patch(i))
	}
	return b.String()
}

func each(format string) func(int) string {
	return func(i int) string { return strings.ReplaceAll(format, "#", fmt.Sprint(i)) }
}

// manyAgents returns a stream of agents that each send the same patches.
func manyAgents(n int, list ...string) string {
	var b strings.Builder
	for i := range n {
		for _, p := range list {
			b.WriteString(strings.Replace(patches(1, each(p)), `"a"`, fmt.Sprintf(`"a%d"`, i), 1))
		}
	}
	return b.String()
}

// TestHostilePatches: for any patches, the transcript ends soon, takes little memory and shows from where on the state
// isn't followed.
func TestHostilePatches(t *testing.T) {
	big := `[{"op":"add","path":"/a","value":["` + strings.Repeat("x", 1000) + `"]}]`
	for name, c := range map[string]struct{ body, says string }{
		"copies of itself": {patches(1, each(big)) + patches(300, each(`[{"op":"copy","from":"/a","path":"/a/-"}]`)), "not followed"},
		"copies in one patch": {patches(1, each(big)) + patches(3, func(int) string {
			return "[" + strings.Repeat(`{"op":"copy","from":"/a","path":"/a/-"},`, 60) + `{"op":"remove","path":"/a"}]`
		}), "not followed"},
		"2,000 adds":    {patches(1, each(`[{"op":"add","path":"/l","value":[]}]`)) + patches(2_000, each(`[{"op":"add","path":"/l/-","value":#}]`)), "1999"},
		"2,000 members": {patches(2_000, each(`[{"op":"add","path":"/m#","value":#}]`)), "/m1999: 1999"},
		"1,200 levels": {patches(1_200, func(i int) string {
			return `[{"op":"add","path":"` + strings.Repeat("/a", i+1) + `","value":{}}]`
		}), "not followed"},
		"a checkpoint after each": {patches(1, each(`[{"op":"add","path":"/m","value":{}}]`)) + patches(1_500, each(`[{"op":"add","path":"/m/#","value":#}]`+
			"}\n\ndata: "+`{"type":"checkpoint_created","agentId":"a","agentType":"t","timestamp":1,"runId":"r","checkpointId":"c#","stepCount":#,"x":0`)), "/m/1499: 1499"},
		"copies by many agents": {manyAgents(500, big, `[`+strings.Repeat(`{"op":"copy","from":"/a","path":"/a/-"},`, 13)+`{"op":"add","path":"/z","value":1}]`), "units of work"},
		"copies by some agents": {manyAgents(20, big, `[`+strings.Repeat(`{"op":"copy","from":"/a","path":"/a/-"},`, 13)+`{"op":"add","path":"/z","value":1}]`), "the states of all agents"},
		"one deep value":        {patches(1, each(`[{"op":"add","path":"/a","value":`+strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+`}]`)), "not followed"},
	} {
		t.Run(name, func(t *testing.T) {
			began, out := time.Now(), new(bytes.Buffer)
			w := view.NewTranscript(out, view.Options{Width: 80})
			for e, err := range view.Events(wire.NewReader(strings.NewReader(c.body), wire.Options{})) {
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Event(e); err != nil {
					t.Fatal(err)
				}
				if time.Since(began) > 60*time.Second {
					t.Fatal("it takes too long")
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			if memory.HeapAlloc > 400<<20 {
				t.Errorf("%d MiB are in use", memory.HeapAlloc>>20)
			}
			if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), c.says) {
				end := out.String()
				t.Errorf("nothing says %q: …%s", c.says, end[max(0, len(end)-500):])
			}
			t.Log(time.Since(began), memory.HeapAlloc>>20, "MiB", out.Len())
		})
	}
}
