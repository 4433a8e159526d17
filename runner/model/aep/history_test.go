package aep_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"testing"

	model "github.com/streamcert/streamcert/runner/model/aep"
)

// talk is a thread whose requests are answered one after the other.
type talk struct {
	t *testing.T
	*model.Thread
	requests int
	reason   string // of done; "" is stop
}

func newTalk(t *testing.T) *talk {
	return &talk{t: t, Thread: model.NewThread(model.NewWorld(model.NewIds()), "family", "1", 0)}
}

func (k *talk) event(turn *model.Turn, kind string, members map[string]any) error {
	members["event"], members["requestId"] = kind, string(rune('a'+k.requests))
	raw, err := json.Marshal(members)
	if err != nil {
		k.t.Fatal(err)
	}
	return turn.Take(model.Event{Kind: kind, Members: members, Raw: string(raw)})
}

// exchange sends a user's text, lets the agent answer with a text, and ends the response with an event of a kind. It
// returns the model's error at the end.
func (k *talk) exchange(says, answers, end string, script ...model.ScriptStep) error {
	if script == nil {
		script = []model.ScriptStep{{Name: "text", Text: answers}}
	}
	return k.asks(model.Request{Texts: []string{says}, Script: script}, answers, end)
}

func (k *talk) asks(asking model.Request, answers, end string) error {
	k.requests++
	if end == "error" && asking.Script[len(asking.Script)-1].Name != "fail" {
		asking.Script = append(asking.Script, model.ScriptStep{Name: "fail", Text: "agent_error"})
	}
	turn := k.Begin(asking)
	if err := turn.Answered(200); err != nil {
		k.t.Fatal(err)
	}
	if err := k.event(turn, "metadata", map[string]any{"threadId": "thread"}); err != nil {
		k.t.Fatal(err)
	}
	for _, stage := range []map[string]any{{"stage": "start"}, {"stage": "delta", "delta": answers}, {"stage": "stop"}} {
		if end == "cut" && stage["stage"] == "stop" {
			return turn.Disconnect()
		}
		stage["blockId"] = "b"
		if err := k.event(turn, "text", stage); err != nil {
			k.t.Fatal(err)
		}
	}
	return k.event(turn, end, map[string]any{"code": "agent_error", "finishReason": cmp.Or(k.reason, "stop")})
}

// knows has the agent repeat a history.
func (k *talk) knows(history string) error {
	echo := model.ScriptStep{Name: "echo", Text: "history"}
	return k.exchange("And?", history, "done", echo)
}

// TestHistoryOfRepeatedTexts: a message that was repeated after a failure may occur once or twice, and an answered one
// must occur.
func TestHistoryOfRepeatedTexts(t *testing.T) {
	failed := func(k *talk) {
		must(t, k.exchange("Go", "[family:1.1]", "error"))
		must(t, k.exchange("Go", "[family:1.2] there", "done"))
	}
	twice := func(k *talk) { must(t, k.exchange("Go", "0", "done")); must(t, k.exchange("Go", "0", "done")) }
	bare := func(k *talk) { must(t, k.exchange("0", "0", "done")) }
	blank := func(k *talk) { must(t, k.exchange("Go", " ", "done")) }
	repeated := func(k *talk) {
		again := model.Request{Texts: []string{"Go"}, Script: []model.ScriptStep{{Name: "text", Text: "[family:1.1] there"}}}
		must(t, k.asks(again, "", "error"))
		again.Repeats = 1
		must(t, k.asks(again, "[family:1.1] there", "error"))
	}
	left := func(k *talk) {
		again := model.Request{Texts: []string{"Go"}, Script: []model.ScriptStep{{Name: "text", Text: "[family:1.1] there"}}}
		must(t, k.asks(again, "[family:1.1] there", "cut"))
		again.Repeats = 1
		must(t, k.asks(again, "[family:1.1] th", "cut"))
	}
	refused := func(k *talk) {
		must(t, k.exchange("First", "[family:1.1]", "done"))
		must(t, k.refuse("Second"))
	}
	for _, c := range []struct {
		of      func(*talk)
		history string
		right   bool
	}{
		{failed, `[{"user":"Go"},{"user":"Go"},{"agent":"[family:1.2] there"}]`, true},
		{failed, `[{"user":"Go"},{"agent":"[family:1.1]"},{"user":"Go"},{"agent":"[family:1.2] there"}]`, true},
		{failed, `[{"user":"Go"},{"agent":"[family:1.2] there"}]`, true},
		{failed, `[{"user":"Go"},{"user":"Go"}]`, false},
		{failed, `[{"user":"Go"},{"user":"Go"},{"user":"Go"},{"agent":"[family:1.2] there"}]`, false},
		{twice, `[{"user":"Go"},{"agent":"0"},{"user":"Go"},{"agent":"0"}]`, true},
		{twice, `[{"user":"Go"},{"agent":"0"},{"user":"Go"}]`, false},
		{twice, `[{"user":"Go"},{"agent":"0"}]`, false},
		{bare, `[{"user":"0"},{"agent":"0"}]`, true},
		{bare, `[{"user":"0"}]`, false},
		{bare, `[{"agent":"0"}]`, false},
		{blank, `[{"user":"Go"},{"agent":" "}]`, true},
		{blank, `[{"user":"Go"}]`, true}, // it is an answer without text to some
		{left, `[{"user":"Go"},{"agent":"[family:1.1] there"},{"user":"Go"},{"agent":"[family:1.1] there"}]`, true},
		{left, `[{"user":"Go"},{"agent":"[family:1.1] there"},{"user":"Go"},{"agent":"[family:1.1] there"},{"agent":"[family:1.1] there"}]`, false},
		{repeated, `[{"user":"Go"},{"user":"Go"},{"agent":"[family:1.1]"}]`, true},
		{repeated, `[{"user":"Go"},{"user":"Go"},{"agent":"[family:1.1] here"}]`, false},
		{refused, `[{"user":"First"},{"agent":"[family:1.1]"}]`, true},
		{refused, `[{"user":"First"},{"agent":"[family:1.1]"},{"user":"Second"}]`, true},
		{refused, `[{"user":"Second"},{"user":"First"},{"agent":"[family:1.1]"}]`, false},
		{refused, `[{"user":"First"}]`, false},
	} {
		k := newTalk(t)
		c.of(k)
		err := k.knows(c.history)
		var b *model.Violation
		if err != nil && !errors.As(err, &b) {
			t.Fatal(err)
		}
		if (err == nil) != c.right {
			t.Errorf("%s: got %v", c.history, err)
		}
	}
}

// refuse has a request with a result refused that there is no action for.
func (k *talk) refuse(says string) error {
	return k.Begin(model.Request{Texts: []string{says}, Results: []model.Result{{ActionID: "none", Value: true}}, Script: []model.ScriptStep{}}).Answered(400)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestMaySay: a text without an answer may be sent once more, and not a third time.
func TestMaySay(t *testing.T) {
	k := newTalk(t)
	must(t, k.exchange("Go", "[family:1.1]", "error"))
	if !k.MaySay("Go") || !k.MaySay("Other") {
		t.Error("a text without an answer can't be said again")
	}
	must(t, k.exchange("Go", "[family:1.2]", "error"))
	if k.MaySay("Go") {
		t.Error("a text without two answers can be said again")
	}
}

// TestReasoningAmongWords: the model finds reasoning in a text if the agent's text doesn't contain it.
func TestReasoningAmongWords(t *testing.T) {
	const thought = "[family:1.1] so many words"
	for said, rule := range map[string]string{
		"[family:1.1]":        "aep.content.thinking-apart",
		thought + " and more": "aep.content.text",
	} {
		err := newTalk(t).exchange("Go", thought, "done", model.ScriptStep{Name: "thinking", Text: thought}, model.ScriptStep{Name: "text", Text: said})
		var b *model.Violation
		if !errors.As(err, &b) || b.Requirement != rule {
			t.Errorf("%q: got %v, expected a breach of %s", said, err, rule)
		}
	}
}

// TestUnfinishedAnswers: an answer whose model gave no finish reason fails, or is done for a reason that isn't stop.
func TestUnfinishedAnswers(t *testing.T) {
	for how, may := range map[string]bool{"a clean end without a finish reason": true, "an error in the model's body": false} {
		script := []model.ScriptStep{{Name: "text", Text: "Hel"}, {Name: "fail", Text: how}}
		must(t, newTalk(t).exchange("Go", "Hel", "error", script...))
		if err := newTalk(t).exchange("Go", "Hel", "done", script...); err == nil {
			t.Errorf("%s is told as done, by stop", how)
		}
		other := newTalk(t)
		other.reason = "unknown"
		if err := other.exchange("Go", "Hel", "done", script...); (err == nil) != may {
			t.Errorf("%s is told as done, by another reason: %v", how, err)
		}
	}
}
