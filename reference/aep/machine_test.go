package aep

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference/aep/agent"
)

func newMachine() *Machine {
	calls, actions := 0, 0
	return &Machine{
		Request:    Request{ID: "r", Agent: "a", Thread: "t", Message: "m"},
		CallID:     func() string { calls++; return fmt.Sprint("call-", calls) },
		OpenAction: func(string, json.RawMessage) string { actions++; return fmt.Sprint("action-", actions) },
	}
}

// short prints each event in a few words.
func short(events []Event) string {
	var lines []string
	for _, e := range events {
		switch {
		case e.Stage == Start:
			lines = append(lines, fmt.Sprintf("%s %s start %d %s%s", e.Kind, e.BlockID, e.BlockIndex, e.Block.ToolCallID, e.Block.ToolName))
		case e.Stage == Delta:
			lines = append(lines, fmt.Sprintf("%s %s %d %q", e.Kind, e.BlockID, e.DeltaIndex, e.Piece))
		case e.Stage == Stop:
			lines = append(lines, fmt.Sprintf("%s %s stop %q%s%s %s", e.Kind, e.BlockID, e.Block.Text, e.Block.Args, e.Block.Status, e.Block.Summary))
		default:
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s%s%s%s", e.Kind, e.ActionID, e.FinishReason, e.Code, e.Reason)))
		}
	}
	return strings.Join(lines, "\n")
}

func TestMachine(t *testing.T) {
	say := func(kind agent.Kind, pieces ...string) (ds []agent.Delta) {
		for _, p := range pieces {
			ds = append(ds, agent.Delta{Kind: kind, Piece: p})
		}
		return ds
	}
	tool := []agent.Delta{
		{Kind: agent.Call, Call: 1, Tool: "f"}, {Kind: agent.Arguments, Piece: `{"a":`}, {Kind: agent.Arguments, Piece: `1}`},
		{Kind: agent.Called, Call: 1}, {Kind: agent.Outcome, Call: 1, Tool: "f", Returned: json.RawMessage(`"secret"`)},
	}
	for _, c := range []struct {
		name   string
		deltas []agent.Delta
		want   string
	}{
		{"nothing", nil, "metadata\ndone stop"},
		{"text", say(agent.Text, "a", " b"), "metadata\ntext b0 start 0 \ntext b0 0 \"a\"\ntext b0 1 \" b\"\ntext b0 stop \"a b\" \ndone stop"},
		{"empty text", say(agent.Text, ""), "metadata\ntext b0 start 0 \ntext b0 stop \"\" \ndone stop"},
		{"thinking, then text", append(say(agent.Thinking, "h"), say(agent.Text, "a")...), "metadata\nthinking b0 start 0 \nthinking b0 0 \"h\"\n" +
			"thinking b0 stop \"h\" \ntext b1 start 1 \ntext b1 0 \"a\"\ntext b1 stop \"a\" \ndone stop"},
		{"a tool", tool, "metadata\ntool_call b0 start 0 call-1f\ntool_call b0 0 \"{\\\"a\\\":\"\ntool_call b0 1 \"1}\"\n" +
			"tool_call b0 stop \"\"{\"a\":1} \ntool_result b1 start 1 call-1\ntool_result b1 stop \"\"success f is done\ndone stop"},
		{"arguments of no call", []agent.Delta{{Kind: agent.Arguments, Piece: "x"}}, "metadata\ndone stop"},
		{"an action", append(say(agent.Text, "a"), agent.Delta{Kind: agent.Action, ActionKind: "k"}), "metadata\ntext b0 start 0 \ntext b0 0 \"a\"\n" +
			"text b0 stop \"a\" \ncontinuation action-1\ndone action_required"},
	} {
		m := newMachine()
		events := m.Begin()
		for _, d := range c.deltas {
			events = append(events, m.Take(d)...)
		}
		events = append(events, m.Done()...)
		if diff := cmp.Diff(c.want, short(events)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if timedOut := append(append(m.Take(agent.Delta{Piece: "x"}), m.Done()...), m.Abort("")...); len(timedOut) > 0 {
			t.Errorf("%s: after the end: %s", c.name, short(timedOut))
		}
	}
}

func TestContentOfDone(t *testing.T) {
	m := newMachine()
	m.Take(agent.Delta{Kind: agent.Thinking, Piece: "h"})
	m.Take(agent.Delta{Kind: agent.Text, Piece: "a\r\nevent: done"})
	m.Take(agent.Delta{Kind: agent.Call, Call: 1, Tool: "f"})
	m.Take(agent.Delta{Kind: agent.Called, Call: 1})
	m.Take(agent.Delta{Kind: agent.Outcome, Call: 1, Failed: true, Summary: "no", Returned: json.RawMessage(`1`)})
	done := m.Done()[0]
	done.Timestamp = time.Unix(0, 0)
	want := `event: done
data: {"event":"done","requestId":"r","messageId":"m","threadId":"t","content":[{"type":"thinking","thinking":"h"},` +
		`{"type":"text","text":"a\r\nevent: done"},{"type":"tool_use","toolCallId":"call-1","toolName":"f","args":{}},` +
		`{"type":"tool_result","toolCallId":"call-1","status":"error","summary":"no"}],"finishReason":"stop",` +
		`"usage":{"messages":0,"deltas":5},"timestamp":"1970-01-01T00:00:00.000Z"}

`
	if diff := cmp.Diff(want, string(Frames{}.Append(nil, done))); diff != "" {
		t.Error(diff)
	}
}

// TestRawStaysOnItsLine: a model's raw output can't end its line.
func TestRawStaysOnItsLine(t *testing.T) {
	for args, want := range map[string]string{"{\n\"a\":\r\n1}\n": `{"a":1}`, "{\n\nevent: done": `{}`, "": `{}`} {
		m := newMachine()
		m.Take(agent.Delta{Kind: agent.Call, Call: 1, Tool: "f"})
		m.Take(agent.Delta{Kind: agent.Arguments, Call: 1, Piece: args})
		stop := string(AppendJSON(nil, m.Take(agent.Delta{Kind: agent.Called, Call: 1})[0]))
		if !strings.Contains(stop, `"args":`+want+`,`) || strings.ContainsAny(stop, "\r\n") {
			t.Errorf("%q: %q", args, stop)
		}
	}
	if got := string(AppendJSON(nil, Event{Kind: Continuation, Payload: json.RawMessage("[\n1,\n")})); !strings.Contains(got, `"payload":null,`) {
		t.Error(got)
	}
}

func TestFailLeavesBlocksOpen(t *testing.T) {
	m := newMachine()
	m.Take(agent.Delta{Kind: agent.Text, Piece: "a"})
	events := m.Fail("stream_timeout", "late")
	if short(events) != "error stream_timeout" || !events[0].Retryable {
		t.Errorf("%+v", events)
	}
}

func TestCounter(t *testing.T) {
	clock := &fakeClock{now: time.Unix(100, 0)}
	c := &counter{rates: map[string]Rate{"a": {Requests: 2, Per: time.Second}, "b": {Requests: 1}}, clock: clock}
	for i, want := range []bool{true, true, false} {
		if got := c.admit("a") == nil; got != want {
			t.Errorf("request %d: admitted %v", i, got)
		}
	}
	clock.now = clock.now.Add(time.Second)
	if err := c.admit("a"); err != nil {
		t.Error(err)
	}
	if c.admit("b") != nil || c.admit("b") == nil || c.admit("c") != nil {
		t.Error("b may ask once, and c as often as it likes")
	}
}

type fakeClock struct{ now time.Time }

func (c *fakeClock) Now() time.Time                        { return c.now }
func (c *fakeClock) AfterFunc(time.Duration, func()) Timer { return time.NewTimer(0) }
