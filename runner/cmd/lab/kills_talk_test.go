package lab

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// The phases in which a server is killed that keeps conversations.
const (
	talkBefore killed = "before the write of a conversation"
	talkIn     killed = "between the write of a conversation and the answer"
	talkAfter  killed = "after the answer of a conversation"
	talkRun    killed = "in mid-run of a conversation"
)

// answerOf is the answer to a request to an agent, up to where the response ended.
type answerOf struct {
	status          int // 0 for no answer
	request, thread string
	text            string
	actions         []string
	end             string // the terminal event; "" for none
	refused         string
}

// request makes a request to an agent and reads its response; started is called with the ids of the metadata, unless it is nil.
func (l *process) request(body string, started func(answerOf)) (a answerOf) {
	req, err := http.NewRequest("POST", l.url+"/v1/agents/conformance/stream", strings.NewReader(body))
	if err != nil {
		return a
	}
	req.Header.Set("Content-Type", "application/json")
	answer, err := l.client.Do(req)
	if err != nil {
		return a
	}
	defer answer.Body.Close()
	a.status = answer.StatusCode
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		data, found := strings.CutPrefix(lines.Text(), "data: ")
		if a.status != http.StatusOK {
			a.refused += lines.Text()
		}
		var e struct{ Event, RequestID, ThreadID, ActionID, Delta string }
		if !found || json.Unmarshal([]byte(data), &e) != nil { // a response that is cut may be so in mid-event
			continue
		}
		switch e.Event {
		case "metadata":
			if a.request, a.thread = e.RequestID, e.ThreadID; started != nil {
				started(a)
			}
		case "text":
			a.text += e.Delta
		case "continuation":
			a.actions = append(a.actions, e.ActionID)
		case "done", "error", "aborted":
			a.end = e.Event
		}
	}
	return a
}

// talk is a conversation with servers that are killed, with the content that the next one must have.
type talk struct {
	t      *testing.T
	phase  killed
	now    *process
	faults []string

	thread    string
	attempted int      // messages that were ever tried
	history   []string // expected messages, in this order
}

func (k *talk) fault(format string, args ...any) {
	k.faults = append(k.faults, fmt.Sprintf("%s, %s: ", k.phase, k.thread)+fmt.Sprintf(format, args...))
}

// body returns a request on the thread, with the result of an action if there is one; user is its message.
func (k *talk) body(action, script string) (body, user string) {
	k.attempted++
	user = fmt.Sprintf("message %d", k.attempted)
	results, thread := "", ""
	if action != "" {
		results = fmt.Sprintf(`"actionResults":[{"actionId":%q,"result":%d}],`, action, k.attempted)
	}
	if k.thread != "" {
		thread = fmt.Sprintf(`,"threadId":%q`, k.thread)
	}
	return fmt.Sprintf(`{"messages":[{"role":"user","content":[{"type":"text","text":%q}]}],"context":{%s"conformance":{"script":%s}}%s}`,
		user, results, script, thread), user
}

// begin begins another thread, with a message and an action.
func (k *talk) begin() {
	k.t.Helper()
	k.thread, k.history = "", nil
	k.must("", `[{"text":"Begun."}]`)
}

// must makes a request that has to end with done, and records the messages of both sides.
func (k *talk) must(action, script string) answerOf {
	k.t.Helper()
	body, user := k.body(action, script)
	a := k.now.request(body, nil)
	if a.end != "done" {
		k.t.Fatalf("%s, %s: %s: %+v", k.phase, k.thread, body, a)
	}
	k.thread = a.thread
	k.keep(user, a.text)
	return a
}

// keep records a message of the user and, unless it is empty, of the agent.
func (k *talk) keep(user, answer string) {
	k.history = append(k.history, "user: "+user)
	if answer != "" {
		k.history = append(k.history, "agent: "+answer)
	}
}

// bring brings the result of an action and reports whether it was taken. A server refuses one that is resolved or unknown.
func (k *talk) bring(action string) bool {
	k.t.Helper()
	body, user := k.body(action, `[{"text":"Taken."}]`)
	a := k.now.request(body, nil)
	switch {
	case a.end == "done":
		k.keep(user, a.text)
		return true
	case a.status != http.StatusBadRequest && a.status != http.StatusConflict:
		k.fault("a result was answered %d %s%s", a.status, a.refused, a.end)
	}
	return false
}

// open checks that an action is accepted once if the client received it or its run failed.
func (k *talk) open(action, why string) {
	k.t.Helper()
	if !k.bring(action) {
		k.fault("action %s %s, and its result isn't taken", action, why)
		return
	}
	k.spent(action, "was resolved by this process")
}

// spent asks that an action isn't taken again.
func (k *talk) spent(action, why string) {
	k.t.Helper()
	if k.bring(action) {
		k.fault("action %s %s, and is resolved twice", action, why)
	}
}

// compare checks that the agent gets exactly the messages so far, once, in order.
func (k *talk) compare() {
	k.t.Helper()
	want := slices.Clone(k.history)
	body, user := k.body("", `[{"echo":"history"}]`)
	a := k.now.request(body, nil)
	if a.end != "done" {
		k.fault("the agent can't be asked: %d %s%s", a.status, a.refused, a.end)
		k.begin()
		return
	}
	k.keep(user, a.text)
	var list []map[string]string
	decode(k.t, a.text, &list)
	var got []string
	for _, one := range list {
		for who, what := range one {
			got = append(got, who+": "+what)
		}
	}
	if slices.Equal(got, want) {
		return
	}
	times := map[string]int{}
	for _, one := range got {
		times[one]++
	}
	for _, one := range want {
		times[one]--
	}
	for one, n := range times {
		switch {
		case n < 0:
			k.fault("%.60q was said and isn't there", one)
		case n > 0 && slices.Contains(want, one):
			k.fault("%.60q is there twice", one)
		case n > 0:
			k.fault("%.60q is there, and shouldn't be", one)
		}
	}
	k.fault("the agent is handed %.2000q", got)
}
