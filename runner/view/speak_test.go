package view_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/view"
	"github.com/streamcert/streamcert/runner/wire"
)

// has checks that the transcript contains lines, in order.
func has(t *testing.T, out string, lines ...string) {
	t.Helper()
	at := 0
	for _, line := range lines {
		i := strings.Index("\n"+out[at:], "\n"+line+"\n")
		if i < 0 {
			t.Errorf("there is no line %q from byte %d in\n%s", line, at, out)
			return
		}
		at += i + len(line)
	}
}

const start = `"type":"tool_start","toolName":"find","arguments":{"q":1},"toolCallId":`

func TestTools(t *testing.T) {
	out, _ := transcript(t, stream(
		start+`"a"`, start+`"b"`,
		`"type":"tool_end","toolName":"find","toolCallId":"b","success":true,"result":[1]`,
		`"type":"tool_end","toolName":"find","toolCallId":"a","success":false,"error":"gone"`,
		`"type":"tool_end","toolName":"find","toolCallId":"a","success":true`,
		start+`"c"`, `"type":"tool_end","toolName":"find","toolCallId":"c","success":true,"result":null,"timestamp":5`,
		start+`7`,
	), view.Options{Width: 80})
	has(t, out, `▶ tool #1 find {"q":1}`, `▶ tool #2 find {"q":1}`, `✓ #2 find done in 100 ms: [1]`, `✗ #1 find failed after 300 ms: gone`,
		`✓ find done, its start wasn't seen`, `✓ #3 find done`, `▶ tool #4 find {"q":1}`)
}

func TestReasoningIsWrittenOnce(t *testing.T) {
	thought := func(content string, complete bool) string {
		return fmt.Sprintf(`"type":"thinking","content":%q,"isComplete":%v`, content, complete)
	}
	for name, c := range map[string]struct{ chunks, want []string }{
		"increments": {[]string{thought("a", false), thought(" b", false), thought("a b", true)}, []string{"┊ (thinking) a b"}},
		"empty":      {[]string{thought("a", false), thought("", true)}, []string{"┊ (thinking) a"}},
		"whole":      {[]string{thought("a b", true)}, []string{"┊ (thinking) a b"}},
		"two":        {[]string{thought("a", true), thought("a", true)}, []string{"┊ (thinking) a", "┊ (thinking) a"}},
		"other": {[]string{thought("a", false), thought("c", true)},
			[]string{"┊ (thinking) a", "┊ (thinking, the whole block, which differs) c"}},
		"text between": {[]string{thought("a", false), text("x"), thought(" b", false), thought("a b", true)},
			[]string{"┊ (thinking) a", "  x", "┊ (thinking)  b"}},
	} {
		out, _ := transcript(t, stream(c.chunks...), view.Options{})
		if want := "● planner · root\n" + strings.Join(c.want, "\n") + "\n"; out != want {
			t.Errorf("%s: got\n%swant\n%s", name, out, want)
		}
	}
}

// family returns a root agent with two children that speak at the same time.
func family() string {
	begins := `"type":"subagent_start","subAgentType":"k","callId":"c","subSessionId":`
	ends := `"type":"subagent_end","subAgentType":"k","callId":"c","result":"r","subSessionId":`
	body := textChunk(1, "root", begins+`"k1"`) + textChunk(2, "root", begins+`"k2"`)
	for i := range 3 {
		body += textChunk(3+2*i, "k1", text(fmt.Sprint("a", i, " "))) + textChunk(4+2*i, "k2", text(fmt.Sprint("b", i, " ")))
	}
	return body + textChunk(9, "root", ends+`"k1"`) + textChunk(10, "root", ends+`"k2"`) + textChunk(11, "root", text("bye"))
}

func TestSubagentsAreIndentedAndSeparate(t *testing.T) {
	out, _ := transcript(t, family(), view.Options{})
	has(t, out, "┌ agent k · k1", "┌ agent k · k2", "│ ● k · k1", "│   a0 a1 a2", "│ ● k · k2", "│   b0 b1 b2",
		`└ agent k · k1 done in 800 ms: "r"`, `└ agent k done in 800 ms: "r"`, "  bye")
	live, _ := transcript(t, family(), view.Options{Live: true})
	has(t, live, "│ ● k · k1", "│   a0", "│ ● k · k2", "│   b0", "│ ● k · k1", "│   a1")
	only := func(c view.Chunk) bool { return c.AgentID == "k2" }
	out, count := transcript(t, family(), view.Options{Show: only, Flat: true})
	if out != "● k · k2\n  b0 b1 b2\n" || count.Shown != 3 || count.Chunks != 11 {
		t.Errorf("%+v\n%s", count, out)
	}
}

func TestWordsOfOneAgent(t *testing.T) {
	if got, notes := words(t, family(), view.Options{}); got != "bye\n" || notes != nil {
		t.Errorf("%q %q", got, notes)
	}
	k1 := func(c view.Chunk) bool { return c.AgentID == "k1" }
	if got, _ := words(t, family(), view.Options{Show: k1}); got != "a0 a1 a2\n" {
		t.Errorf("%q", got)
	}
	body := stream(text("old "), `"type":"stream_resync","stepCount":1`, text("new")) +
		"data: {\"type\":\"truncated\",\"truncatedAtStep\":2}\n\ndata: {\"type\":\"fail\",\"error\":\"x\",\"code\":\"y\"}\n\n"
	got, notes := words(t, body, view.Options{})
	if got != "old\nnew\n" || strings.Join(notes, "; ") != "the stream went back: text of steps after 1 is void; "+
		"chunks were removed: text of steps after 2 is void; the stream failed: x (y)" {
		t.Errorf("%q %q", got, notes)
	}
}

func TestABranchHasAnotherRoot(t *testing.T) {
	body := stream(text("old")) + textChunk(2, "other", `"type":"stream_resync","checkpointId":"c","stepCount":0,"reason":"branch"`) +
		textChunk(3, "other", text("new")) + textChunk(4, "root", text("never")) + textChunk(5, "other", `"type":"output","output":1`) +
		"data: {\"type\":\"end\",\"finalOutput\":1}\n\n"
	if got, _ := words(t, body, view.Options{}); got != "old\nnew\n" {
		t.Errorf("%q", got)
	}
	out, _ := transcript(t, body, view.Options{})
	has(t, out, "  old", "● planner · other", "─ back to step 0: later work is void (branch)", "  new", "■ end of the stream, with that output")
}

// TestWhatJudgesUnderstandIsShown: a transcript shows the fold's state of calls, reasoning and outputs.
func TestWhatJudgesUnderstandIsShown(t *testing.T) {
	thought := func(content string, complete bool) string {
		return fmt.Sprintf(`"type":"thinking","content":%q,"isComplete":%v`, content, complete)
	}
	ended := `"type":"tool_end","toolName":"find","toolCallId":"a","success":true`
	for name, c := range map[string]struct{ body, has, hasNot string }{
		"an output in other words": {stream(`"type":"output","output":{"a":1,"b":[]}`) + "data: {\"type\":\"end\",\"finalOutput\":{\"b\":[],\"a\":1.0}}\n\n",
			"■ end of the stream, with that output", "1.0"},
		"an output of an earlier run": {stream(`"type":"output","output":1,"runId":"r1"`, `"type":"custom","runId":"r2"`) + "data: {\"type\":\"end\",\"finalOutput\":1}\n\n",
			"■ end of the stream, with output 1", "that output"},
		"reasoning that an interruption ended": {stream(thought("a", false), `"type":"run_interrupted"`, `"type":"run_resumed"`, thought("b", false), thought("b", true)),
			"┊ (thinking) b", "differs"},
		"reasoning that was lost":            {stream(thought("a", false), `"type":"error","error":"x","recoverable":true`, thought("c", true)), "┊ (thinking) c", "differs"},
		"a call that another agent ends":     {textChunk(1, "root", start+`"a"`) + textChunk(2, "other", ended), "✓ #1 find done in 100 ms", "wasn't seen"},
		"a call that an interruption passes": {stream(start+`"a"`, `"type":"run_interrupted"`, ended), "✓ #1 find done in 200 ms", "wasn't seen"},
		"a call across a gap":                {textChunk(1, "root", start+`"a"`) + textChunk(9, "root", ended), "✓ #1 find done in 800 ms", "wasn't seen"},
		"a call across a removal":            {stream(start+`"a"`) + "data: {\"type\":\"truncated\",\"truncatedAtStep\":1}\n\n" + textChunk(2, "root", ended), "✓ #1 find done in 100 ms", "wasn't seen"},
		"an end without a start": {textChunk(1, "root", text("x")) + textChunk(2, "k", text("y")) + textChunk(3, "root", `"type":"subagent_end","subAgentType":"t","subSessionId":"k","result":1`),
			"└ agent t · k done, its start wasn't seen: 1", "done in"},
	} {
		out, _ := transcript(t, c.body, view.Options{})
		has(t, out, c.has)
		if strings.Contains(out, c.hasNot) {
			t.Errorf("%s: %q is in\n%s", name, c.hasNot, out)
		}
	}
}

// TestHiddenOutputIsMentionedAtTheEnd: only a value that is shown above is left out.
func TestHiddenOutputIsMentionedAtTheEnd(t *testing.T) {
	body := stream(text("a"), `"type":"output","output":1`) + "data: {\"type\":\"end\",\"finalOutput\":1}\n\n"
	out, _ := transcript(t, body, view.Options{Show: func(c view.Chunk) bool { return c.Type == "text_delta" }})
	has(t, out, "  a", "■ end of the stream, with output 1")
}

func TestTheStateGoesBackWithTheStream(t *testing.T) {
	set := func(n int) string {
		return fmt.Sprintf(`"type":"state_patch","patches":[{"op":"add","path":"/n","value":%d}]`, n)
	}
	out, _ := transcript(t, stream(set(1), `"type":"checkpoint_created","checkpointId":"c1","stepCount":1`, set(2),
		`"type":"stream_resync","checkpointId":"c1","stepCount":1,"reason":"rollback"`, set(3),
		`"type":"stream_resync","checkpointId":"c9","stepCount":9,"reason":"rollback"`, set(4)), view.Options{Width: 80})
	has(t, out, "Δ add /n: 1", "Δ set /n: 1 → 2", "─ back to step 1: later work is void (rollback)", "Δ set /n: 1 → 3",
		"─ back to step 9: later work is void (rollback)",
		"! that checkpoint isn't in what was read: its state isn't known, and taken to be", "    {}", "Δ add /n: 4")
}

func TestUnreadableFramesAreReportedByPosition(t *testing.T) {
	body := stream(text("a")) + "data: {broken\n\ndata: [1]\n\ndata: {\"type\":\"chunk\"}\n\n" + textChunk(2, "root", text("b")) + "id: 3\ndata: {\"ty"
	out, count := transcript(t, body, view.Options{})
	if count.Broken != 3 || count.Events != 2 || count.Ended {
		t.Errorf("%+v", count)
	}
	at := strings.Index(body, "data: {broken")
	has(t, out, "  a", fmt.Sprintf("! line 4, byte %d: the data can't be read: 'b' at byte 1 of the JSON, where a member name is expected", at), "  b", fmt.Sprintf("! line 13, byte %d: the recording is cut in the middle of an event", strings.Index(body, "id: 3\n")))
}

func TestBareChunksAndTheirEnd(t *testing.T) {
	out, count := transcript(t, `data: {"type":"text_delta","delta":"hi","agentId":"r","agentType":"p","timestamp":1}`+"\n\n"+
		`data: {"type":"stream_end","streamId":"s","timestamp":2,"finalOutput":7}`+"\n\n", view.Options{})
	if !count.Ended || count.Unknown > 0 {
		t.Errorf("%+v", count)
	}
	has(t, out, "● p · r", "  hi", "■ end of the stream, with output 7")
}

func TestLongValuesAreShortened(t *testing.T) {
	long := `"` + strings.Repeat("x", 100_000) + `"`
	out, _ := transcript(t, stream(`"type":"custom","eventName":"e","data":{"a":`+long+`}`, `"type":"output","output":`+long), view.Options{Width: 60})
	if n := strings.Count(out, "\n"); n > 16 || strings.Count(out, "… (97.7 KiB)") != 2 {
		t.Errorf("%d lines\n%s", n, out)
	}
}

// endless is a stream of n events of agents, calls and checkpoints that are never closed.
type endless struct {
	n, at     int
	remaining []byte
}

func (e *endless) Read(b []byte) (int, error) {
	if len(e.remaining) == 0 {
		if e.at >= e.n {
			return 0, io.EOF
		}
		e.at++
		agent := fmt.Sprint("a", e.at)
		chunk := []string{
			text("word "), start + `"` + agent + `"`, `"type":"subagent_start","subAgentType":"k","callId":"c","subSessionId":"k` + agent + `"`,
			`"type":"checkpoint_created","checkpointId":"` + agent + `","stepCount":1`, `"type":"thinking","isComplete":false,"content":"no end "`,
		}[e.at%5]
		if e.at%3 > 0 {
			agent = "root"
		}
		e.remaining = []byte(textChunk(e.at, agent, chunk))
	}
	n := copy(b, e.remaining)
	e.remaining = e.remaining[n:]
	return n, nil
}

func TestMemoryIsConstant(t *testing.T) {
	const n = 40_000
	defer certifytest.Heap(t, 16<<20)() // a few MiB stay, plus allocations during a collection on a busy machine
	e := &endless{n: n}
	w := view.NewTranscript(io.Discard, view.Options{Width: 80})
	for event, err := range view.Events(wire.NewReader(e, wire.Options{})) {
		if err == nil {
			err = w.Event(event)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if w.Count().Events != n {
		t.Errorf("%d events", w.Count().Events)
	}
}

func TestWhatStaysOpenIsForgottenSomeTime(t *testing.T) {
	var marks, calls, agents strings.Builder
	for i := range 70 {
		marks.WriteString(textChunk(i+1, "root", fmt.Sprintf(`"type":"checkpoint_created","checkpointId":"c%d","stepCount":1`, i)))
	}
	back := `"type":"stream_resync","checkpointId":%q,"stepCount":1,"reason":"rollback"`
	if out, _ := transcript(t, marks.String()+textChunk(99, "root", fmt.Sprintf(back, "c69")), view.Options{}); strings.Contains(out, "! ") {
		t.Error("the latest checkpoint was forgotten")
	}
	out, _ := transcript(t, marks.String()+textChunk(99, "root", fmt.Sprintf(back, "c0")), view.Options{})
	has(t, out, "! that checkpoint isn't in what was read: its state isn't known, and taken to be {}")

	for i := range 65_537 {
		calls.WriteString(textChunk(i+1, "root", start+fmt.Sprintf(`"c%d"`, i)))
	}
	calls.WriteString(textChunk(1, "root", `"type":"tool_end","toolName":"find","toolCallId":"c0","success":true`))
	calls.WriteString(textChunk(1, "root", `"type":"tool_end","toolName":"find","toolCallId":"c65536","success":true`))
	out, _ = transcript(t, calls.String(), view.Options{})
	has(t, out, "✓ #1 find done in 0 ms", "✓ find done, its start wasn't seen")

	for i := range 4200 {
		agents.WriteString(textChunk(i+1, "root", fmt.Sprintf(`"type":"subagent_start","subAgentType":"k","callId":"c","subSessionId":"k%d"`, i)))
	}
	out, _ = transcript(t, agents.String()+textChunk(9, "k4199", text("a"))+textChunk(9, "k0", text("b"))+textChunk(9, "root", text("c")), view.Options{})
	has(t, out, "│ ● k · k4199", "│   a", "● planner · k0", "  b", "  c")
	if strings.Count(out, "planner · root") != 1 {
		t.Error("the root agent was forgotten")
	}
}
