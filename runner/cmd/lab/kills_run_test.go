package lab

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// runKills kills servers in the middle of runs, at each command that the run sends to Redis once it was let go.
type runKills struct {
	t        *testing.T
	valve    *valve
	now      *process
	faults   []string
	counters map[string]int
	commands int // that a run sends from its release to its end; 0 until one was counted
}

func newRunKills(t *testing.T, v *valve) *runKills {
	return &runKills{t: t, valve: v, counters: map[string]int{}}
}

// The run outputs three sentences, in a step each, and waits in the first one.
const (
	killedScript = `[[{"text":"One. "},{"await":"go"}],[{"text":"Two. "},{"tool":{"name":"t","arguments":{},"result":1}},{"text":"Three. "}],[{"text":"Four."},{"output":4}]]`
	killedText   = "One. Two. Three. Four."
)

// start starts a run and returns its path once it waits, and the stream of it.
func (r *runKills) start(n int) (run, stream string) {
	r.t.Helper()
	stream = strings.ReplaceAll(fmt.Sprintf("%s-run-%d", r.t.Name(), n), "/", "-")
	stream = strings.ReplaceAll(stream, " ", "-") + "."
	body := fmt.Sprintf(`{"stream":%q,"agentType":"t","script":%s}`, stream, killedScript)
	run = "/control/runs/" + r.now.must("POST", "/control/runs", body, "runId").(string)
	r.settled(run, "running")
	return run, stream
}

func (r *runKills) settled(run, status string) {
	r.t.Helper()
	if got := r.now.must("GET", run+"?settled", "", "status"); got != status {
		r.t.Fatalf("the run is %v, and not %s", got, status)
	}
}

// count counts the commands of an undisturbed run.
func (r *runKills) count() {
	r.t.Helper()
	for n := range 2 { // the first run loads scripts into Redis
		run, stream := r.start(-1 - n)
		r.valve.arm(1<<30, dropped, stream)
		r.now.must("POST", run+"/release", `{"barrier":"go"}`, "")
		r.settled(run, "completed")
		r.commands = r.valve.disarm()
		r.over(stream, 0)
	}
}

// kill kills the server at one command of a run, makes the next one take the run over, and reads the stream.
func (r *runKills) kill(n int, next func() *process) {
	r.t.Helper()
	if r.commands == 0 {
		r.count()
	}
	run, stream := r.start(n)
	at, f := n/4%r.commands, []effect{dropped, answered, delayed, halved}[n%4]
	r.valve.arm(at, f, stream)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.now.call("POST", run+"/release", `{"barrier":"go"}`) // its answer doesn't matter
	}()
	r.valve.wait()
	r.now.kill()
	r.valve.bury()
	<-done
	r.now = next()
	taken := r.now.call("POST", run+"/supersede", "")
	if f == delayed { // while its successor is at work, unless the run was over
		r.valve.let()
	}
	switch {
	case taken.status/100 == 2:
		r.now.must("POST", run+"/release", `{"barrier":"go"}`, "")
		r.settled(run, "completed")
	case taken.status != 404 && taken.status != 409: // it is over
		r.fault(stream, "taking the run over was answered %d %s", taken.status, taken.text)
	}
	r.counters[fmt.Sprintf("%s, taken over: %d", f, taken.status)]++
	r.over(stream, at)
	r.counters[fmt.Sprintf("commands of a run: %d", r.commands)] = n + 1
	r.now.must("DELETE", "/control/streams/"+stream, "", "")
}

func (r *runKills) fault(stream, format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf("%s, %s: ", inRun, stream)+fmt.Sprintf(format, args...))
}

// over reads a finished stream, and checks that it contains everything once.
func (r *runKills) over(stream string, at int) {
	r.t.Helper()
	info := r.now.call("GET", "/streams/"+stream, "")
	if !strings.Contains(info.text, `"ended"`) {
		r.fault(stream, "killed at command %d of %d, the stream isn't over: %d %s", at+1, r.commands, info.status, info.text)
		return
	}
	log := r.now.read(stream, 0, 0)
	text, kinds, before := "", map[string]int{}, int64(0)
	for _, e := range log {
		if e.kind == "text_delta" {
			text += e.delta
		}
		kinds[e.kind]++
		if e.sequence <= before {
			r.fault(stream, "sequence %d follows %d", e.sequence, before)
		}
		before = e.sequence
	}
	if text != killedText {
		r.fault(stream, "killed at command %d of %d, it says %q", at+1, r.commands, text)
	}
	for _, kind := range []string{"tool_start", "tool_end", "run_completed", "end"} {
		if kinds[kind] > 1 {
			r.fault(stream, "killed at command %d of %d, it has %d of %s", at+1, r.commands, kinds[kind], kind)
		}
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
