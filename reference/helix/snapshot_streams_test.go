package helix_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
)

// writing writes a stream chunk by chunk, as a writer that knows of steps and checkpoints.
type writing struct {
	*cutting
	random   *rand.Rand
	writer   string
	agent    string
	latest   int64
	step     int  // number of the open step, or of the next
	numbered bool // chunks carry their step
	delayed  bool // checkpoints come when the next step has started, and no step is discarded
	pending  int  // a complete step whose checkpoint is delayed
	n        int  // makes values unique
	calls    []string
	thinking bool
	points   []savepoint
}

// savepoint is a checkpoint and its position.
type savepoint struct {
	count    int
	sequence int64
}

// writeStream writes a random stream and takes snapshots after each instruction.
func writeStream(c *cutting, random *rand.Rand, acts int) {
	w := &writing{cutting: c, random: random, agent: "root", step: 1, numbered: random.IntN(4) > 0, delayed: random.IntN(4) == 0}
	code, body := c.call(http.MethodPost, "/control/streams/s/writers", `{"agentId":"root","agentType":"t"}`)
	var answer struct{ WriterID string }
	if err := json.Unmarshal(body, &answer); code != http.StatusCreated || err != nil {
		c.Fatalf("%d %s", code, body)
	}
	w.writer = answer.WriterID
	if random.IntN(2) == 0 {
		c.call(http.MethodPut, "/control/streams/s/state", `{"l":["0"],"k":1}`)
	} else {
		w.write("state_patch", `"patches":[{"op":"add","path":"/l","value":[]}]`)
	}
	c.inspect()
	for range acts {
		w.writeNext()
		c.inspect()
	}
	if random.IntN(2) == 0 {
		c.must(http.MethodPost, "/control/streams/s/end", `{}`)
		c.inspect()
	}
}

func (c *cutting) must(method, path, body string) []byte {
	c.Helper()
	code, answer := c.call(method, path, body)
	if code/100 != 2 {
		c.Fatalf("%s %s %s: %d %s", method, path, body, code, answer)
	}
	return answer
}

// write writes chunks of the root agent, each given as its type and its members.
func (w *writing) write(chunks ...string) {
	w.Helper()
	var list []string
	for i := 0; i < len(chunks); i += 2 {
		c := fmt.Sprintf(`{"type":%q,%s`, chunks[i], chunks[i+1])
		if !strings.Contains(c, `"agentId"`) {
			c += fmt.Sprintf(`,"agentId":%q`, w.agent)
		}
		if w.numbered && !strings.Contains(c, `"step"`) && !strings.Contains(c, "stream_resync") {
			c += fmt.Sprintf(`,"step":%d`, w.step)
		}
		list = append(list, c+"}")
	}
	body := w.must(http.MethodPost, "/control/streams/s/writers/"+w.writer+"/chunks", "["+strings.Join(list, ",")+"]")
	var answer struct{ Sequences []int64 }
	if err := json.Unmarshal(body, &answer); err != nil {
		w.Fatal(err)
	}
	w.latest = answer.Sequences[len(answer.Sequences)-1]
}

func (w *writing) word() string { w.n++; return fmt.Sprintf("w%d ", w.n) }

// writeNext performs one instruction.
func (w *writing) writeNext() {
	switch n := w.random.IntN(40); {
	case n < 10:
		w.write("text_delta", fmt.Sprintf(`"delta":%q`, w.word()))
	case n < 13:
		w.think()
	case n < 18:
		w.callTool()
	case n < 22:
		w.patch()
	case n < 24:
		w.write("text_delta", fmt.Sprintf(`"agentId":"child","delta":%q`, w.word()), "state_patch", `"agentId":"child","patches":[{"op":"add","path":"/l","value":7}]`)
	case n < 26:
		w.write([]string{"custom", "run_paused", "run_resumed"}[w.random.IntN(3)], `"runId":"r"`)
	case n < 32:
		w.commit()
	case n < 34:
		w.discard()
	case n < 38:
		w.back()
	case n < 39:
		w.close()
		w.must(http.MethodPost, "/control/streams/s/cleanup", fmt.Sprintf(`{"stepCount":%d}`, w.step-1))
		w.calls, w.thinking = nil, false
	default:
		if w.random.IntN(4) > 0 {
			w.must(http.MethodPost, "/control/streams/s/status", `{"status":"active"}`)
			return
		}
		w.must(http.MethodPost, "/control/streams/s/reset", ``)
		w.step, w.pending, w.calls, w.thinking, w.points = 1, 0, nil, false, nil
	}
}

func (w *writing) think() {
	if !w.thinking && w.random.IntN(3) == 0 { // in one piece
		w.write("thinking", fmt.Sprintf(`"content":%q,"isComplete":true`, w.word()))
		return
	}
	closes := w.thinking && w.random.IntN(2) == 0
	content := w.word()
	if closes && w.random.IntN(2) == 0 {
		content = ""
	}
	w.write("thinking", fmt.Sprintf(`"content":%q,"isComplete":%t`, content, closes))
	w.thinking = !closes
}

// close ends a block of reasoning before its step is over.
func (w *writing) close() {
	if w.thinking {
		w.write("thinking", `"content":"","isComplete":true`)
		w.thinking = false
	}
}

func (w *writing) callTool() {
	if len(w.calls) == 0 || w.random.IntN(2) == 0 {
		w.n++
		id := fmt.Sprintf("c%d", w.n)
		w.calls = append(w.calls, id)
		w.write("tool_start", fmt.Sprintf(`"toolCallId":%q,"toolName":"t","arguments":{"n":%d}`, id, w.n))
		return
	}
	i := w.random.IntN(len(w.calls))
	how := []string{`"success":true,"result":7`, `"success":false,"error":"no"`, `"success":true,"result":null`}[w.random.IntN(3)]
	w.write("tool_end", fmt.Sprintf(`"toolCallId":%q,"toolName":"t",%s`, w.calls[i], how))
	w.calls = slices.Delete(w.calls, i, i+1)
}

func (w *writing) patch() {
	value := strings.TrimSpace(w.word())
	w.write("state_patch", `"patches":[`+[]string{
		fmt.Sprintf(`{"op":"add","path":"/l/-","value":%q}`, value),
		fmt.Sprintf(`{"op":"add","path":"/%s","value":[%q]},{"op":"replace","path":"/l","value":[%q]}`, value, value, value),
		`{"op":"remove","path":"/l/0"}`,
		fmt.Sprintf(`{"op":"add","path":"/k","value":%q},{"op":"remove","path":"/none"}`, value),
	}[w.random.IntN(4)]+"]")
}

// commit ends a step. In a delayed stream the checkpoint waits for the next step to begin.
func (w *writing) commit() {
	w.close()
	if w.delayed && w.pending == 0 {
		w.pending = w.step
		w.step++
		w.write("text_delta", fmt.Sprintf(`"delta":%q`, w.word()))
		return
	}
	count := w.step
	if w.pending > 0 {
		count = w.pending
	}
	announced := []string{"checkpoint_created", fmt.Sprintf(`"runId":"r","checkpointId":"p%d","stepCount":%d`, w.n, count)}
	if w.pending == 0 && w.random.IntN(3) > 0 {
		announced = append(announced, "step_committed", fmt.Sprintf(`"runId":"r","stepId":"s%d","checkpointId":"p%d"`, w.n, w.n))
	}
	w.write(announced...)
	if w.pending == 0 {
		w.calls = nil
		w.step++
		w.points = append(w.points, savepoint{count, w.latest - int64(len(announced)/2-1)})
	}
	w.pending = 0
}

func (w *writing) discard() {
	if w.delayed {
		return
	}
	w.write("text_delta", fmt.Sprintf(`"delta":%q`, w.word()), "step_discarded", fmt.Sprintf(`"runId":"r","stepId":"s%d","reason":"stopped"`, w.n))
	w.calls, w.thinking = nil, false
	if w.random.IntN(2) == 0 {
		w.write("run_interrupted", `"runId":"r","checkpointId":null`)
	}
}

// back returns to the last checkpoint or an earlier one: with a cleanup or without, in the same session or another.
func (w *writing) back() {
	if w.pending > 0 {
		return
	}
	to := savepoint{}
	if len(w.points) > 0 {
		i := len(w.points) - 1 - w.random.IntN(min(2, len(w.points)))
		to, w.points = w.points[i], w.points[:i+1]
	}
	reason := []string{"crash_recovery", "rollback", "branch"}[w.random.IntN(3)]
	if reason == "branch" {
		w.n++
		w.agent = fmt.Sprintf("root%d", w.n)
	} else if w.random.IntN(2) == 0 {
		w.must(http.MethodPost, "/control/streams/s/cleanup", fmt.Sprintf(`{"stepCount":%d}`, to.count))
	}
	w.write("stream_resync", fmt.Sprintf(`"checkpointId":"p","stepCount":%d,"messageCount":%d,"fromSequence":%d,"reason":%q`,
		to.count, to.count, to.sequence, reason))
	w.step, w.calls, w.thinking = to.count+1, nil, false
}

// start starts a run.
func (c *cutting) start(script string) {
	c.Helper()
	c.must(http.MethodPost, "/control/runs", `{"stream":"s","agentType":"a","script":`+script+`}`)
}

// settled waits for the run, and returns where it stopped.
func (c *cutting) settled() (state struct{ Status, Barrier, ToolCallID string }) {
	c.Helper()
	if err := json.Unmarshal(c.must(http.MethodGet, "/control/runs/run1?settled", ""), &state); err != nil {
		c.Fatal(err)
	}
	return state
}

// randomScript draws an agent's script. With barriers it stops after each instruction.
func randomScript(random *rand.Rand, steps int, barriers bool) string {
	n := 0
	var act func(depth int) string
	act = func(depth int) string {
		n++
		acts := []string{
			fmt.Sprintf(`{"text":"word%d and word%d "}`, n, n), fmt.Sprintf(`{"thinking":"thought%d goes on "}`, n),
			fmt.Sprintf(`{"append":{"key":"l","items":["v%d"]}}`, n), fmt.Sprintf(`{"set":{"key":"k%d","value":%d}}`, n%3, n),
			fmt.Sprintf(`{"delete":{"key":"k%d"}}`, n%3),
			fmt.Sprintf(`{"tool":{"name":"t","arguments":{"n":%d},"result":%d}}`, n, n),
			fmt.Sprintf(`{"tool":{"name":"t","arguments":{"n":%d},"error":"no"}}`, n),
			fmt.Sprintf(`{"custom":{"eventName":"e","data":%d}}`, n),
			`{"error":{"message":"again","retryable":true}}`,
		}
		if depth == 0 {
			acts = append(acts, `{"subagent":{"type":"b","script":[[`+act(1)+`,`+act(1)+`],[`+act(1)+`]],"result":1}}`,
				`{"parallel":[[`+act(1)+`],[`+act(1)+`,`+act(1)+`]]}`)
			if barriers {
				acts = append(acts, fmt.Sprintf(`{"tool":{"name":"t","arguments":{"n":%d},"result":1,"approval":true}}`, n))
			}
		}
		return acts[random.IntN(len(acts))]
	}
	var script []string
	for range steps {
		var acts []string
		for range 1 + random.IntN(4) {
			acts = append(acts, act(0))
			if barriers {
				n++
				acts = append(acts, fmt.Sprintf(`{"await":"b%d"}`, n))
			}
		}
		script = append(script, "["+strings.Join(acts, ",")+"]")
	}
	return "[" + strings.Join(script, ",") + "]"
}

// playSession runs a script, steers it at random, and takes snapshots whenever the run waits.
func playSession(c *cutting, random *rand.Rand) {
	c.start(randomScript(random, 6, true))
	call := func(name, body string) { c.call(http.MethodPost, "/control/runs/run1/"+name, body) } // may be refused
	for range 40 {
		state := c.settled()
		c.inspect()
		checkpoint := "none"
		for _, e := range loggedOf(c.log().Events) {
			if e.word("type") == "checkpoint_created" && (checkpoint == "none" || random.IntN(2) == 0) {
				checkpoint = e.word("checkpointId")
			}
		}
		chosen := fmt.Sprintf(`{"checkpointId":%q}`, checkpoint)
		switch {
		case state.Status == "completed" || state.Status == "failed":
			return
		case state.Status == "interrupted" && random.IntN(5) > 0:
			call("resume", `{"mode":"continue"}`)
		case state.Status == "interrupted":
			call([]string{"rollback", "branch", "retry"}[random.IntN(3)], chosen)
		case random.IntN(12) == 0:
			call("rollback", chosen)
		case random.IntN(12) == 0:
			call("branch", chosen)
		case random.IntN(10) == 0:
			call("crash", ``)
		case random.IntN(8) == 0:
			call("interrupt", `{}`)
		case random.IntN(12) == 0:
			call("supersede", ``)
		case random.IntN(12) == 0:
			call("retry", `{}`)
		case state.ToolCallID != "":
			call("tool-result", fmt.Sprintf(`{"toolCallId":%q,"approved":%t}`, state.ToolCallID, random.IntN(3) > 0))
		case state.Barrier != "":
			call("release", fmt.Sprintf(`{"barrier":%q}`, state.Barrier))
		}
	}
}
