package lab

import (
	"fmt"
	"testing"
)

// talkRuns kills servers in the middle of an agent's run, at each command that it sends to Redis once it was let go on.
type talkRuns struct {
	talk
	valve    *valve
	counters map[string]int
	commands int // that a run sends from its release to its end; 0 until one was counted
}

// The agent outputs a sentence, waits, outputs two more around a call, and requests three actions.
const (
	talkScript = `[{"text":"One. "},{"await":"go"},{"text":"Two. "},{"tool":{"name":"t","arguments":{},"result":1}},{"text":"Three."},` +
		`{"continue":{"kind":"input","payload":1}},{"continue":{"kind":"input","payload":2}},{"continue":{"kind":"input","payload":3}}]`
	talkText = "One. Two. Three."
)

func newTalkRuns(t *testing.T, v *valve) *talkRuns {
	return &talkRuns{talk: talk{t: t, phase: talkRun}, valve: v, counters: map[string]int{}}
}

// run makes a request with the result of an action, and lets its agent go on once armed.
func (k *talkRuns) run(arm func()) (action, user string, came <-chan answerOf) {
	k.t.Helper()
	action = k.must("", `[{"continue":{"kind":"input","payload":0}}]`).actions[0]
	body, user := k.body(action, talkScript)
	started, ended := make(chan answerOf, 1), make(chan answerOf, 1)
	go func() { ended <- k.now.request(body, func(a answerOf) { started <- a }) }()
	select {
	case a := <-started:
		arm()
		go k.now.call("POST", "/control/aep/release", fmt.Sprintf(`{"requestId":%q,"barrier":"go"}`, a.request))
	case a := <-ended:
		k.t.Fatalf("%s: %+v", body, a)
	}
	return action, user, ended
}

// count counts the commands of an undisturbed run.
func (k *talkRuns) count() {
	k.t.Helper()
	k.begin()
	_, user, came := k.run(func() { k.valve.arm(1<<30, dropped, k.thread) })
	a := <-came
	if k.commands = k.valve.disarm(); a.end != "done" || a.text != talkText || len(a.actions) != 3 || k.commands == 0 {
		k.t.Fatalf("%d commands, %+v", k.commands, a)
	}
	k.keep(user, a.text)
	k.compare()
}

// kill kills the server at one command of a run, and checks the conversation at the next one.
func (k *talkRuns) kill(n int, next func() *process) {
	k.t.Helper()
	if k.commands == 0 {
		k.count()
	}
	if n%3 == 0 {
		k.begin()
	}
	at, f := n/4%k.commands, []effect{dropped, answered, delayed, halved}[n%4]
	action, user, came := k.run(func() { k.valve.arm(at, f, k.thread) })
	k.valve.wait()
	k.now.kill()
	k.valve.bury()
	a := <-came
	k.now = next()
	early := n/4%2 == 0
	if f == delayed && early {
		k.valve.let()
	}
	// The last command of a run keeps its answer.
	stored := a.end == "done" || at == k.commands-1 && (f == answered || f == delayed && early)
	k.keep(user, map[bool]string{true: talkText}[stored])
	k.compare()
	for _, id := range a.actions {
		k.open(id, fmt.Sprintf("was told to the client before the kill at command %d of %d", at+1, k.commands))
	}
	if f == delayed && !early {
		k.valve.let()
	}
	k.spent(action, "was resolved when its run began")
	for _, id := range a.actions {
		k.spent(id, "was resolved by the next process")
	}
	k.compare()
	k.counters[fmt.Sprintf("%s, asked for %d, answer kept: %v", f, len(a.actions), stored)]++
	k.counters[fmt.Sprintf("commands of a run: %d", k.commands)] = n + 1
}
