package helix

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
	"github.com/streamcert/streamcert/runner/record"
)

// A server makes a stream as a right one would, in ways that a seed draws.
type server struct {
	r           *rand.Rand
	lines       []string
	agent       string
	run         int
	ids         int
	step        int
	clock       int
	state       string
	checkpoints []checkpoint
}

type checkpoint struct {
	id    string
	steps int
	seq   int
	state string
}

func (s *server) chance(percent int) bool { return s.r.IntN(100) < percent }

func (s *server) id(prefix string) string {
	s.ids++
	return fmt.Sprintf("%s%d", prefix, s.ids)
}

func (s *server) say(agent, format string, args ...any) {
	s.clock += s.r.IntN(3)
	text := agent + " " + fmt.Sprintf(format, args...)
	if !strings.Contains(text, "agentType=") {
		kind := "planner"
		if strings.HasPrefix(agent, "child") {
			kind = "worker"
		}
		text += fmt.Sprintf(" agentType=%q", kind)
	}
	if !strings.Contains(text, " step=") {
		text += fmt.Sprintf(" step=%d", s.step)
	}
	s.lines = append(s.lines, fmt.Sprintf("%s timestamp=%d", text, 1702329600000+s.clock))
}

// emit emits a few chunks of one agent.
func (s *server) emit(agent string, depth int) {
	for range s.r.IntN(4) {
		switch s.r.IntN(9) {
		case 0, 1:
			s.say(agent, `text_delta delta=%q`, s.id("t"))
		case 2:
			s.think(agent)
		case 3, 4:
			s.tool(agent, depth)
		case 5:
			if depth < 3 {
				s.child(agent, depth)
			}
		case 6:
			s.patch(agent)
		case 7:
			s.say(agent, `custom eventName="e" data=[]`)
		case 8:
			s.say(agent, `error error="again" recoverable=true`)
		}
	}
}

func (s *server) think(agent string) {
	whole := ""
	if s.chance(70) {
		for range 1 + s.r.IntN(3) {
			part := s.id("w")
			whole += part
			s.say(agent, `thinking content=%q isComplete=false`, part)
			if s.chance(20) {
				s.say(agent, `text_delta delta="beside"`)
			}
		}
	} else {
		whole = "all"
	}
	s.say(agent, `thinking content=%q isComplete=true`, whole)
}

func (s *server) tool(agent string, depth int) {
	id, beside := s.id("c"), ""
	s.say(agent, `tool_start toolCallId=%q toolName="find" arguments={}`, id)
	if s.chance(30) {
		beside = s.id("c")
		s.say(agent, `tool_start toolCallId=%q toolName="look" arguments={}`, beside)
	}
	if agent == s.agent && depth == 0 && s.chance(30) {
		if s.chance(50) {
			s.say(agent, `tool_approval_request toolCallId=%q toolName="find" arguments={}`, id)
		}
		s.say(agent, `run_paused runId="r%d" reason="x" pendingToolName="find" pendingToolCallId=%q`, s.run, id)
		s.resume("null", 0, "approval")
	}
	if depth < 3 && s.chance(30) {
		s.emit(agent, depth+1)
	}
	if s.chance(30) {
		s.say(agent, `tool_end toolCallId=%q toolName="find" success=false error="no"`, id)
	} else {
		s.say(agent, `tool_end toolCallId=%q toolName="find" success=true result={"n":1}`, id)
	}
	if beside != "" {
		s.say(agent, `tool_end toolCallId=%q toolName="look" success=true result=null`, beside)
	}
}

func (s *server) child(agent string, depth int) {
	id, key := s.id("c"), s.id("child")
	called := s.chance(70)
	if called {
		s.say(agent, `tool_start toolCallId=%q toolName="subagent__worker" arguments={}`, id)
	}
	s.say(agent, `subagent_start subAgentType="worker" subSessionId=%q callId=%q`, key, id)
	s.emit(key, depth+1)
	result := "null"
	switch s.r.IntN(4) {
	case 0:
		result = `{"a":1,"b":[2.0]}`
		s.say(key, `output output={"b":[2],"a":1e0}`)
	case 1:
		result = `"text"`
	case 2: // it fails, and leaves things open
		s.say(key, `tool_start toolCallId=%q toolName="find" arguments={}`, s.id("c"))
		s.say(key, `thinking content="and" isComplete=false`)
		s.say(key, `error error="broken" recoverable=false`)
	}
	s.say(agent, `subagent_end subAgentType="worker" subSessionId=%q callId=%q result=%s`, key, id, result)
	if called {
		s.say(agent, `tool_end toolCallId=%q toolName="subagent__worker" success=true result=%s`, id, result)
	}
}

// patch changes the state as the library reports that it can be.
func (s *server) patch(agent string) {
	if agent != s.agent {
		s.say(agent, `state_patch patches=[{"op":"replace","path":"/mine","value":1}]`)
		return
	}
	for range 5 {
		op := draw(s.r)
		if s.loose(op) {
			continue
		}
		p, err := jsonpatch.DecodePatch([]byte("[" + op + "]"))
		if err != nil {
			continue
		}
		options := jsonpatch.NewApplyOptions()
		options.SupportNegativeIndices = false
		if out, err := p.ApplyWithOptions([]byte(s.state), options); err == nil {
			s.state = string(out)
			s.say(agent, `state_patch patches=[%s]`, op)
			return
		}
	}
}

// loose reports that the library may take an operation that RFC 6902 refuses: it can't
// tell a null from nothing, and a dash that names no item from one that does.
func (s *server) loose(op string) bool {
	o, err := patch.ParseOperation([]byte(op))
	if err != nil || o.Op == "move" || o.Op == "copy" || o.Op == "test" {
		return true
	}
	d, err := patch.Parse([]byte(s.state), patch.Limits{})
	if err != nil {
		return true
	}
	old, err := d.Lookup(o.Path)
	return err != nil || string(old) == "null" || o.Path[len(o.Path)-1] == "-" && o.Op != "add"
}

func (s *server) commit() {
	if s.chance(70) {
		s.patch(s.agent)
	}
	s.step++
	if s.chance(80) {
		id := s.id("k")
		if s.chance(50) {
			id = fmt.Sprintf("cpv1-%s-s%d-t17-%s", s.agent, s.step, s.id("x"))
		}
		s.say(s.agent, `checkpoint_created runId="r%d" checkpointId=%q stepCount=%d step=%d`, s.run, id, s.step, s.step-1)
		s.checkpoints = append(s.checkpoints, checkpoint{id, s.step, len(s.lines), s.state})
		s.say(s.agent, `step_committed runId="r%d" stepId=%q checkpointId=%q step=%d`, s.run, s.id("s"), id, s.step-1)
	}
}

func (s *server) resume(from string, steps int, mode string) {
	s.run++
	s.say(s.agent, `run_resumed runId="r%d" fromCheckpointId=%s fromStepCount=%d mode=%q`, s.run, from, steps, mode)
}

// disturb simulates an interruption, crash, rollback or branch of a run.
func (s *server) disturb() {
	if len(s.checkpoints) == 0 {
		return
	}
	last := len(s.checkpoints) - 1
	s.say(s.agent, `tool_start toolCallId=%q toolName="find" arguments={}`, s.id("c"))
	s.say(s.agent, `thinking content="hm" isComplete=false`)
	if s.chance(40) {
		s.say(s.agent, `run_interrupted runId="r%d" checkpointId=%q`, s.run, s.checkpoints[last].id)
		s.resume(fmt.Sprintf("%q", s.checkpoints[last].id), s.checkpoints[last].steps, "continue")
		return
	}
	to := s.r.IntN(last + 1)
	p := s.checkpoints[to]
	s.checkpoints = s.checkpoints[:to+1]
	reason := []string{"crash_recovery", "rollback", "branch"}[s.r.IntN(3)]
	if reason == "branch" {
		s.agent = s.id("session")
	}
	s.step, s.state = p.steps, p.state
	s.say(s.agent, `stream_resync checkpointId=%q stepCount=%d messageCount=1 fromSequence=%d reason=%q step=`, p.id, p.steps, p.seq, reason)
	if s.chance(70) {
		s.resume(fmt.Sprintf("%q", p.id), p.steps, "continue")
	}
}

// drawRun returns a complete stream, with its initial state.
func drawRun(seed uint64) (lines []string, state string) {
	state = `{"a":{"b":[1,2,{"c":[]}]},"b":[[],{}],"c":"t"}`
	s := &server{r: rand.New(rand.NewPCG(seed, 2)), agent: "session0", state: state}
	s.say(s.agent, `text_delta delta="Hello"`)
	for range 1 + s.r.IntN(6) {
		s.emit(s.agent, 0)
		s.commit()
		if s.chance(30) {
			s.disturb()
		}
	}
	switch s.r.IntN(3) {
	case 0:
		s.say(s.agent, `output output={"x":[1]}`)
		s.commit()
		s.lines = append(s.lines, `end finalOutput={"x":[1.0]}`)
	case 1:
		s.say(s.agent, `tool_start toolCallId=%q toolName="find" arguments={}`, s.id("c"))
		s.say(s.agent, `error error="boom" recoverable=false`)
		s.lines = append(s.lines, `fail error="boom"`)
	default:
		s.lines = append(s.lines, "end")
	}
	return s.lines, state
}

// moved returns the lines from one on as they are after all others: references to their positions are updated.
func moved(lines []string, from int) []string {
	var out []string
	for _, line := range lines[from:] {
		out = append(out, fromSequence.ReplaceAllStringFunc(line, func(text string) string {
			n, err := strconv.Atoi(strings.TrimPrefix(text, "fromSequence="))
			if err != nil || n <= from {
				return text
			}
			return fmt.Sprintf("fromSequence=%d", n+len(lines)-from)
		}))
	}
	return out
}

var fromSequence = regexp.MustCompile(`fromSequence=\d+`)

// TestRightRunsAreNotAccused: a correct stream has no finding, nor has any part of it that a reader may receive.
func TestRightRunsAreNotAccused(t *testing.T) {
	set, counted := loadSchemas(t), map[string]int{}
	for seed := range uint64(800) {
		lines, state := drawRun(seed)
		r := rand.New(rand.NewPCG(seed, 3))
		from, to := r.IntN(len(lines)), 1+r.IntN(len(lines))
		later := max(from, to-1)
		for name, c := range map[string]response{
			"whole":     {head: good, body: stream(1, lines...)},
			"beginning": {head: good, body: stream(1, lines[:to]...), end: record.ClientClose},
			"resumed":   {head: after(fmt.Sprint(from)), body: stream(from+1, lines[from:]...)},
			"capture":   {head: judge.Head{Removed: true}, body: stream(from+1, lines[from:]...)},
			"gap":       {head: judge.Head{Removed: true}, body: stream(1, lines[:from]...) + stream(later+1, lines[later:]...)},
			"truncated": {head: good, body: stream(1, lines[:from]...) + truncatedAt(0, len(lines)) + stream(len(lines)+1, moved(lines, from)...)},
		} {
			o := judge.Options{Origin: record.Produced, Schemas: set, State: []byte(state)}
			m := New(o)
			found := append(m.Head(c.head), framesOf(t, m, c.body)...)
			found = append(found, m.Close(c.closes())...)
			for id, n := range m.Occasions() {
				counted[id] += n
			}
			for _, f := range found {
				t.Fatalf("seed %d, %s from %d to %d: %+v\n%s", seed, name, from, to, f, strings.Join(lines, "\n"))
			}
		}
	}
	for _, id := range between(textEmptyDelta, bareEndMessage) {
		if counted[id] == 0 {
			t.Errorf("no right run has an occasion for %s", id)
		}
	}
}
