package lab

import (
	"fmt"
	"testing"
)

// talkWrites kills servers during a write of a request: messages, actions and results.
type talkWrites struct {
	talk
	valve    *valve
	counters map[string]int // kills by the kind of write, the valve's effect and whether it was stored
}

// talkWrite names the write of a server during which it is killed.
type talkWrite string

const (
	userWrites  talkWrite = "what the user says"
	agentWrites talkWrite = "the answer"
	asksAction  talkWrite = "an action"
	resolves    talkWrite = "a result"
	reopens     talkWrite = "a result that came to nothing"
)

var talkWriteKinds = []talkWrite{userWrites, agentWrites, asksAction, resolves, reopens}

// talkCall is the request in which the server is killed.
type talkCall struct {
	writes talkWrite
	effect effect
	early  bool // a delayed write arrives before the first request to the next server

	action     string // whose result it brings
	body, user string
	answer     answerOf
}

// stored reports whether the write is stored at the first request to the next server.
func (c *talkCall) stored() bool {
	return c.effect == "" || c.effect == answered || c.effect == delayed && c.early
}

// kill makes a request, kills the server in its phase, and checks the content of the next server.
func (k *talkWrites) kill(n int, next func() *process) {
	k.t.Helper()
	if n%3 == 0 || k.thread == "" {
		k.begin()
	}
	k.must("", fmt.Sprintf(`[{"text":"Answer %d."}]`, n))
	c := k.call(n)
	if c.effect == "" {
		c.answer = k.now.request(c.body, nil)
		k.now.kill()
	} else {
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.answer = k.now.request(c.body, nil)
		}()
		k.valve.wait()
		k.now.kill()
		k.valve.bury()
		<-done
	}
	k.now = next()
	if c.effect == delayed && c.early {
		k.valve.let()
	}
	stored := "nothing"
	if c.stored() {
		stored = "stored"
	}
	k.counters[fmt.Sprintf("%s: %s, %s", c.writes, c.effect, stored)]++
	k.settle(c)
	k.compare()
	k.actions(c)
	if c.effect == delayed && !c.early {
		k.valve.let()
		k.actionsAgain(c)
		k.compare()
	}
}

// call returns the request of a kill; the valve waits for its write.
func (k *talkWrites) call(n int) *talkCall {
	k.t.Helper()
	c := &talkCall{writes: talkWriteKinds[n%len(talkWriteKinds)], early: n/len(talkWriteKinds)%2 == 0}
	switch k.phase {
	case talkBefore:
		c.effect = []effect{dropped, delayed, halved, delayed}[n/len(talkWriteKinds)%4]
		c.early = n/len(talkWriteKinds)%4 == 1
	case talkIn:
		c.effect = answered
	}
	record, skip, script := "thread", 0, `[{"text":"Said."}]`
	switch c.writes {
	case agentWrites:
		skip = 1 // the user's message comes first
	case asksAction:
		record, script = "actions", `[{"text":"Said."},{"continue":{"kind":"input","payload":1}}]`
	case resolves, reopens:
		c.action = k.must("", `[{"continue":{"kind":"input","payload":2}}]`).actions[0]
		record = "actions"
	}
	if c.writes == reopens {
		skip, script = 1, `[{"text":"Said."},{"fail":"agent_error"}]`
	}
	c.body, c.user = k.body(c.action, script)
	if c.effect != "" {
		k.valve.arm(skip, c.effect, ":record:"+record+":"+k.thread, scriptName(k.t, "record"))
	}
	return c
}

// settle records the expected content of the request during which the server was killed.
func (k *talkWrites) settle(c *talkCall) {
	k.t.Helper()
	switch {
	case c.effect == "" || c.answer.end != "":
		if c.effect == "" && c.answer.end == "" {
			k.t.Fatalf("%s: %+v", c.body, c.answer)
		}
		k.keep(c.user, c.answer.text)
	case c.writes == userWrites && !c.stored(), c.writes == resolves: // the message is stored after this write
	case c.writes == agentWrites && c.stored():
		k.keep(c.user, "Said.")
	default:
		k.keep(c.user, "")
	}
}

// actions checks the state of the request's actions.
func (k *talkWrites) actions(c *talkCall) {
	k.t.Helper()
	for _, id := range c.answer.actions {
		k.open(id, "was told to the client")
	}
	switch {
	case c.writes == resolves && c.answer.end == "done":
		k.spent(c.action, "was resolved in a run that was done")
	case c.writes == resolves && c.stored(), c.writes == reopens && !c.stored() && c.answer.end == "":
		k.spent(c.action, "was resolved when the server was killed")
	case c.action != "":
		k.open(c.action, "was never resolved, or came to nothing")
	}
}

// actionsAgain requires that a delayed write changes nothing of an action any more, unless it opens it again.
func (k *talkWrites) actionsAgain(c *talkCall) {
	k.t.Helper()
	switch c.writes {
	case resolves:
		k.spent(c.action, "was resolved by the next process")
	case reopens:
		k.open(c.action, "came to nothing")
	}
}

func newTalkWrites(t *testing.T, phase killed, v *valve) *talkWrites {
	return &talkWrites{talk: talk{t: t, phase: phase}, valve: v, counters: map[string]int{}}
}
