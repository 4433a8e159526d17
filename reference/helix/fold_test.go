package helix_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference/helix"
)

// writeAll writes chunks one by one, each with its call and its sequence counted from 1.
func (s *service) writeAll(chunks ...string) {
	s.Helper()
	for i, c := range chunks {
		if got, want := s.write("s", c), fmt.Sprintf(`201 {"sequences":[%d]}`, i+1); got != want {
			s.Fatalf("writing %s: got %s, want %s", c, got, want)
		}
	}
}

func textOf(step int, delta string) string {
	return chunkOf("text_delta", fmt.Sprintf(`"step":%d,"delta":%q`, step, delta))
}

func checkpointOf(step, count int) string {
	return chunkOf("checkpoint_created", fmt.Sprintf(`"step":%d,"runId":"r","checkpointId":"c%d","stepCount":%d`, step, count, count))
}

func resyncOf(from int, agent string) string {
	return chunkOf("stream_resync", fmt.Sprintf(`"agentId":%q,"fromSequence":%d,"reason":"rollback"`, agent, from))
}

func appendOf(agent, value string) string {
	return chunkOf("state_patch", fmt.Sprintf(`"agentId":%q,"patches":[{"op":"add","path":"/l/-","value":%q}]`, agent, value))
}

func TestFoldOfState(t *testing.T) {
	list := patchOf(`{"op":"add","path":"/l","value":[]}`)
	for name, c := range map[string]struct {
		chunks []string
		want   string
	}{
		"root of another type": {[]string{patchOf(`{"op":"replace","path":"","value":7}`)}, `7`},
		"no root":              {[]string{patchOf(`{"op":"remove","path":""}`)}, `null`},
		"null and back":        {[]string{patchOf(`{"op":"add","path":"/a","value":null}`), patchOf(`{"op":"replace","path":"/a","value":1}`)}, `{"a":1}`},
		"escaped keys":         {[]string{patchOf(`{"op":"add","path":"/a~1b~0c","value":1}`), patchOf(`{"op":"add","path":"/","value":2}`)}, `{"a/b~c":1,"":2}`},
		"empty keys": {[]string{patchOf(`{"op":"add","path":"/","value":{"" : {"a":[""],"\u0000":1}}}`), patchOf(`{"op":"replace","path":"///a/0","value":{"":":"}}`),
			patchOf(`{"op":"copy","from":"//","path":"/b"},{"op":"test","path":"/b","value":{"a":[{"":":"}],"\u0000":1}}`), patchOf(`{"op":"add","path":"//\u0000","value":2}`)},
			`{"":{"":{"a":[{"":":"}],"\u0000":1},"\u0000":2},"b":{"a":[{"":":"}],"\u0000":1}}`},
		"no empty index": {[]string{list, patchOf(`{"op":"add","path":"/l/","value":1}`)}, `{"l":[]}`},
		"a dash as a key": {[]string{patchOf(`{"op":"add","path":"/-","value":{"a":1}}`), patchOf(`{"op":"replace","path":"/-/a","value":2}`),
			patchOf(`{"op":"copy","from":"/-","path":"/b"}`), patchOf(`{"op":"remove","path":"/-"}`)}, `{"b":{"a":2}}`},
		"move and copy": {[]string{patchOf(`{"op":"add","path":"/a","value":{"x":1}},{"op":"copy","from":"/a","path":"/b"},` +
			`{"op":"move","from":"/a/x","path":"/y"}`)}, `{"a":{},"b":{"x":1},"y":1}`},
		"test of nulls": {[]string{patchOf(`{"op":"add","path":"/a","value":[{"x":null}]},{"op":"test","path":"/a","value":[{"x":null}]},` +
			`{"op":"test","path":"/a/0/x","value":null},{"op":"replace","path":"/a","value":1}`)}, `{"a":1}`},
		"test that fails": {[]string{patchOf(`{"op":"add","path":"/a","value":1}`), patchOf(`{"op":"replace","path":"/a","value":2},` +
			`{"op":"test","path":"/a","value":1}`), patchOf(`{"op":"test","path":"/b","value":null},{"op":"remove","path":"/a"}`)}, `{"a":1}`},
		"numbers as they came":  {[]string{patchOf(`{"op":"add","path":"/n","value":12345678901234567890.10}`)}, `{"n":12345678901234567890.10}`},
		"all or nothing":        {[]string{list, patchOf(`{"op":"add","path":"/x","value":1},{"op":"remove","path":"/none"}`), appendOf("a", "y")}, `{"l":["y"]}`},
		"no negative index":     {[]string{list, appendOf("a", "y"), patchOf(`{"op":"remove","path":"/l/-1"}`)}, `{"l":["y"]}`},
		"no patch":              {[]string{list, patchOf(`7`), patchOf(`{"op":"add","path":"l","value":1}`), patchOf(`{"op":"add","path":7,"value":1}`)}, `{"l":[]}`},
		"other agents":          {[]string{list, appendOf("child", "n"), appendOf("a", "y")}, `{"l":["y"]}`},
		"back":                  {[]string{list, appendOf("a", "1"), appendOf("a", "2"), resyncOf(2, "a"), appendOf("a", "3")}, `{"l":["1","3"]}`},
		"back to the beginning": {[]string{list, appendOf("a", "1"), resyncOf(0, "a"), list, appendOf("a", "2")}, `{"l":["2"]}`},
		"into another session":  {[]string{list, appendOf("a", "1"), appendOf("a", "2"), resyncOf(2, "b"), appendOf("a", "n"), appendOf("b", "3")}, `{"l":["1","3"]}`},
		"back twice": {[]string{list, appendOf("a", "1"), appendOf("a", "2"), resyncOf(2, "a"), appendOf("a", "3"), resyncOf(3, "a"),
			appendOf("a", "4")}, `{"l":["1","2","4"]}`},
		"back into what came after": {[]string{list, appendOf("a", "1"), resyncOf(1, "a"), appendOf("a", "2"), appendOf("a", "3"), resyncOf(4, "a"),
			appendOf("a", "4")}, `{"l":["2","4"]}`},
		"back to where it isn't yet": {[]string{list, resyncOf(99, "a"), appendOf("a", "1")}, `{"l":["1"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveAtNoon(t)
			s.writeAll(c.chunks...)
			s.wantSnapshot("", c.want, `[]`, len(c.chunks), "active")
		})
		t.Run(name+", looked at after each chunk", func(t *testing.T) {
			s := serveAtNoon(t)
			for _, chunk := range c.chunks {
				s.write("s", chunk)
				s.call("GET", "/streams/s/snapshot", "")
			}
			s.wantSnapshot("", c.want, `[]`, len(c.chunks), "active")
		})
	}
}

const (
	first   = `{"id":"msg-0","role":"assistant","parts":[{"type":"text","text":"One."}]}`
	partial = `{"id":"msg-1-partial","role":"assistant","parts":[{"type":"text","text":"Two"}]}`
)

func TestFoldOfSteps(t *testing.T) {
	s := serveAtNoon(t)
	s.writeAll(textOf(1, "O"), textOf(1, "ne."))
	s.wantSnapshot("", `{}`, `[]`, 0, "active")
	s.write("s", checkpointOf(1, 1))
	s.write("s", chunkOf("step_committed", `"step":1,"runId":"r","stepId":"x","checkpointId":"c1"`))
	s.wantSnapshot("", `{}`, `[`+first+`]`, 4, "active")
	s.write("s", textOf(2, "Two"))
	s.wantSnapshot("", `{}`, `[`+first+`]`, 4, "active")
	s.wantSnapshot("?includePartialContent=true", `{}`, `[`+first+`,`+partial+`]`, 5, "active")
	s.write("s", checkpointOf(2, 1)) // an interruption names the steps before it
	s.wantSnapshot("?includePartialContent=true", `{}`, `[`+first+`,`+partial+`]`, 6, "active")
	s.control("s", "end", `{}`)
	const second = `{"id":"msg-1","role":"assistant","parts":[{"type":"text","text":"Two"}]}`
	s.wantSnapshot("", `{}`, `[`+first+`,`+second+`]`, 6, "ended")
}

func TestFoldOfStepsThatSayNothing(t *testing.T) {
	s := serveAtNoon(t)
	s.writeAll(checkpointOf(1, 1), chunkOf("run_paused", `"step":2`), checkpointOf(2, 2), chunkOf("custom", `"step":3`))
	const messages = `[{"id":"msg-0","role":"assistant","parts":[]},{"id":"msg-1","role":"assistant","parts":[]}]`
	s.wantSnapshot("?includePartialContent=true", `{}`, messages, 4, "active")
	s.control("s", "end", `{}`)
	s.wantSnapshot("", `{}`, messages, 4, "ended")
}

func TestFoldOfParts(t *testing.T) {
	s := serveAtNoon(t)
	tool := func(kind, id, more string) string {
		return chunkOf(kind, fmt.Sprintf(`"step":1,"toolCallId":%q,"toolName":"t"%s`, id, more))
	}
	think := func(content string, complete bool) string {
		return chunkOf("thinking", fmt.Sprintf(`"step":1,"content":%q,"isComplete":%t`, content, complete))
	}
	s.writeAll(
		think("Fir", false), think("st", false), think("First!", true), think("Second.", true), think("Thi", false), think("rd.", false), think("", true),
		textOf(1, ""), textOf(1, "a"), textOf(1, "b"),
		tool("tool_start", "1", `,"arguments":{"q":1}`), tool("tool_start", "2", `,"arguments":{}`), tool("tool_start", "3", `,"arguments":{}`),
		tool("tool_start", "4", `,"arguments":{}`), tool("tool_start", "5", `,"arguments":{}`),
		chunkOf("text_delta", `"agentId":"child","step":1,"delta":"not mine"`),
		tool("tool_end", "2", `,"success":false,"error":"no"`), tool("tool_end", "1", `,"success":true,"result":null`), tool("tool_end", "9", `,"success":true`),
		tool("tool_end", "4", `,"result":1`), tool("tool_end", "5", `,"error":"no"`), // members that only an error has
		textOf(1, "c"),
	)
	s.wantSnapshot("?includePartialContent=true", `{}`, `[{"id":"msg-0-partial","role":"assistant","parts":[`+
		`{"type":"reasoning","text":"First!"},{"type":"reasoning","text":"Second."},{"type":"reasoning","text":"Third."},{"type":"text","text":"ab"},`+
		`{"type":"tool","toolCallId":"1","toolName":"t","state":"completed","arguments":{"q":1},"result":null},`+
		`{"type":"tool","toolCallId":"2","toolName":"t","state":"error","arguments":{},"error":"no"},`+
		`{"type":"tool","toolCallId":"3","toolName":"t","state":"executing","arguments":{}},`+
		`{"type":"tool","toolCallId":"4","toolName":"t","state":"completed","arguments":{},"result":1},`+
		`{"type":"tool","toolCallId":"5","toolName":"t","state":"error","arguments":{},"error":"no"},{"type":"text","text":"c"}]}]`, 22, "active")
	s.wantSnapshot("", `{}`, `[]`, 0, "active")
	s.write("s", think("Four", false))
	if got := s.call("GET", "/streams/s/snapshot?includePartialContent=true", ""); !strings.Contains(got, `{"type":"reasoning","text":"Four","state":"streaming"}`) {
		s.Error(got)
	}
}

// TestFoldOfDiscardedSteps: a step's content is gone once it is discarded, and its second attempt replaces it.
func TestFoldOfDiscardedSteps(t *testing.T) {
	s := serveAtNoon(t)
	discarded := func(step string) string {
		return chunkOf("step_discarded", step+`"runId":"r","stepId":"x","reason":"no"`)
	}
	s.writeAll(textOf(1, "One."), checkpointOf(1, 1), textOf(2, "Nev"), chunkOf("tool_start", `"step":2,"toolCallId":"1","toolName":"t"`))
	s.write("s", discarded(`"step":1,`)) // complete
	s.write("s", discarded(`"agentId":"child","step":2,`))
	s.wantSnapshot("", `{}`, `[`+first+`]`, 2, "active")
	s.write("s", discarded(`"step":2,`))
	s.wantSnapshot("?includePartialContent=true", `{}`, `[`+first+`]`, 7, "active")
	s.wantSnapshot("", `{}`, `[`+first+`]`, 7, "active")
	s.write("s", chunkOf("tool_end", `"step":2,"toolCallId":"1","toolName":"t","success":true`))
	s.write("s", textOf(2, "Two"))
	s.wantSnapshot("", `{}`, `[`+first+`]`, 7, "active")
	s.wantSnapshot("?includePartialContent=true", `{}`, `[`+first+`,`+partial+`]`, 9, "active")
	s.write("s", discarded("")) // of whichever step is open
	s.wantSnapshot("?includePartialContent=true", `{}`, `[`+first+`]`, 10, "active")
	s.write("s", discarded(""))
	s.wantSnapshot("", `{}`, `[`+first+`]`, 11, "active")
}

// TestFoldOfDelayedEnds: a call that ends when the next step has started has not ended at the boundary.
func TestFoldOfDelayedEnds(t *testing.T) {
	s := serveAtNoon(t)
	tool := `"toolCallId":"1","toolName":"t"`
	s.writeAll(chunkOf("tool_start", `"step":1,`+tool), textOf(2, "Two"), chunkOf("tool_end", `"step":1,`+tool+`,"success":true,"result":7`), checkpointOf(2, 1))
	message := func(state string) string {
		return `{"id":"msg-0","role":"assistant","parts":[{"type":"tool","toolCallId":"1","toolName":"t","state":` + state + `}]}`
	}
	s.wantSnapshot("", `{}`, `[`+message(`"executing"`)+`]`, 1, "active")
	s.wantSnapshot("?includePartialContent=true", `{}`, `[`+message(`"completed","result":7`)+`,`+partial+`]`, 4, "active")
}

// BenchmarkSnapshot takes one after each write to a stream of ten thousand chunks.
func BenchmarkSnapshot(b *testing.B) {
	s := serve(b, helix.Options{})
	s.open("s")
	s.write("s", "["+strings.Repeat(textOf(1, "word ")+",", 9_999)+textOf(1, "word")+"]")
	for b.Loop() {
		s.write("s", patchOf(`{"op":"add","path":"/n","value":1}`))
		s.call("GET", "/streams/s/snapshot", "")
	}
}
