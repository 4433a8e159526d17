package helixui_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	model "github.com/streamcert/streamcert/runner/model/helix-ui"
)

// world is a script with a response, and the requirement that the response violates.
type world struct {
	steps  string
	came   string // the parts, some as names in the table below
	broken string // "" for a good one
}

// parts are common parts of the worlds, by name.
var parts = map[string]string{
	"start": `{"type":"start","messageId":"m"}`, "finish": `{"type":"finish","finishReason":"stop"}`, "step": `{"type":"finish-step"}`,
	"error": `{"type":"error","errorText":"?"}`, "abort": `{"type":"abort","reason":"r"}`,
	"c1":    `{"type":"tool-input-available","toolCallId":"c1","toolName":"f","input":{"a":1}}`,
	"c2":    `{"type":"tool-input-available","toolCallId":"c2","toolName":"f","input":{"a":1}}`,
	"o1":    `{"type":"tool-output-available","toolCallId":"c1","output":7}`,
	"o2":    `{"type":"tool-output-available","toolCallId":"c2","output":7}`,
	"soon1": `{"type":"tool-output-available","toolCallId":"c1","output":3,"preliminary":true}`,
	"e1":    `{"type":"tool-output-error","toolCallId":"c1","errorText":"?"}`,
	"ask":   `{"type":"tool-approval-request","approvalId":"a","toolCallId":"c1"}`,
	"calls": `{"type":"finish","finishReason":"tool-calls"}`,
	"own":   `{"type":"data-notice","data":1}`,
	"x1":    `{"type":"data-x","data":1}`, "x2": `{"type":"data-x","data":2}`,
	"state": `{"type":"data-state","data":[1],"transient":true}`, "kept": `{"type":"data-state","data":[1]}`,
	"child": `{"type":"data-subagent","id":"s","data":{"type":"subagent_start","callId":"s"}}`,
	"more":  `{"type":"data-subagent","id":"s","data":{"type":"subagent_start","callId":"s","agentId":"chat","step":1}}`,
	"other": `{"type":"data-subagent","id":"t","data":{"type":"subagent_start","callId":"s"}}`,
}

// part is a part of the table, "says:" or "thinks:" and a text, or JSON.
func part(t *testing.T, word string) model.Part {
	t.Helper()
	text, known := parts[word]
	if !known {
		text = word
	}
	for prefix, kind := range map[string]string{"says:": "text-delta", "thinks:": "reasoning-delta"} {
		if said, is := strings.CutPrefix(word, prefix); is {
			quoted, err := json.Marshal(said)
			if err != nil {
				t.Fatal(err)
			}
			text = `{"type":"` + kind + `","id":"p","delta":` + string(quoted) + `}`
		}
	}
	var p model.Part
	if err := json.Unmarshal([]byte(text), &p.Members); err != nil {
		t.Fatalf("%q: %v", word, err)
	}
	return p
}

// scripted parses a script as it is sent.
func scripted(t *testing.T, acts string) model.Script {
	t.Helper()
	s := model.Script{Chat: "chat"}
	var raw []struct {
		Text     *string
		Thinking any
		Tool     *model.Tool
		Fail     *string
		Await    string
		Chunk    map[string]any
		Ends     string
		Spelling *string
	}
	if err := json.Unmarshal([]byte("["+acts+"]"), &raw); err != nil {
		t.Fatalf("%s: %v", acts, err)
	}
	for _, a := range raw {
		act := model.ScriptStep{Text: a.Text, Tool: a.Tool, Fail: a.Fail, Await: a.Await, Chunk: a.Chunk, Ends: a.Ends, Spelling: a.Spelling}
		switch thought := a.Thinking.(type) {
		case string:
			act.Thinking = model.Reasoning{thought}
		case []any:
			act.Thinking = thought
		}
		s.Steps = append(s.Steps, act)
	}
	return s
}

var everything = model.Claims{Mapping: true, Metadata: true, Reasoning: true, Resume: true}

// playWorld plays a world, whose barriers are released once everything before them came.
func playWorld(t *testing.T, w world) (error, model.OccasionCounts) {
	t.Helper()
	occasions := model.OccasionCounts{}
	turn := model.NewTurn(scripted(t, w.steps), everything, occasions)
	for _, word := range strings.Split(w.came, " | ") {
		for turn.Waits() != "" {
			turn.Released(turn.Waits())
		}
		switch word {
		case "end", "cut":
			return turn.Ended(word == "cut", "the end"), occasions
		case "silence":
			if turn.Speaks() {
				return turn.Silent("nothing"), occasions
			}
			turn.Released(turn.NextBarrier())
		case "refused":
			if !turn.Refused() {
				t.Errorf("%s: mayn't be refused", w.steps)
			}
		case "garbled":
			return turn.Garbled([]byte("{")), occasions
		default:
			if err := turn.Receive(part(t, word)); err != nil {
				return err, occasions
			}
		}
	}
	return nil, occasions
}

const (
	ab        = `{"text":"ab"},{"text":"c"}`
	think     = `{"thinking":"hm"},{"text":"ab"}`
	tool      = `{"tool":{"name":"f","arguments":{"a":1},"result":7}}`
	fails     = `{"tool":{"name":"f","arguments":{"a":1},"error":"no"}}`
	toolStart = `{"chunk":{"type":"tool_start","toolCallId":"c1","toolName":"f","arguments":{"a":1}}}`
	two       = toolStart + `,{"chunk":{"type":"tool_start","toolCallId":"c2","toolName":"f","arguments":{"a":1}}}`
	both      = two + `,{"chunk":{"type":"tool_end","toolCallId":"c2","result":7}},{"chunk":{"type":"tool_end","toolCallId":"c1","result":7}}`
	again     = `{"chunk":{"type":"thinking","content":"h"}},{"chunk":{"type":"thinking","content":"hm","isComplete":true}},{"text":"ab"}`
	child     = `{"chunk":{"type":"text_delta","agentId":"child","delta":"CHILD"}},{"chunk":{"type":"tool_start","agentId":"child","toolCallId":"theirs"}},{"text":"ab"}`
	x         = `{"chunk":{"type":"custom","eventName":"x","data":1}}`
	patch     = `{"chunk":{"type":"state_patch","patches":[1]}}`
	sub       = `{"chunk":{"type":"subagent_start","callId":"s","agentId":"chat"}}`
	ends      = `{"chunk":{"type":"step_committed"}}`
	stops     = `{"chunk":{"type":"run_interrupted","reason":"r"}}`
	asks      = toolStart + `,{"chunk":{"type":"tool_approval_request","toolCallId":"c1"}}`
)

// worlds are answers, good and bad.
func worlds() []world {
	return []world{
		{ab, "start | says:a | says:bc | finish | end", ""},
		{ab, "start | own | says:abc | own | finish", ""},
		{ab, "start | says:ab | finish", "helix-ui.text.whole"},
		{ab, "start | says:ab | end", "helix-ui.text.whole"},
		{ab, "start | says:abd", "helix-ui.text.whole"},
		{ab, "start | says:abcd", "helix-ui.text.whole"},
		{ab, "start | says:abc | end", "helix-ui.flow.finish"},
		{ab, "start | says:abc | abort", "helix-ui.flow.finish"},
		{ab, "start | thinks:hm", "helix-ui.text.whole"},
		{ab + `,{"ends":"clean"}`, `start | says:abc | {"type":"finish","finishReason":"other"} | end`, ""},
		{ab + `,{"ends":"clean"}`, `start | says:abc | {"type":"finish"} | end`, ""},
		{ab + `,{"ends":"clean"}`, "start | says:abc | error | finish | end", ""},
		{ab + `,{"ends":"clean"}`, "start | says:abc | cut", ""},
		{ab + `,{"ends":"clean"}`, "start | says:abc | finish", "helix-ui.errors.told"},
		{ab + `,{"ends":"clean"}`, "start | says:abc | calls", "helix-ui.errors.told"},
		{ab + `,{"ends":"clean"}`, "start | says:abc | end", "helix-ui.errors.told"},
		{ab + `,{"ends":"clean"}`, "start | says:ab | error", "helix-ui.text.whole"},
		{`{"ends":"clean"}`, "refused", ""},
		{ab + `,{"ends":"error"}`, "start | says:abc | error", ""},
		{ab + `,{"ends":"error"}`, "start | says:abc | finish", "helix-ui.errors.told"},
		{`{"spelling":"x"},{"text":"a"}`, "start | says:a | finish", ""},
		{`{"text":"a\nb"}`, "start | garbled", "helix-ui.wire.framing"},
		{`{"text":"ab"}`, "start | garbled", ""},
		{think, "start | thinks:h | thinks:m | says:ab | finish", ""},
		{think, "start | says:ab | finish", ""},
		{think, "start | thinks:h | says:ab", "helix-ui.reasoning.whole"},
		{think + "," + think, "start | says:ab | thinks:hm", "helix-ui.reasoning.whole"},
		{think + "," + think, "start | thinks:hm | says:ab | says:ab", "helix-ui.reasoning.whole"},
		{think, "start | thinks:hn", "helix-ui.reasoning.whole"},
		{think, "start | says:hm", "helix-ui.reasoning.apart"},
		{again, "start | thinks:hm | says:ab | finish", ""},
		{again, "start | thinks:h | thinks:hm", "helix-ui.reasoning.whole"},
		{`{"thinking":["h",{"await":"b"},"m"]}`, "start | thinks:h | thinks:m | finish", ""},
		{`{"thinking":["h",{"await":"b"},"m"]},{"text":"ab"}`, "start | silence | says:ab | finish", ""},
		{`{"text":"a"},{"await":"b"},{"text":"b"}`, "start | says:a | says:b | finish", ""},
		{`{"text":"a"},{"await":"b"},{"text":"b"}`, "start | silence", "helix-ui.text.live"},
		{tool, "start | c1 | soon1 | o1 | step | finish", ""},
		{tool, "start | o1", "helix-ui.tools.arguments"},
		{tool, `start | {"type":"tool-input-available","toolCallId":"c1","toolName":"g","input":{"a":1}}`, "helix-ui.tools.arguments"},
		{tool, "start | c1 | finish", "helix-ui.tools.result"},
		{tool, "start | c1 | e1", "helix-ui.tools.result"},
		{tool, `start | c1 | {"type":"tool-output-available","toolCallId":"c1","output":"7"}`, "helix-ui.tools.result"},
		{tool, "start | c1 | o1 | c2", "helix-ui.tools.arguments"},
		{tool, "start | c1 | o1 | o1", "helix-ui.tools.result"},
		{fails, "start | c1 | e1 | finish", ""},
		{fails, "start | c1 | o1", "helix-ui.tools.failure"},
		{fails, "start | c1 | error", "helix-ui.tools.failure"},
		{both, "start | c1 | c2 | o2 | o1 | finish", ""},
		{both, "start | c1 | c2 | o1", "helix-ui.tools.result"},
		{both, "start | c2", "helix-ui.mapping.chunks"},
		{asks, "start | c1 | ask | calls", ""},
		{asks, "start | c1 | ask | finish", "helix-ui.mapping.chunks"},
		{asks, "start | c1 | finish", "helix-ui.mapping.chunks"},
		{child, "start | says:ab | finish", ""},
		{child, "start | says:CHILD", "helix-ui.mapping.agents"},
		{child, "start | thinks:CHILD", "helix-ui.mapping.agents"},
		{child, `start | {"type":"tool-input-available","toolCallId":"theirs","toolName":"f","input":{}}`, "helix-ui.mapping.agents"},
		{child, `start | {"type":"tool-output-error","toolCallId":"theirs","errorText":"?"}`, "helix-ui.mapping.agents"},
		{x + "," + ab, "start | x1 | says:abc | finish", ""},
		{x + "," + ab, "start | x2", "helix-ui.mapping.chunks"},
		{x + "," + ab, "start | says:ab", "helix-ui.mapping.chunks"},
		{x + "," + ab, "start | x1 | x1", "helix-ui.mapping.chunks"},
		{x, "start | x1 | x1", "helix-ui.mapping.chunks"},
		{patch, "start | state | finish", ""},
		{patch, "start | kept | finish", ""},
		{toolStart, "start | c1 | calls", ""},
		{toolStart, "start | c1 | e1 | finish", ""},
		{toolStart, "start | c1 | o1", "helix-ui.tools.result"},
		{sub, "start | child | finish", ""},
		{sub, "start | more | finish", ""},
		{sub, "start | other", "helix-ui.mapping.chunks"},
		{ab + "," + ends + "," + ab, "start | says:abc | step | says:abc | finish", ""},
		{ab + "," + ends + "," + ab, "start | says:abcabc", "helix-ui.mapping.chunks"},
		{`{"text":""},` + ends, "start | finish | end", ""},
		{`{"text":""},` + ends, "start | says: | step | finish | end", ""},
		{`{"chunk":{"type":"text_delta","delta":""}},` + ends + "," + ab, "start | says:abc | finish | end", ""},
		{ab + `,{"text":""},` + ends, "start | says:abc | finish", "helix-ui.mapping.chunks"},
		{tool + "," + ab + "," + ends + "," + ab, "start | c1 | o1 | says:abcabc | finish", ""},
		{ab + "," + stops, "start | says:abc | abort | end", ""},
		{ab + "," + stops, "start | says:abc | finish", "helix-ui.mapping.chunks"},
		{ab + `,{"fail":"no"}`, "start | says:abc | error | finish | end", ""},
		{ab + `,{"fail":"no"}`, "start | says:abc | cut", ""},
		{ab + `,{"fail":"no"}`, "start | says:abc | end", "helix-ui.errors.told"},
		{ab + `,{"fail":"no"}`, "start | says:abc | finish", "helix-ui.errors.told"},
		{`{"fail":"no"}`, "refused | end", ""},
		{`{"chunk":{"type":"error","error":"no","recoverable":false}}`, "start | error", ""},
		{`{"chunk":{"type":"error","error":"no","recoverable":true}},{"text":"ab"}`, "start | error", "helix-ui.mapping.chunks"},
		{ab, `{"type":"start"}`, "helix-ui.resume.message-id"},
		{ab, `{"type":"start","messageId":"m","messageMetadata":{}}`, "helix-ui.metadata.absent"},
	}
}

// TestNames: parts that no source names have the types that the config gives, or don't come.
func TestNames(t *testing.T) {
	for _, c := range []struct{ name, came, broken string }{
		{"data-km", `{"type":"data-km","data":[1]}`, ""},
		{"data-km", "state", "helix-ui.mapping.chunks"},
		{model.NoPart, "own", ""},
	} {
		script := scripted(t, patch)
		script.Names = map[string]string{"data-state": c.name}
		turn := model.NewTurn(script, everything, model.OccasionCounts{})
		err := turn.Receive(part(t, "start"))
		for _, word := range []string{c.came, "finish"} {
			if err == nil {
				err = turn.Receive(part(t, word))
			}
		}
		if breaks(err) != c.broken {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// breaks returns the requirement that an error breaks, "" for none.
func breaks(err error) string {
	var b *model.Violation
	if errors.As(err, &b) {
		return b.Requirement
	}
	return ""
}

// TestWorlds: the model finds the violation of a bad world, and none in a good one.
func TestWorlds(t *testing.T) {
	for _, w := range worlds() {
		if err, _ := playWorld(t, w); breaks(err) != w.broken {
			t.Errorf("%s: %s: got %q (%v), want %q", w.steps, w.came, breaks(err), err, w.broken)
		}
	}
}

// TestMetadata: the configured metadata is sent, computed for each turn if it is a function.
func TestMetadata(t *testing.T) {
	for _, c := range []struct{ start, finish, broken string }{
		{`{"a":1,"agent":"chat"}`, `{"b":2}`, ""},
		{`{"a":2,"agent":"chat"}`, `{"b":2}`, "helix-ui.metadata.start"},
		{`{"a":1,"agent":"first"}`, `{"b":2}`, "helix-ui.metadata.computed"},
		{`{"a":1,"agent":"chat"}`, `{"b":3}`, "helix-ui.metadata.finish"},
	} {
		turn := model.NewTurn(model.Script{
			Chat: "chat", Start: map[string]any{"a": 1.0, "agent": "{agentId}"}, Finish: map[string]any{"b": 2.0},
		}, everything, model.OccasionCounts{})
		err := turn.Receive(part(t, `{"type":"start","messageId":"m","messageMetadata":`+c.start+`}`))
		if err == nil {
			err = turn.Receive(part(t, `{"type":"finish","messageMetadata":`+c.finish+`}`))
		}
		if breaks(err) != c.broken {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

func partsOf(t *testing.T, list string) (out []model.Part) {
	for _, word := range strings.Split(list, " | ") {
		if word != "" {
			out = append(out, part(t, word))
		}
	}
	return out
}

// TestRemaining: a resumed reader may get other deltas; no part may be missing or come twice.
func TestRemaining(t *testing.T) {
	for _, c := range []struct{ want, got, broken string }{
		{"says:a | says:b | finish", "says:ab | finish", ""},
		{"says:a | says:b | finish", "says:ab", "helix-ui.resume.after"},
		{"says:a | finish", "says:a | finish | finish", "helix-ui.resume.after"},
		{"says:a | finish", "says:b | finish", "helix-ui.resume.after"},
	} {
		if err := model.CheckResumed("7", partsOf(t, c.want), partsOf(t, c.got), model.OccasionCounts{}); breaks(err) != c.broken {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// accountOf returns the account of the parts of a stream.
func accountOf(t *testing.T, parts string) *model.Account {
	t.Helper()
	var a model.Account
	for _, p := range partsOf(t, parts) {
		a.Take(p)
	}
	return &a
}

// TestPage: history and stream of an open answer contain each part once between them.
func TestPage(t *testing.T) {
	answer := accountOf(t, "thinks:hm | says:ab | c1 | o1 | says:c")
	for _, member := range []string{"", `,"id":"1"`, `,"transient":true`} {
		answer.Take(part(t, `{"type":"data-x","data":{"a":1}`+member+`}`))
	}
	partly := `{"role":"assistant","parts":[{"type":"text","text":"ab"},{"type":"tool-f","toolCallId":"c1","state":"output-available","input":{"a":1},"output":7}]}`
	dynamic := `{"role":"assistant","parts":[{"type":"text","text":"ab"},{"type":"dynamic-tool","toolName":"f","toolCallId":"c1","state":"output-error","input":{"a":1},"errorText":"?"}]}`
	writing := `{"role":"assistant","parts":[{"type":"reasoning","text":"hm"},{"type":"text","text":"ab"},{"type":"tool-f","toolCallId":"c1","state":"input-streaming"}]}`
	datum := strings.Replace(partly, `"parts":[`, `"parts":[{"type":"data-x","data":{"a":1}},`, 1)
	for _, c := range []struct{ message, stream, broken string }{
		{"", "thinks:hm | says:abc | c1 | o1", ""},
		{partly, "says:c", ""},
		{writing, "c1 | o1 | says:c", ""},
		{writing, "thinks:hm | c1 | o1 | says:c", "helix-ui.replay.once"},
		{partly, "says:abc", "helix-ui.replay.once"},
		{dynamic, "says:c", "helix-ui.replay.once"},
		{"", "thinks:hm | says:abc | c1", "helix-ui.replay.once"},
		{datum, "says:c", ""},
		{datum, `says:c | {"type":"data-x","data":{"a":2}}`, ""},
		{datum, `says:c | {"type":"data-x","data":{"a":1}}`, "helix-ui.replay.once"},
	} {
		var messages []map[string]any
		if c.message != "" {
			var m map[string]any
			if err := json.Unmarshal([]byte(c.message), &m); err != nil {
				t.Fatal(err)
			}
			messages = append(messages, m)
		}
		if err := model.Page(answer, messages, partsOf(t, c.stream), model.OccasionCounts{}); breaks(err) != c.broken {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// TestChat: the history contains every message of the user, and every finished answer.
func TestChat(t *testing.T) {
	said := func(role, text string) any {
		return map[string]any{"role": role, "parts": []any{map[string]any{"type": "text", "text": text}}}
	}
	whole := []any{said("system", "s"), said("user", "one "), said("assistant", "fi"), said("assistant", "rst"), said("user", "two"), said("user", "three"), said("assistant", "th")}
	answer := func(parts string) *model.Account { return accountOf(t, parts) }
	chat := func(open bool) *model.Chat {
		c := &model.Chat{Occasions: model.OccasionCounts{}}
		c.UserMessage("one")
		c.Answered(answer("says:first"), false, false)
		c.UserMessage("two")
		c.Answered(answer("says:second"), true, true)
		c.UserMessage("three")
		if !open {
			c.Answered(answer("says:third"), false, false)
		}
		return c
	}
	for _, c := range []struct {
		open     bool
		messages []any
		answers  int
		broken   string
	}{
		{true, whole, 1, ""},
		{true, whole[:5], 0, ""},
		{false, whole, 0, "helix-ui.history.whole"},
		{false, append(whole[:6:6], said("assistant", "third")), 0, ""},
		{true, append(whole[:4:4], whole[5:]...), 0, "helix-ui.history.failed"},
		{true, whole[4:], 0, "helix-ui.history.whole"},
		{true, append(whole[:3:3], whole[4:]...), 0, "helix-ui.history.whole"},
		{false, append(whole[:6:6], said("assistant", "third"), said("user", "four")), 0, "helix-ui.history.whole"},
		{true, nil, 0, "helix-ui.history.whole"},
	} {
		answers, err := chat(c.open).CheckHistory(c.messages)
		if breaks(err) != c.broken || len(answers) != c.answers {
			t.Errorf("%+v: got %d answers, %v", c, len(answers), err)
		}
	}
}

// TestFailedTurnsMayBeForgotten: if configured, the message of a failed turn is in the history or isn't.
func TestFailedTurnsMayBeForgotten(t *testing.T) {
	said := func(role, text string) any {
		return map[string]any{"role": role, "parts": []any{map[string]any{"type": "text", "text": text}}}
	}
	kept := []any{said("user", "one"), said("user", "one"), said("assistant", "second")}
	for _, messages := range [][]any{kept, kept[1:]} {
		for forgets, broken := range map[bool]string{true: "", false: "helix-ui.history.whole"} {
			c := &model.Chat{Occasions: model.OccasionCounts{}, Forgets: forgets}
			c.UserMessage("one")
			c.Answered(accountOf(t, "says:first"), true, true)
			c.UserMessage("one")
			c.Answered(accountOf(t, "says:second"), false, false)
			if len(messages) == 3 {
				broken = ""
			}
			if _, err := c.CheckHistory(messages); breaks(err) != broken {
				t.Errorf("forgets %v, %d messages: got %v, want %q", forgets, len(messages), err, broken)
			}
		}
	}
}

// TestCallsOfAChat: the history contains every call of a finished answer, as it was streamed.
func TestCallsOfAChat(t *testing.T) {
	call := func(members string) string {
		return `{"role":"assistant","parts":[{"type":"text","text":"a"},{"toolCallId":"c1",` + members + `}]}`
	}
	for _, c := range []struct {
		message string
		early   bool
		broken  string
	}{
		{call(`"type":"tool-f","state":"output-available","input":{"a":1},"output":7`), false, ""},
		{call(`"type":"dynamic-tool","toolName":"f","state":"output-available","input":{"a":1},"output":7,"title":"?"`), false, ""},
		{call(`"type":"tool-g","state":"output-available","input":{"a":1},"output":7`), false, "helix-ui.history.calls"},
		{call(`"type":"tool-f","state":"output-available","input":{"a":2},"output":7`), false, "helix-ui.history.calls"},
		{call(`"type":"tool-f","state":"output-available","input":{"a":1},"output":8`), false, "helix-ui.history.calls"},
		{call(`"type":"tool-f","state":"input-available","input":{"a":1}`), false, "helix-ui.history.calls"},
		{call(`"type":"tool-f","state":"output-error","input":{"a":1},"errorText":"7"`), false, "helix-ui.history.calls"},
		{`{"role":"assistant","parts":[{"type":"text","text":"a"}]}`, false, "helix-ui.history.calls"},
		{`{"role":"assistant","parts":[{"type":"text","text":"a"}]}`, true, ""},
	} {
		var user, told map[string]any
		if err := errors.Join(json.Unmarshal([]byte(`{"role":"user","parts":[{"type":"text","text":"?"}]}`), &user), json.Unmarshal([]byte(c.message), &told)); err != nil {
			t.Fatal(err)
		}
		chat := &model.Chat{Occasions: model.OccasionCounts{}}
		chat.UserMessage("?")
		chat.Answered(accountOf(t, "says:a | c1 | o1"), c.early, false)
		if _, err := chat.CheckHistory([]any{user, told}); breaks(err) != c.broken {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// TestWordsNameWhatCame: a violation names the part that came instead of reasoning, and a history without an answer.
func TestWordsNameWhatCame(t *testing.T) {
	if err, _ := playWorld(t, world{think, "start | thinks:h | error", ""}); err == nil || !strings.Contains(err.Error(), `got {"errorText":"?","type":"error"}`) {
		t.Errorf("a thought that isn't whole: %v", err)
	}
	c := &model.Chat{Occasions: model.OccasionCounts{}}
	c.UserMessage("one")
	c.Answered(accountOf(t, "says:first"), false, false)
	user := map[string]any{"role": "user", "parts": []any{map[string]any{"type": "text", "text": "one"}}}
	if _, err := c.CheckHistory([]any{user}); err == nil || !strings.HasSuffix(err.Error(), "got no answer") {
		t.Errorf("a history without an answer: %v", err)
	}
}
