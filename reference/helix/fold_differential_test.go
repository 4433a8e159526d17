package helix_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
)

// history draws the chunks of a stream.
type history struct {
	*rapid.T
	chunks []string
	step   int
	points []string // members of a rollback to a checkpoint that is still in the effective log, in order
}

// operation draws an operation of a patch whose pointers often exist.
func (h *history) operation() string {
	pointer := rapid.StringOf(rapid.SampledFrom([]rune("//ab01-~"))).Filter(func(s string) bool {
		return (s == "" || s[0] == '/') && !strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(s), "~")
	})
	path := pointer.Draw(h.T, "path")
	switch op := rapid.SampledFrom([]string{"add", "add", "add", "replace", "remove", "test", "copy", "move"}).Draw(h.T, "op"); op {
	case "remove":
		if path == "" {
			path = "/a" // RFC 6902 doesn't say what a document without a root is: null here, unknown to the kit
		}
		return fmt.Sprintf(`{"op":"remove","path":%q}`, path)
	case "copy", "move":
		return fmt.Sprintf(`{"op":%q,"path":%q,"from":%q}`, op, path, pointer.Draw(h.T, "from"))
	default:
		value := rapid.SampledFrom([]string{`{}`, `[]`, `{"a":{"b":[0]}}`, `["x",null]`, `1`, `1.0`, `"1"`, `null`, `{"":0}`}).Draw(h.T, "value")
		return fmt.Sprintf(`{"op":%q,"path":%q,"value":%s}`, op, path, value)
	}
}

func (h *history) add(kind, members string) {
	h.chunks = append(h.chunks, fmt.Sprintf(`{"type":%q,"agentId":"a","timestamp":1,"step":%d%s}`, kind, h.step, members))
}

// next draws the next chunk.
func (h *history) next() {
	call := fmt.Sprintf(`,"toolCallId":"c%d"`, rapid.IntRange(0, 2).Draw(h.T, "call"))
	switch rapid.IntRange(0, 9).Draw(h.T, "kind") {
	case 0, 1, 2, 3:
		operations := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return (&history{T: t}).operation() }), 1, 3).Draw(h.T, "operations")
		h.add("state_patch", `,"patches":[`+strings.Join(operations, ",")+`]`)
	case 4:
		h.add("thinking", fmt.Sprintf(`,"content":%q,"isComplete":%t`, rapid.SampledFrom([]string{"m", "n"}).Draw(h.T, "content"), rapid.Bool().Draw(h.T, "complete")))
	case 5:
		h.add("tool_start", call+`,"toolName":"t","arguments":{}`)
	case 6:
		h.add("tool_end", call+`,"success":true,"result":1`)
	case 7, 8:
		h.step++
		members := fmt.Sprintf(`,"checkpointId":"p%d","stepCount":%d`, len(h.chunks), h.step)
		h.add("checkpoint_created", `,"runId":"r"`+members)
		h.points = append(h.points, fmt.Sprintf(`%s,"fromSequence":%d`, members, len(h.chunks)))
	default:
		if len(h.points) == 0 {
			return
		}
		n := rapid.IntRange(0, len(h.points)-1).Draw(h.T, "point")
		h.add("stream_resync", h.points[n]+`,"reason":"rollback"`)
		h.points = h.points[:n+1]
	}
}

// kitFold folds chunks by the fold of the kit, and reports whether every patch could be applied.
func kitFold(t *rapid.T, chunks []string, trusting bool) (f *fold.Fold, applied bool) {
	applied = true
	f = fold.New(fold.Options{Trusting: trusting, State: json.RawMessage(`{}`), Limits: fold.Limits{Points: 100, StoredStates: 100}})
	f.Attach(true)
	for i, text := range chunks {
		v, ok := judge.OneValue([]byte(text))
		if !ok {
			t.Fatalf("no JSON: %s", text)
		}
		m := members(v.(map[string]any))
		kind, _ := m["type"].(string)
		c := &fold.Chunk{Kind: kind, AgentID: "a", Seq: judge.Number{N: int64(i) + 1, OK: true}, Step: judge.Integer(m["step"]), Length: len(text), Members: m}
		f.Advance(c.Seq)
		f.Meet(c)
		applied = f.Take(c).Err == nil && applied
	}
	return f, applied
}

type members map[string]any

func (m members) Member(name string) (any, bool) { v, there := m[name]; return v, there }

// referenceFold folds chunks by the fold of the reference: the state, and the ids of the calls that are executing.
func referenceFold(chunks []string) (state json.RawMessage, calls []string) {
	var events []store.Event
	for i, text := range chunks {
		var step struct{ Step int64 }
		_ = json.Unmarshal([]byte(text), &step)
		events = append(events, store.Event{Kind: store.ChunkWritten, Sequence: int64(i) + 1, Chunk: store.Chunk{JSON: json.RawMessage(text), Step: step.Step, HasStep: true}})
	}
	messages, state := helix.Folded(events)
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.State == "executing" {
				calls = append(calls, p.ToolCallID)
			}
		}
	}
	return state, calls
}

// valueOf returns the value of a JSON text.
func valueOf(t *rapid.T, text []byte) (v any) {
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// within reports whether a value agrees with the known part of another, in which the unknown is null or missing.
func within(known, value any) bool {
	switch known := known.(type) {
	case nil:
		return true
	case map[string]any:
		object, ok := value.(map[string]any)
		for name, v := range known {
			member, there := object[name]
			ok = ok && there && within(v, member)
		}
		return ok || len(known) == 0
	case []any:
		list, ok := value.([]any)
		for i, v := range known {
			ok = ok && len(list) == len(known) && within(v, list[i])
		}
		return ok
	}
	return cmp.Equal(known, value)
}

// foldsAgree draws a history, and compares the folds of the kit with that of the reference, which share no code.
func foldsAgree(t *rapid.T) {
	h := &history{T: t}
	for range rapid.IntRange(1, 25).Draw(t, "chunks") {
		h.next()
	}
	history := strings.Join(h.chunks, "\n")
	state, executing := referenceFold(h.chunks)
	want := valueOf(t, state)
	f, applied := kitFold(t, h.chunks, true)
	if diff := cmp.Diff(want, valueOf(t, f.State(f.Root).JSON())); diff != "" {
		t.Fatalf("the state after\n%s\nis (-reference +kit):\n%s", history, diff)
	}
	f.Calls.Each(func(c *fold.Call) {
		if !slices.Contains(executing, c.ID.Start) {
			t.Fatalf("after\n%s\nthe call %s is open to the kit; the reference has %v", history, c.ID.Start, executing)
		}
	})
	if !applied {
		return // a judge takes every patch after one that can't be applied for one that can
	}
	judging, _ := kitFold(t, h.chunks, false)
	if known := judging.State(judging.Root).JSON(); !within(valueOf(t, known), want) {
		t.Fatalf("the state after\n%s\nis %s; a judge takes %s for known", history, state, known)
	}
}

// TestFoldsAgree: after any history the fold of the kit has the state that the reference shows.
func TestFoldsAgree(t *testing.T) { rapid.Check(t, foldsAgree) }

// FuzzFoldsAgree is TestFoldsAgree for inputs of a fuzzer.
func FuzzFoldsAgree(f *testing.F) { f.Fuzz(rapid.MakeFuzz(foldsAgree)) }
