package script_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/runtime/script"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noStream is a journal without readers.
type noStream struct{ sequence int64 }

func (n *noStream) Open(context.Context, string) error { return nil }

func (n *noStream) Append(_ context.Context, _ runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
	var sequences []int64
	for _, c := range chunks {
		if _, err := c.JSON(); err != nil {
			return nil, err
		}
		n.sequence++
		sequences = append(sequences, n.sequence)
	}
	return sequences, nil
}

func (n *noStream) Cleanup(context.Context, runtime.Writer, int) error              { return nil }
func (n *noStream) SetStatus(context.Context, runtime.Writer, runtime.Status) error { return nil }
func (n *noStream) End(context.Context, runtime.Writer, json.RawMessage) error      { return nil }
func (n *noStream) Fail(context.Context, runtime.Writer, string, string) error      { return nil }
func (n *noStream) Close(string)                                                    {}

// FuzzParse: a script is refused with a reason, or it can be played for a while.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`[]`, `[[]]`, `[[{"text":"x"}],[{"output":1}]]`, `[[{"thinking":"a b"},{"stop":"max_tokens"},{"await":"b"}]]`,
		`[[{"tool":{"name":"f","arguments":"{}","approval":"broken","waits":"b"}},{"error":{"message":"x","abort":true}}]]`,
		`[[{"parallel":[[{"set":{"key":"~/","value":null}}],[{"append":{"key":"l","items":[1]}},{"delete":{"key":"l"}}]]}]]`,
		`[[{"subagent":{"type":"r","script":[[{"custom":{"eventName":"e"}}]],"error":"x","timeoutMs":1}}]]`,
		`[[{"output":1}],[]]`, `[[{"tool":{"name":7}}]]`, `[[{"text":"x"`, `{"a":[[]]}`, `[[{"subagent":{"type":"r","script":null}}]]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		s, err := script.Parse(source)
		var refused *script.Error
		if err != nil {
			if !errors.As(err, &refused) || refused.Reason == "" {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		rt := runtime.New(runtime.Ports{Journal: new(noStream), Tools: script.Tools{}})
		defer rt.Close()
		run, err := rt.Start(context.Background(), runtime.Start{Stream: "s", AgentType: "a", Model: s})
		if err != nil {
			t.Fatal(err)
		}
		session, err := rt.Session(run)
		if err != nil {
			t.Fatal(err)
		}
		session.Release("b")
		_ = session.Interrupt("")
	})
}

// TestInvalidScripts: an invalid script is an error, and no panic.
func TestInvalidScripts(t *testing.T) {
	ctx := context.Background()
	if _, err := (script.Tools{}).Execute(ctx, runtime.Call{}, nil); err == nil {
		t.Error("a call from nowhere ran")
	}
	if way, err := (script.Tools{}).Gate(ctx, runtime.Call{}); err != nil || way != (runtime.Way{}) {
		t.Error(way, err)
	}
	if err := (script.Tools{}).Work(ctx, runtime.Work{Origin: 7}, nil); err == nil {
		t.Error("work from nowhere was done")
	}
	for _, n := range []int{-1, 0} {
		if _, err := new(script.Script).Step(ctx, n, nil); !errors.Is(err, io.EOF) {
			t.Errorf("step %d of nothing: %v", n, err)
		}
	}
}
