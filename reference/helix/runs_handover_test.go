package helix_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// TestTakeOverOnce: of processes that take a session over at once one has it, and the executor before is silent.
func TestTakeOverOnce(t *testing.T) {
	disk := new(store.Memory)
	var all []*service
	for range 4 {
		all = append(all, serve(t, helix.Options{Store: disk}))
	}
	started := all[0].call("POST", "/control/runs", `{"stream":"s","agentType":"a","script":[[{"text":"One. "}],[{"await":"go"},{"text":"Two."}]]}`)
	run := "/control/runs/" + between(started, `"runId":"`, `"`)
	all[0].call("GET", run+"?settled", "")
	answers := make([]string, len(all))
	var together sync.WaitGroup
	for i, s := range all[1:] {
		together.Go(func() { answers[i+1] = s.call("POST", run+"/supersede", "") })
	}
	together.Wait()
	winner := slices.IndexFunc(answers, func(a string) bool { return strings.HasPrefix(a, "202 ") })
	if winner < 1 {
		t.Fatalf("nobody took it over: %q", answers)
	}
	for i, a := range answers[1:] {
		if i+1 != winner && !strings.HasPrefix(a, "409 ") && !strings.HasPrefix(a, "202 ") {
			t.Errorf("process %d was answered %s", i+1, a)
		}
	}
	for _, s := range all {
		s.call("POST", run+"/release", `{"barrier":"go"}`)
	}
	for _, s := range all[1:] {
		s.call("GET", run+"?settled", "") // of those that know it
	}
	if got := emittedText(t, disk); got != "One. Two." {
		t.Errorf("the stream says %q", got)
	}
	if second := all[0].call("POST", run+"/supersede", ""); !strings.HasPrefix(second, "409 ") && !strings.HasPrefix(second, "404 ") {
		t.Errorf("what is over was taken over: %s", second)
	}
}

// TestOneRunOfAStream: an unfinished run excludes others from its stream, in any process.
func TestOneRunOfAStream(t *testing.T) {
	disk := new(store.Memory)
	a, b := serve(t, helix.Options{Store: disk}), serve(t, helix.Options{Store: disk})
	start := `{"stream":"s","agentType":"a","script":[[{"await":"go"}]]}`
	if got := a.call("POST", "/control/runs", start); !strings.HasPrefix(got, "202 ") {
		t.Fatal(got)
	}
	if got := b.call("POST", "/control/runs", start); !strings.HasPrefix(got, "409 ") {
		t.Errorf("a second run: %s", got)
	}
	b.call("DELETE", "/control/streams/s", "")
	if got := b.call("POST", "/control/runs", start); !strings.HasPrefix(got, "202 ") {
		t.Errorf("a run on a stream that was deleted: %s", got)
	}
}

// between returns the text between two substrings; "" if they don't occur in this order.
func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

// emittedText returns the text of stream s.
func emittedText(t *testing.T, streams store.Store) string {
	t.Helper()
	log, err := streams.Read(t.Context(), "s", store.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, e := range log.Events {
		var c struct{ Type, Delta string }
		if e.Kind == store.ChunkWritten && json.Unmarshal(e.Chunk.JSON, &c) == nil && c.Type == "text_delta" {
			text.WriteString(c.Delta)
		}
	}
	return text.String()
}
