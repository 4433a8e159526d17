package aep_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/store"
)

// TestStoredThreads: threads that one process stores are known to another one.
func TestStoredThreads(t *testing.T) {
	disk := new(store.Memory)
	a, b := aep.StoredThreads{Records: disk}, aep.StoredThreads{Records: disk}
	if err := a.Begin("kari", "t"); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]error{"kari t": nil, "ola t": aep.ErrThreadOfAnotherUser, "kari u": aep.ErrUnknownThread} {
		if err := b.Check(id[:len(id)-2], id[len(id)-1:]); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", id, err, want)
		}
	}
	if before := b.Say("u", []agent.Message{{Who: agent.ByUser, Text: "x"}}); before != nil {
		t.Errorf("a thread that was not begun says %v", before)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { a.Say("t", []agent.Message{{Who: agent.ByUser, Text: "x", Request: "r"}}) })
		all.Go(func() { b.Say("t", []agent.Message{{Who: agent.ByAgent, Text: "y"}}) })
	}
	all.Wait()
	messages := b.Say("t", nil)
	counts := map[agent.Message]int{}
	for _, one := range messages {
		counts[one]++
	}
	if x, y := counts[agent.Message{Who: agent.ByUser, Text: "x", Request: "r"}], counts[agent.Message{Who: agent.ByAgent, Text: "y"}]; x != 20 || y != 20 {
		t.Errorf("%d and %d were said, of 20 each: %v", x, y, messages)
	}
}

// TestStoredActions: of concurrent requests with one result, one is accepted across processes, and a failed one leaves the
// action open.
func TestStoredActions(t *testing.T) {
	disk := new(store.Memory)
	all := []*aep.StoredActions{aep.NewStoredActions(disk), aep.NewStoredActions(disk)}
	for _, id := range []string{"one", "two"} {
		all[0].Open(aep.Open{ID: id, Owner: "kari", Thread: "t", Kind: "input"})
	}
	for owner, ids := range map[string][]string{"ola": {"one"}, "kari": {"three"}} {
		if err := all[1].Resolve(owner, "t", ids); !errors.Is(err, aep.ErrUnknownAction) {
			t.Errorf("%s resolved %v: %v", owner, ids, err)
		}
	}
	if err := all[1].Resolve("kari", "u", []string{"one"}); !errors.Is(err, aep.ErrUnknownAction) {
		t.Errorf("an action of another thread: %v", err)
	}
	if err := all[1].Resolve("kari", "t", []string{"one", "one"}); !errors.Is(err, aep.ErrResolvedAction) {
		t.Errorf("an action twice: %v", err)
	}
	var taken atomic.Int32
	var winner atomic.Pointer[aep.StoredActions]
	var together sync.WaitGroup
	for i := range 16 {
		together.Go(func() {
			if all[i%2].Resolve("kari", "t", []string{"one", "two"}) == nil {
				taken.Add(1)
				winner.Store(all[i%2])
			}
		})
	}
	together.Wait()
	if taken.Load() != 1 {
		t.Fatalf("%d of 16 were taken", taken.Load())
	}
	winner.Load().Reopen([]string{"two"})
	if err := all[0].Resolve("kari", "t", []string{"two"}); err != nil {
		t.Errorf("what is open again: %v", err)
	}
	if err := all[1].Resolve("kari", "t", []string{"one"}); !errors.Is(err, aep.ErrResolvedAction) {
		t.Errorf("what is resolved: %v", err)
	}
}
