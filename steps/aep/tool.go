package aep

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/steps"
)

func toolSteps(v *steps.Sentences[*world]) {
	steps.Step2(v, features.Then, `^`+ofTurn+` has a tool_call of `+list+`$`, onTurn2(showsCalls))
	steps.Step2(v, features.Then, `^the calls of `+ofTurn+` have the arguments (\[.*\])$`, onTurn2(haveArguments))
	steps.Step2(v, features.Then, `^`+ofTurn+` has (\d+) tool_result blocks?$`, onTurn2(showsResults))
	steps.Step2(v, features.Then, `^`+ofTurn+` has a continuation for (\[.*\])$`, onTurn2(asksFor))
	steps.Step0(v, features.Then, `^every action has an id of its own$`, actionsDiffer)
	steps.Step2(v, features.Then, `^requests "([^"]+)" and "([^"]+)" are on (?:one|the same) thread$`, func(w *world, a, b string) error {
		return threads(w, a, b, true)
	})
	steps.Step2(v, features.Then, `^requests "([^"]+)" and "([^"]+)" are on two threads$`, func(w *world, a, b string) error {
		return threads(w, a, b, false)
	})
	steps.Step2(v, features.Then, `^requests "([^"]+)" and "([^"]+)" have ids of their own$`, requestsDiffer)
}

// list is the part of a pattern that is a list of quoted names.
const list = `("[^"]+"(?:, "[^"]+")*)`

// showsCalls checks that each call of the agent has its block. A server may have the name of
// the tool at another position.
func showsCalls(t *turn, names string) error {
	if err := readToEnd(t); err != nil {
		return err
	}
	want := strings.Split(names, ", ")
	calls := t.blocksOf("tool_call")
	if len(calls) != len(want) {
		return t.failure(fmt.Sprintf("%d calls: %s", len(want), names), fmt.Sprintf("%d", len(calls)), nil)
	}
	for i, call := range calls {
		name, ok := call.starts.value["toolName"].(string)
		if ok && name != strings.Trim(want[i], `"`) {
			return t.failure("a call of "+want[i], steps.Clip(call.starts.frame.Data), call.starts)
		}
		t.w.Saw(1)
	}
	return nil
}

// haveArguments compares the arguments of calls that the client can know.
func haveArguments(t *turn, text string) error {
	want, err := steps.Decode([]byte(text))
	all, ok := want.([]any)
	if err != nil || !ok {
		return steps.Faultf("%s is no JSON array", text)
	}
	if err := readToEnd(t); err != nil {
		return err
	}
	calls, inDone := t.blocksOf("tool_call"), t.contentOf("tool_use")
	if len(calls) != len(all) {
		return t.failure(fmt.Sprintf("%d calls", len(all)), fmt.Sprintf("%d", len(calls)), nil)
	}
	for i, call := range calls {
		want := targetaep.Arguments(t.w.Session(), t.reader.Exchange, i, all[i])
		got, known := call.arguments()
		if n := positionInDone(t, calls, call, len(inDone)); !known && n >= 0 {
			got, known = inDone[n]["args"]
		}
		if !known && !call.hasPiece {
			return &steps.Unprovable{Reason: "the arguments of a call have names that the suite doesn't know; aep.fragment and aep.arguments may tell them"}
		}
		if !steps.Same(want, got) {
			return t.failure("the arguments "+string(steps.Encode(want)), steps.Clip(steps.Encode(got)), call.starts)
		}
		t.w.Saw(1)
	}
	return nil
}

// positionInDone returns the number of a call among those that done has, some all in all, or -1. Of several messages done may
// have those of its alone.
func positionInDone(t *turn, calls []*block, call *block, some int) int {
	if len(calls) != some && t.over != nil {
		own := t.over.text("messageId")
		calls = slices.DeleteFunc(slices.Clone(calls), func(b *block) bool { return b.starts.text("messageId") != own })
	}
	if n := slices.Index(calls, call); n < some {
		return n
	}
	return -1
}

func showsResults(t *turn, n int) error {
	if err := readToEnd(t); err != nil {
		return err
	}
	if got := len(t.blocksOf("tool_result")); got != n {
		return t.failure(fmt.Sprintf("%d results", n), fmt.Sprintf("%d", got), nil)
	}
	t.w.Saw(n)
	return nil
}

// asksFor compares kind and payload of each continuation.
func asksFor(t *turn, text string) error {
	var want []struct {
		Kind    string          `json:"kind"`
		Payload json.RawMessage `json:"payload"`
	}
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return steps.Faultf("%s is no JSON array of actions", text)
	}
	if err := readToEnd(t); err != nil {
		return err
	}
	asked := t.continuations()
	if len(asked) != len(want) {
		return t.failure(fmt.Sprintf("%d continuations", len(want)), fmt.Sprintf("%d", len(asked)), nil)
	}
	for i, e := range asked {
		payload, err := steps.Decode(want[i].Payload)
		if err != nil {
			return steps.Faultf("%s: an action has no payload", text)
		}
		got, there := e.value["payload"]
		if e.text("kind") != want[i].Kind || !there || !steps.Same(payload, got) {
			return t.failure(fmt.Sprintf("kind %q and payload %s", want[i].Kind, want[i].Payload), steps.Clip(e.frame.Data), e)
		}
		t.w.Saw(1)
	}
	return nil
}

func actionsDiffer(w *world) error {
	seen := map[string]bool{}
	for _, t := range w.turns {
		if err := readToEnd(t); err != nil {
			return t.where(err)
		}
		for _, e := range t.continuations() {
			id := e.text("actionId")
			if seen[id] {
				return t.failure("an actionId that no other action has", fmt.Sprintf("%q again", id), e)
			}
			if len(seen) > 0 { // one id alone has nothing to differ from
				w.Saw(1)
			}
			seen[id] = true
		}
	}
	return nil
}

// ofBoth gets a value of two requests, and also returns the second request, which may be wrong.
func ofBoth(w *world, one, other string, of func(*turn) (string, error)) (first, second string, b *turn, err error) {
	a, err := w.turnNamed(`request "` + one + `"`)
	if err != nil {
		return "", "", nil, err
	}
	if b, err = w.turnNamed(`request "` + other + `"`); err != nil {
		return "", "", nil, err
	}
	if first, err = of(a); err != nil {
		return "", "", nil, a.where(err)
	}
	if second, err = of(b); err != nil {
		return "", "", nil, b.where(err)
	}
	return first, second, b, nil
}

// threads compares the threads of two requests.
func threads(w *world, one, other string, shared bool) error {
	first, second, b, err := ofBoth(w, one, other, threadOf)
	if err != nil {
		return err
	}
	if shared && first != second {
		return b.failure(fmt.Sprintf("the thread %q", first), fmt.Sprintf("%q", second), nil)
	}
	if !shared && first == second {
		return b.failure("another thread than the request before", fmt.Sprintf("%q again", second), nil)
	}
	w.Saw(1)
	return nil
}

func requestsDiffer(w *world, one, other string) error {
	first, second, b, err := ofBoth(w, one, other, requestID)
	if err != nil {
		return err
	}
	if first == second {
		return b.failure("a requestId of its own", fmt.Sprintf("%q again", second), nil)
	}
	w.Saw(1)
	return nil
}
