package fold_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// object is a chunk, decoded.
type object map[string]any

func (o object) Member(name string) (any, bool) {
	v, there := o[name]
	return v, there
}

// A stream shows chunks to a fold, one a line: agent, type, and members as name=JSON without blanks.
type stream struct {
	t *testing.T
	*fold.Fold
	seq int64
}

func (s *stream) say(line string) (*fold.Agent, fold.Effect) {
	s.t.Helper()
	words := strings.Fields(line)
	own := object{}
	for _, w := range words[2:] {
		name, text, _ := strings.Cut(w, "=")
		v, ok := judge.OneValue([]byte(text))
		if !ok {
			s.t.Fatal(w)
		}
		own[name] = v
	}
	s.seq++
	c := &fold.Chunk{
		Kind: words[1], AgentID: words[0], Run: judge.WordOf(own["runId"]), Seq: judge.Number{N: s.seq, OK: true}, Step: judge.Integer(own["step"]),
		Length: len(line), Members: own,
	}
	s.Advance(c.Seq)
	s.Meet(c)
	return c.Agent, s.Take(c)
}

// seen returns the state of an agent in the fold as a line of text.
func (s *stream) seen(agent string) string {
	key := judge.Hash(agent)
	out := fmt.Sprintf("%d calls, %d deep", s.Calls.Len(), s.Depth(key))
	if d := s.State(key); d != nil {
		out += ", " + string(d.JSON())
	}
	if a, ok := s.Agents.Value(key); ok && a.Block != nil {
		out += ", " + a.Block.Start
	}
	return out
}

const (
	call   = `a tool_start toolCallId="c1" toolName="find"`
	child  = `a subagent_start subSessionId="b" callId="c1" subAgentType="t"`
	call2  = `b tool_start toolCallId="c2" toolName="look"`
	set    = `b state_patch patches=[{"op":"add","path":"/x","value":1}]`
	think  = `b thinking content="hm" isComplete=false`
	unset  = `b state_patch patches=[{"op":"remove","path":"/x"}]`
	point  = `a checkpoint_created checkpointId="k" stepCount=1`
	before = "2 calls, 1 deep, {\"x\":1}, hm"
)

// TestTrust: a cause of uncertainty makes a fold drop its state, and leaves a trusting one its best guess.
func TestTrust(t *testing.T) {
	gap := func(s *stream) { s.seq += 3 }
	say := func(line string) func(*stream) { return func(s *stream) { s.say(line) } }
	for name, c := range map[string]struct {
		then              func(*stream)
		forgets, trusting string
	}{
		"nothing":      {func(*stream) {}, before, before},
		"a gap":        {func(s *stream) { gap(s); s.say("b custom") }, "0 calls, 0 deep, {}", before},
		"a removal":    {func(s *stream) { s.Removed() }, "0 calls, 0 deep, {}", before},
		"interrupted":  {say("a run_interrupted"), `0 calls, 0 deep, {"x":1}`, `2 calls, 1 deep, {"x":1}`},
		"a child's":    {say("b run_interrupted"), `1 calls, 1 deep, {"x":1}`, `2 calls, 1 deep, {"x":1}`},
		"superseded":   {say("a executor_superseded"), `0 calls, 0 deep, {"x":1}`, `2 calls, 1 deep, {"x":1}`},
		"discarded":    {say("a step_discarded"), `0 calls, 0 deep, {"x":1}`, `2 calls, 1 deep, {"x":1}`},
		"resumed":      {say("a run_resumed fromStepCount=0"), `0 calls, 0 deep, {"x":1}`, `2 calls, 1 deep, {"x":1}`},
		"fatal":        {say("a error recoverable=false"), `0 calls, 0 deep, {"x":1}`, `2 calls, 1 deep, {"x":1}`},
		"not fatal":    {say("b error recoverable=true"), `2 calls, 1 deep, {"x":1}`, `2 calls, 1 deep, {"x":1}`},
		"ended":        {say(`b tool_end toolCallId="c2"`), `1 calls, 1 deep, {"x":1}, hm`, `1 calls, 1 deep, {"x":1}, hm`},
		"of another":   {say(`a tool_end toolCallId="c2"`), `1 calls, 1 deep, {"x":1}, hm`, `1 calls, 1 deep, {"x":1}, hm`},
		"put out":      {say(`b output output=1`), `2 calls, 1 deep, {"x":1}`, `2 calls, 1 deep, {"x":1}`},
		"left":         {say(`a subagent_end subSessionId="b" result=1`), "2 calls, 0 deep, {}", "2 calls, 0 deep, {}"},
		"failed":       {say(`a subagent_end subSessionId="b" result=null`), "1 calls, 0 deep, {}", "2 calls, 0 deep, {}"},
		"does not fit": {say(`b state_patch patches=[{"op":"add","path":"/y","value":1},{"op":"remove","path":"/x/z"}]`), "2 calls, 1 deep, {}, hm", before},
		"no operation": {say(`b state_patch patches=[{"op":"add","path":"/y","value":1},{"op":"frob"}]`), "2 calls, 1 deep, {}, hm", before},
		"went back":    {say(`a stream_resync checkpointId="k" stepCount=1 fromSequence=2`), "0 calls, 0 deep, {}", "0 calls, 0 deep, {}"},
		"branched":     {func(s *stream) { s.say(`n stream_resync`); s.say(call2) }, "1 calls, 0 deep, {}", "1 calls, 0 deep, {}"},
		"itself": {func(s *stream) {
			s.say(`a subagent_end subSessionId="b" result=1`)
			s.say(`b subagent_start subSessionId="b" callId="c1"`)
		}, "2 calls, 0 deep, {}", "2 calls, 1 deep, {}"},
		"without a name": {say(`b tool_start`), before, strings.Replace(before, "2", "3", 1)},
	} {
		for _, trusting := range []bool{false, true} {
			want := c.forgets
			if trusting {
				want = c.trusting
			}
			s := &stream{t: t, Fold: fold.New(fold.Options{Trusting: trusting, Limits: fold.Limits{Points: 4, StoredStates: 2}})}
			for _, line := range []string{call, child, call2, set, think} {
				s.say(line)
			}
			c.then(s)
			if diff := cmp.Diff(want, s.seen("b")); diff != "" {
				t.Errorf("%s, trusting %v (-want +got)\n%s", name, trusting, diff)
			}
		}
	}
}

// TestBack: a return restores the state of the checkpoint where it is known to be
// that of the position. A trusting fold takes it for that of any position.
func TestBack(t *testing.T) {
	for name, c := range map[string]struct {
		to                string
		forgets, trusting bool
	}{
		"the place":         {`checkpointId="k" stepCount=1 fromSequence=2`, true, true},
		"a later place":     {`checkpointId="k" stepCount=1 fromSequence=4`, false, true},
		"no place":          {`checkpointId="k" stepCount=1`, false, true},
		"no such":           {`checkpointId="l" stepCount=1 fromSequence=2`, false, false},
		"forgotten by then": {`checkpointId="k0" stepCount=0 fromSequence=0`, false, false},
	} {
		for _, trusting := range []bool{false, true} {
			s := &stream{t: t, Fold: fold.New(fold.Options{Trusting: trusting, Limits: fold.Limits{Points: 2, StoredStates: 1}})}
			s.say("b" + strings.Replace(point, `"k"`, `"k0"`, 1)[1:])
			s.say(set)
			s.say("b" + point[1:])
			s.say(unset)
			_, e := s.say("b stream_resync " + c.to)
			want := c.forgets
			if trusting {
				want = c.trusting
			}
			if state := string(s.State(judge.Hash("b")).JSON()); e.Returned != want || (state == `{"x":1}`) != want {
				t.Errorf("%s, trusting %v: known %v, %s", name, trusting, e.Returned, state)
			}
		}
	}
}

func TestWhoIsTheRoot(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		first int64
		root  string // of a fold that forgets; "" if it isn't known
	}{
		"the first":              {[]string{"a custom", "b custom"}, 1, "a"},
		"something comes before": {[]string{"a custom"}, 3, ""},
		"a branch":               {[]string{"a custom", "n stream_resync"}, 1, "n"},
		"a sub-agent goes back":  {[]string{call, child, "b stream_resync"}, 1, "a"},
		"back to the old root":   {[]string{"a custom", "n stream_resync", "a stream_resync"}, 1, "n"},
	} {
		for _, trusting := range []bool{false, true} {
			s := &stream{t: t, Fold: fold.New(fold.Options{Trusting: trusting}), seq: c.first - 1}
			for _, line := range c.lines {
				s.say(line)
			}
			want := uint64(0)
			if c.root != "" {
				want = judge.Hash(c.root)
			} else if trusting {
				want = judge.Hash("a")
			}
			if s.Root != want {
				t.Errorf("%s, trusting %v: another root", name, trusting)
			}
		}
	}
}

// TestLimits: beyond a limit, the older half is forgotten; of calls, a trusting fold takes in no more.
func TestLimits(t *testing.T) {
	for _, trusting := range []bool{false, true} {
		s := &stream{t: t, Fold: fold.New(fold.Options{Trusting: trusting, Limits: fold.Limits{Calls: 4, SubAgents: 4}})}
		for i := range 6 {
			s.say(fmt.Sprintf(`a tool_start toolCallId="c%d"`, i))
			s.say(fmt.Sprintf(`a subagent_start subSessionId="k%d" callId="c"`, i))
		}
		_, first := s.say(`a tool_end toolCallId="c0"`)
		_, last := s.say(`a tool_end toolCallId="c5"`)
		if (first.Call != nil) != trusting || (last.Call != nil) == trusting {
			t.Errorf("trusting %v: the first call %v, the last %v", trusting, first.Call, last.Call)
		}
		if s.Depth(judge.Hash("k0")) != 0 || s.Depth(judge.Hash("k5")) != 1 {
			t.Errorf("trusting %v: the first sub-agent is remembered, or the last isn't", trusting)
		}
	}
}

// TestStatesAreLost: a state that makes the total too large is lost, until the stream goes back. States that are gone
// don't count.
func TestStatesAreLost(t *testing.T) {
	s := &stream{t: t, Fold: fold.New(fold.Options{Trusting: true, Limits: fold.Limits{StatesBytes: 3000, Points: 4, StoredStates: 4, StoredStatesBytes: 2500}})}
	large := func(agent string) error {
		_, e := s.say(agent + ` state_patch patches=[{"op":"add","path":"/x","value":"` + strings.Repeat("x", 1200) + `"}]`)
		return e.Err
	}
	var limit *patch.LimitError
	if err := errors.Join(large("a"), large("b")); err != nil {
		t.Fatal(err)
	}
	if err := large("c"); !errors.As(err, &limit) || s.State(judge.Hash("c")) != nil || s.State(judge.Hash("b")) == nil {
		t.Errorf("got %v", err)
	}
	if err := large("c"); !errors.Is(err, fold.ErrLost) {
		t.Errorf("got %v", err)
	}
	s.say(child)
	s.say(`a subagent_end subSessionId="b"`)
	if err := large("d"); err != nil {
		t.Errorf("the state of one that left still counts: %v", err)
	}
	for _, id := range []string{"k1", "k2", "k3"} {
		s.say(strings.Replace(point, `"k"`, `"`+id+`"`, 1))
	}
	if _, e := s.say(`a stream_resync checkpointId="k1"`); e.Returned {
		t.Error("the states of all checkpoints are kept")
	}
	if _, e := s.say(`a stream_resync checkpointId="k3"`); !e.Returned || large("c") != nil {
		t.Error("the state of the last checkpoint isn't kept, or a state stays lost")
	}
}

func Example() {
	show := func(f *fold.Fold, agent, kind string, members object) fold.Effect {
		c := &fold.Chunk{Kind: kind, AgentID: agent, Members: members}
		f.Advance(judge.Number{})
		f.Meet(c) // here c.Agent is known, and the fold is in the state before the chunk
		return f.Take(c)
	}
	f := fold.New(fold.Options{Trusting: true, State: json.RawMessage(`{"seats":1}`)})
	show(f, "a", "tool_start", object{"toolCallId": "c1", "toolName": "book"})
	show(f, "a", "state_patch", object{"patches": []any{map[string]any{"op": "replace", "path": "/seats", "value": json.Number("2")}}})
	ended := show(f, "a", "tool_end", object{"toolCallId": "c1"})
	fmt.Println(ended.Call.Name.Start, string(f.State(f.Root).JSON()))
	// Output: book {"seats":2}
}
