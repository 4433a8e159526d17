package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/runtime/script"
)

// busy is a script with everything that a steering call can come across.
const busy = `[
	[{"text":"a b"},{"append":{"key":"l","items":[1]}},{"await":"1"}],
	[{"parallel":[
		[{"tool":{"name":"f","approval":true,"result":1}},{"text":"c"}],
		[{"await":"2"},{"thinking":"d e"},{"append":{"key":"l","items":[2]}}],
		[{"subagent":{"type":"r","script":[[{"text":"f"},{"tool":{"name":"g","waits":"3"}}],[{"output":5}]]}}]]}],
	[{"subagent":{"type":"t","timeoutMs":1,"script":[[{"await":"never"}]]}},{"tool":{"name":"h","client":true}}],
	[{"text":"g"},{"output":{"a":1}}]]`

// disturb makes n steering calls drawn by a source of chance. A refusal is fine, anything else is not.
func disturb(b *bench, n int, chance *rand.Rand) {
	s := b.session
	for range n {
		var err error
		yes, checkpoint, call := true, pick(chance, b.text("checkpoint_created", "checkpointId")), pick(chance, b.text("tool_start", "toolCallId"))
		switch chance.IntN(12) {
		case 0:
			err = s.Interrupt("x")
		case 1, 2:
			_, err = s.Resume("continue", "")
		case 3:
			_, err = s.Resume("from_checkpoint", checkpoint)
		case 4:
			err = s.Crash()
		case 5:
			err = s.Rollback(checkpoint)
		case 6:
			_, err = s.Branch(checkpoint)
		case 7:
			_, err = s.Supersede()
		case 8:
			_, err = s.Retry(checkpoint)
		case 9:
			err = s.Answer(call, runtime.Answer{Approved: &yes})
		case 10:
			err = s.Answer(call, runtime.Answer{Result: json.RawMessage("7")})
		case 11:
			s.Release(fmt.Sprint(1 + chance.IntN(3)))
		}
		var state *runtime.StateError
		if err != nil && !errors.As(err, &state) {
			b.Error(err)
		}
	}
}

func pick(chance *rand.Rand, from []string) string {
	if len(from) == 0 {
		return "unknown"
	}
	return from[chance.IntN(len(from))]
}

// bringHome makes the calls of a patient user, until the run is over.
func bringHome(b *bench) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	yes := true
	for range 50 {
		state, err := b.session.Settled(ctx)
		if err != nil {
			return err
		}
		switch state.Status {
		case runtime.Completed:
			return nil
		case runtime.Interrupted:
			_, err = b.session.Resume("continue", "")
		case runtime.Paused:
			if err = b.session.Answer(state.ToolCallID, runtime.Answer{Approved: &yes}); err != nil {
				err = b.session.Answer(state.ToolCallID, runtime.Answer{Result: json.RawMessage("7")})
			}
		case runtime.Running:
			b.session.Release(state.Barrier)
		default:
			return fmt.Errorf("the run %s: %s", state.Status, b.outcome)
		}
		if err != nil {
			return err
		}
	}
	return errors.New("the run doesn't come to its end")
}

// TestDisturbed steers runs concurrently, brings them to their end, and checks the invariants of their logs.
func TestDisturbed(t *testing.T) {
	rounds := uint64(60)
	if testing.Short() {
		rounds = 15
	}
	for seed := range rounds {
		b := play(t, busy)
		var users sync.WaitGroup
		for user := range uint64(3) {
			users.Go(func() { disturb(b, 25, rand.New(rand.NewPCG(seed, user))) })
		}
		users.Wait()
		if err := bringHome(b); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		b.runtime.Close()
		for _, fault := range faults(b.record) {
			t.Errorf("seed %d: %s", seed, fault)
		}
	}
}

// TestFaultsAreSeen: the check above must be able to fail.
func TestFaultsAreSeen(t *testing.T) {
	r := &record{outcome: "end "}
	for i, kind := range []string{"tool_start", "subagent_start", "run_interrupted", "text_delta", "checkpoint_created", "checkpoint_created"} {
		r.chunks = append(r.chunks, runtime.Chunk{"type": kind, "agentId": "a", "checkpointId": "c", "toolCallId": "t",
			"callId": "t", "timestamp": int64(9 - i)})
		r.writers = append(r.writers, runtime.Writer{Token: int64(9 - i)})
	}
	if got := faults(r); len(got) != 14 {
		t.Errorf("saw %d faults: %q", len(got), got)
	}
}

// faults lists violations of the invariants of a log, which hold for any disturbance of its run.
func faults(r *record) []string {
	var all []string
	var token, last int64
	open, seen := map[string]bool{}, map[string]bool{}
	silent := false
	for i, c := range r.chunks {
		if r.writers[i].Token < token {
			all = append(all, fmt.Sprintf("executor %d wrote %v after executor %d", r.writers[i].Token, c, token))
		}
		if at := c["timestamp"].(int64); at < last {
			all = append(all, fmt.Sprintf("%v is older than what came before", c))
		}
		token, last = max(token, r.writers[i].Token), c["timestamp"].(int64)
		switch c.Type() {
		case "tool_start", "tool_end":
			open["call "+c["toolCallId"].(string)] = c.Type() == "tool_start"
		case "subagent_start", "subagent_end":
			open["sub-agent "+c["callId"].(string)] = c.Type() == "subagent_start"
		case "checkpoint_created":
			if id := c["checkpointId"].(string); seen[id] {
				all = append(all, "checkpoint "+id+" was made twice")
			}
			seen[c["checkpointId"].(string)] = true
		case "run_interrupted":
			silent = true
		case "run_resumed":
			silent = false
		case "text_delta", "thinking", "output":
			if silent {
				all = append(all, fmt.Sprintf("%v was said while the run was interrupted", c))
			}
		case "stream_resync": // a branch leaves open things open
			clear(open)
		}
	}
	for name, is := range open {
		if is {
			all = append(all, name+" never ended")
		}
	}
	return all
}

func TestCheckpointsThatFail(t *testing.T) {
	b := play(t, `[[{"text":"x"}],[{"text":"y"}]]`, func(p *runtime.Ports) { p.Checkpoints = broken{p.Checkpoints} })
	b.settled(runtime.State{Status: runtime.Failed})
}

// broken can't save.
type broken struct{ runtime.Checkpoints }

func (broken) Save(context.Context, string, runtime.Checkpoint) error {
	return errors.New("the disk is full")
}

// BenchmarkRun measures complete steps: a text, a tool, a change of the state, and the commit.
func BenchmarkRun(b *testing.B) {
	steps := make([]json.RawMessage, b.N)
	for i := range steps {
		steps[i] = json.RawMessage(`[{"text":"one two three four"},{"tool":{"name":"f","arguments":{"a":1},"result":2}},{"set":{"key":"k","value":1}}]`)
	}
	source, err := json.Marshal(steps)
	if err != nil {
		b.Fatal(err)
	}
	s, err := script.Parse(source)
	if err != nil {
		b.Fatal(err)
	}
	rt := runtime.New(runtime.Ports{Journal: new(record), Tools: script.Tools{}})
	defer rt.Close()
	b.ReportAllocs()
	b.ResetTimer()
	run, err := rt.Start(context.Background(), runtime.Start{Stream: "s", AgentType: "a", Model: s})
	if err != nil {
		b.Fatal(err)
	}
	session, err := rt.Session(run)
	if err != nil {
		b.Fatal(err)
	}
	if state, err := session.Settled(context.Background()); err != nil || state.Status != runtime.Completed {
		b.Fatal(state, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
}
