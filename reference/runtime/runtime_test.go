package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/runtime/script"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// record is a journal that stores writes, and refuses them once the stream is lost or finished.
type record struct {
	mu       sync.Mutex
	chunks   []runtime.Chunk
	writers  []runtime.Writer // of each chunk
	sequence int64
	lost     bool
	closed   int
	outcome  string
}

var errLost = errors.New("the stream is lost")

func (r *record) do(f func()) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost || r.outcome != "" {
		return errLost
	}
	f()
	return nil
}

func (r *record) Open(context.Context, string) error { return r.do(func() {}) }

func (r *record) Append(_ context.Context, w runtime.Writer, chunks []runtime.Chunk) (sequences []int64, err error) {
	return sequences, r.do(func() {
		for _, c := range chunks {
			r.sequence++
			r.chunks, r.writers = append(r.chunks, c), append(r.writers, w)
			sequences = append(sequences, r.sequence)
		}
	})
}

func (r *record) Cleanup(_ context.Context, _ runtime.Writer, stepCount int) error {
	return r.do(func() {
		for i := len(r.chunks) - 1; i >= 0; i-- {
			if step, ok := r.chunks[i].Step(); ok && step > stepCount {
				r.chunks, r.writers = slices.Delete(r.chunks, i, i+1), slices.Delete(r.writers, i, i+1)
			}
		}
	})
}

func (r *record) SetStatus(context.Context, runtime.Writer, runtime.Status) error {
	return r.do(func() {})
}

func (r *record) End(_ context.Context, _ runtime.Writer, output json.RawMessage) error {
	return r.do(func() { r.outcome = "end " + string(output) })
}

func (r *record) Fail(_ context.Context, _ runtime.Writer, message, code string) error {
	return r.do(func() { r.outcome = "fail " + message + " " + code })
}

func (r *record) Close(string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed++
}

// text returns the values of a member in the chunks of one type, in order.
func (r *record) text(kind, member string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, c := range r.chunks {
		if c.Type() == kind {
			all = append(all, fmt.Sprint(c[member]))
		}
	}
	return all
}

// bench is a runtime at work on one script.
type bench struct {
	testing.TB
	*record
	runtime *runtime.Runtime
	session *runtime.Session
}

// play starts a script on a runtime that a test may change.
func play(t testing.TB, source string, change ...func(*runtime.Ports)) *bench {
	t.Helper()
	r := new(record)
	p := runtime.Ports{Journal: r, Tools: script.Tools{}}.WithDefaults()
	for _, f := range change {
		f(&p)
	}
	b := &bench{TB: t, record: r, runtime: runtime.New(p)}
	t.Cleanup(b.runtime.Close)
	s, err := script.Parse(json.RawMessage(source))
	if err != nil {
		t.Fatal(err)
	}
	run, err := b.runtime.Start(context.Background(), runtime.Start{Stream: "s", AgentType: "a", Model: s})
	if err != nil {
		t.Fatal(err)
	}
	if b.session, err = b.runtime.Session(run); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) settled(want runtime.State) {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	if got, err := b.session.Settled(ctx); err != nil || got != want {
		b.Fatalf("settled as %+v, %v; want %+v", got, err, want)
	}
}

// steered fails the test if a call was refused.
func (b *bench) steered(_ string, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func TestSettledWaits(t *testing.T) {
	b := play(t, `[[{"subagent":{"type":"t","timeoutMs":60000,"script":[[{"await":"a"}]]}}]]`)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if state, err := b.session.Settled(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("settled as %+v, %v, with a timer that is going to act", state, err)
	}
	b.session.Release("a")
	b.settled(runtime.State{Status: runtime.Completed})
}

// TestSettledWhileTimedOutWorkIsPaused: a pause may delay the output of a sub-agent that has timed out, here that of
// the sub-agent's sub-agent.
func TestSettledWhileTimedOutWorkIsPaused(t *testing.T) {
	const source = `[[{"parallel":[[{"tool":{"name":"pay","approval":true,"result":1}}],[{"subagent":{"type":"t","timeoutMs":20,"script":[[{"subagent":{"type":"u","script":[[{"await":"a"}]]}}]]}}]]}]]`
	b := play(t, source, func(p *runtime.Ports) { p.Waiting.AtOnce = true })
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if state, err := b.session.Settled(ctx); err != nil || state.Status != runtime.Paused {
		t.Errorf("settled as %+v, %v", state, err)
	}
}

func TestFencing(t *testing.T) {
	const source = `[[{"text":"x"},{"await":"a"},{"text":"y"},{"await":"b"}]]`
	tokens := func(never bool) []int64 {
		b := play(t, source, func(p *runtime.Ports) {
			if never {
				p.Fenced = func(int64, int64) bool { return false }
			}
		})
		b.settled(runtime.State{Status: runtime.Running, Barrier: "a"})
		b.steered(b.session.Supersede())
		b.settled(runtime.State{Status: runtime.Running, Barrier: "a"})
		b.session.Release("a")
		b.settled(runtime.State{Status: runtime.Running, Barrier: "b"})
		if never { // the old executor isn't waited for by anybody
			for deadline := time.Now().Add(5 * time.Second); len(b.text("text_delta", "delta")) < 3 && time.Now().Before(deadline); {
				time.Sleep(time.Millisecond)
			}
		}
		b.runtime.Close()
		var all []int64
		for i, c := range b.chunks {
			if c.Type() == "text_delta" && c["delta"] == "y" {
				all = append(all, b.writers[i].Token)
			}
		}
		slices.Sort(all)
		return all
	}
	if got := tokens(false); len(got) != 1 {
		t.Errorf("after a take-over, executors %v wrote; want one", got)
	}
	if got := tokens(true); len(got) != 2 {
		t.Errorf("without fences, executors %v wrote; want two", got)
	}
}

// backwards is a clock that goes back by a second at each call.
type backwards struct {
	runtime.Clock
	now *time.Time
}

func (b backwards) Now() time.Time {
	*b.now = b.now.Add(-time.Second)
	return *b.now
}

func TestTimestampsDoNotDecrease(t *testing.T) {
	now := time.UnixMilli(1702329600000)
	b := play(t, `[[{"text":"a b c"}]]`, func(p *runtime.Ports) { p.Clock = backwards{p.Clock, &now} })
	b.settled(runtime.State{Status: runtime.Completed})
	var last int64
	for _, c := range b.chunks {
		at := c["timestamp"].(int64)
		if at < last {
			t.Errorf("%v comes after %d", c, last)
		}
		last = at
	}
}

func TestLostStream(t *testing.T) {
	b := play(t, `[[{"await":"a"},{"parallel":[[{"text":"x"}],[{"await":"never"}]]}],[{"text":"y"}]]`)
	b.settled(runtime.State{Status: runtime.Running, Barrier: "a"})
	_ = b.do(func() { b.lost = true })
	b.session.Release("a")
	b.settled(runtime.State{Status: runtime.Failed})
	if len(b.chunks) > 0 || b.outcome != "" {
		t.Errorf("%v was written, and then %s", b.chunks, b.outcome)
	}
}

func TestEndOfSessions(t *testing.T) {
	const source = `[[{"parallel":[[{"await":"a"}],[{"tool":{"name":"f","approval":true}}],[{"tool":{"name":"g","waits":"b"}}]]}]]`
	for name, end := range map[string]func(*bench){
		"closed":    func(b *bench) { b.runtime.Close() },
		"forgotten": func(b *bench) { b.runtime.Forget("s") },
	} {
		t.Run(name, func(t *testing.T) {
			b := play(t, source)
			if _, err := b.session.Settled(context.Background()); err != nil {
				t.Fatal(err)
			}
			before := len(b.chunks)
			end(b)
			if _, err := b.session.Settled(context.Background()); !errors.Is(err, runtime.ErrUnknownRun) {
				t.Errorf("waiting for a closed session: %v", err)
			}
			if err := b.session.Crash(); !errors.Is(err, runtime.ErrUnknownRun) {
				t.Errorf("crashing a closed session: %v", err)
			}
			if len(b.chunks) != before || b.outcome != "" || b.closed == 0 {
				t.Errorf("%v was written, and then %s; closed %d times", b.chunks[before:], b.outcome, b.closed)
			}
		})
	}
}

func TestStartOnClosedRuntime(t *testing.T) {
	r := runtime.New(runtime.Ports{Journal: new(record), Tools: script.Tools{}})
	r.Close()
	if _, err := r.Start(context.Background(), runtime.Start{Stream: "s", Model: new(script.Script)}); !errors.Is(err, runtime.ErrClosed) {
		t.Error(err)
	}
}

func TestKnobs(t *testing.T) {
	b := play(t, `[[{"text":"a b"},{"thinking":"c d"},{"tool":{"name":"f","arguments":"x"}},{"error":{"message":"m"}}]]`,
		func(p *runtime.Ports) {
			p.Pieces = func(text string) []string { return []string{text} }
			p.Increments = func(string) []string { return nil }
			p.Arguments = func(json.RawMessage) json.RawMessage { return json.RawMessage(`{"k":1}`) }
			p.Classify = func(error) runtime.Failure { return runtime.Failure{Message: "other", Recoverable: true} }
		})
	b.settled(runtime.State{Status: runtime.Completed})
	got := slices.Concat(b.text("text_delta", "delta"), b.text("thinking", "content"), b.text("error", "error"))
	if strings.Join(got, "|") != "a b|c d|other" {
		t.Error(got)
	}
}

func TestInitialState(t *testing.T) {
	r := new(record)
	rt := runtime.New(runtime.Ports{Journal: r, Tools: script.Tools{}})
	defer rt.Close()
	s, err := script.Parse(json.RawMessage(`[[{"set":{"key":"k","value":1}},{"append":{"key":"l","items":[2]}}],[{"append":{"key":"k","items":[1]}}]]`))
	if err != nil {
		t.Fatal(err)
	}
	run, err := rt.Start(context.Background(), runtime.Start{Stream: "s", AgentType: "a", Model: s,
		State: map[string]json.RawMessage{"k": json.RawMessage("0"), "l": json.RawMessage("[1]")}})
	if err != nil {
		t.Fatal(err)
	}
	session, _ := rt.Session(run)
	if state, err := session.Settled(context.Background()); err != nil || state.Status != runtime.Failed {
		t.Errorf("appending to a number: %+v, %v", state, err)
	}
	raw, err := r.chunks[0].JSON()
	if err != nil {
		t.Fatal(err)
	}
	const want = `"patches":[{"op":"replace","path":"/k","value":1},{"op":"add","path":"/l/-","value":2}]`
	if !strings.Contains(string(raw), want) {
		t.Errorf("%s lacks %s", raw, want)
	}
}
