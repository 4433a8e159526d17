package run

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/patch"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// patchesOf returns n messages with patches of agent a; # is replaced by the index.
func patchesOf(n int, patches string) []*world.Message {
	var ms []*world.Message
	for i := range n {
		ms = append(ms, &world.Message{Content: frame.Content{Type: "chunk", Chunk: fmt.Appendf(nil,
			`{"type":"state_patch","agentId":"a","patches":%s}`, strings.ReplaceAll(patches, "#", fmt.Sprint(i)))}})
	}
	return ms
}

// TestFoldIsBounded: patches of a server whose result is huge exhaust neither the memory nor the time of a run.
func TestFoldIsBounded(t *testing.T) {
	const levels = 900
	deep := strings.Repeat("[", levels) + strings.Repeat("]", levels)
	big := patchesOf(1, `[{"op":"add","path":"/a","value":["`+strings.Repeat("x", 1000)+`"]}]`)
	for name, c := range map[string]struct {
		messages []*world.Message
		bounded  bool // by a limit
	}{
		"copies of itself": {append(big, patchesOf(40, `[{"op":"copy","from":"/a","path":"/a/-"}]`)...), true},
		"10,000 adds":      {patchesOf(10_000, `[{"op":"add","path":"/m#","value":"`+strings.Repeat("y", 100)+`"}]`), false},
		"a deep value": {append(patchesOf(1, `[{"op":"add","path":"/a","value":`+deep+`}]`), // each at the limit of a message's depth, their sum beyond it
			patchesOf(1, `[{"op":"add","path":"/a`+strings.Repeat("/0", levels-1)+`/-","value":`+deep+`}]`)...), true},
	} {
		began := time.Now()
		state, broken, err := Fold(c.messages, "a", []byte(`{}`))
		var limit *patch.LimitError
		if errors.As(err, &limit) != c.bounded || (broken != nil) != c.bounded || len(state) > 16<<20 {
			t.Errorf("%s: %d bytes, %v", name, len(state), err)
		}
		if took := time.Since(began); took > 60*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
	}
	if _, broken, err := Fold(patchesOf(1, `[]`), "a", []byte(strings.Repeat("[", 5000)+strings.Repeat("]", 5000))); broken == nil || err == nil {
		t.Errorf("a state that is too deep to be patched: %v, %v", broken, err)
	}
}

// history returns messages with ids: "+ID" adds a member with its sequence to the state of an agent, "<ID from" is a
// stream_resync that continues as ID, and "!ID" is a patch that doesn't apply.
func history(words ...string) []*world.Message {
	var ms []*world.Message
	for i, word := range words {
		id, from, _ := strings.Cut(word[1:], " ")
		chunk := map[byte]string{
			'+': `{"type":"state_patch","agentId":%q,"patches":[{"op":"add","path":"/m%d","value":1}]}`,
			'!': `{"type":"state_patch","agentId":%q,"patches":[{"op":"remove","path":"/none%d"}]}`,
			'<': `{"type":"stream_resync","agentId":%q,"n":%d,"fromSequence":` + from + `}`,
		}[word[0]]
		ms = append(ms, &world.Message{ID: fmt.Sprint(i + 1), Content: frame.Content{Type: "chunk", Chunk: fmt.Appendf(nil, chunk, id, i+1)}})
	}
	return ms
}

// TestFoldGoesBack: a return restores the states of all agents, and a branch begins with that of the root agent.
func TestFoldGoesBack(t *testing.T) {
	for _, c := range []struct {
		words       string
		agent, want string
		broken      int // sequence of the message that doesn't apply, 0 for none
	}{
		{"+a,+a,<a 1,+a", "a", `{"m1":1,"m4":1}`, 0},
		{"+a,+a,<b 1,+b", "b", `{"m1":1,"m4":1}`, 0},
		{"+a,+b,+b,<a 2,+b", "b", `{"m2":1,"m5":1}`, 0},
		{"+a,<b 1,+b,<c 3,+c,<c 5,+c", "c", `{"m1":1,"m3":1,"m5":1,"m7":1}`, 0},
		{"+a,+a,<a 2,+a,<a 3,+a,<a 6,+a", "a", `{"m1":1,"m2":1,"m6":1,"m8":1}`, 0},
		{"+a,<a 1,+a,<a 0,+a", "a", `{"m5":1}`, 0},
		{"+a,<a 5,+a", "a", `{"m1":1,"m3":1}`, 0},
		{"+a,!a,<a 2,+a", "a", `{"m1":1}`, 2},
		{"+a,!b,<a 2,+a,<a 4,+a", "a", `{"m1":1,"m4":1,"m6":1}`, 0},
		{"+a,!a,<b 2,+b", "b", `{"m1":1}`, 2},
		{"+b,<a 1,!a,+a", "a", `{"m1":1}`, 3},
	} {
		state, broken, err := Fold(history(strings.Split(c.words, ",")...), c.agent, []byte(`{}`))
		at := 0
		if broken != nil {
			at, _ = strconv.Atoi(broken.ID)
		}
		if string(state) != c.want || at != c.broken || (err != nil) != (at != 0) {
			t.Errorf("%s: agent %s has %s, broken at %d, %v; want %s, %d", c.words, c.agent, state, at, err, c.want, c.broken)
		}
	}
}

// TestFoldIsLinear: forty returns, each to the end of the messages before it, cost no more than the messages between
// them.
func TestFoldIsLinear(t *testing.T) {
	words := []string{"+a"}
	for i := range 40 {
		words = append(words, fmt.Sprintf("<a %d", 2*i+1), "+a")
	}
	type folded struct {
		state []byte
		err   error
	}
	done := make(chan folded, 1)
	go func() {
		state, _, err := Fold(history(words...), "a", []byte(`{}`))
		done <- folded{state, err}
	}()
	select {
	case f := <-done:
		if n := strings.Count(string(f.state), "1,") + 1; f.err != nil || n != 41 {
			t.Errorf("%d members, %v", n, f.err)
		}
	case <-time.After(60 * time.Second):
		t.Fatal("it takes too long")
	}
}

// TestFoldGoesBackToTheInitialState: a return to before the first patch restores the initial state of the stream, for
// its root agent alone.
func TestFoldGoesBackToTheInitialState(t *testing.T) {
	for words, want := range map[string]map[string]string{
		"+a,<a 0,+a":    {"a": `{"m3":1,"x":1}`},
		"+a,+a,<a 1,+a": {"a": `{"m1":1,"m4":1,"x":1}`},
		"+a,<b 0,+b":    {"b": `{"m3":1,"x":1}`},
		"+a,+b,<a 0,+b": {"a": `{"x":1}`, "b": `{"m4":1}`},
	} {
		for agent, state := range want {
			initial := `{"x":1}`
			if agent == "b" && !strings.Contains(words, "<b") {
				initial = `{}` // a sub-agent's
			}
			got, broken, err := Fold(history(strings.Split(words, ",")...), agent, []byte(initial))
			if err != nil || broken != nil {
				t.Fatalf("%s: %v, %v", words, broken, err)
			}
			value, _ := steps.Decode(got)
			if wanted, _ := steps.Decode([]byte(state)); !steps.Same(value, wanted) {
				t.Errorf("%s: the state of %s is %s, want %s", words, agent, got, state)
			}
		}
	}
}
