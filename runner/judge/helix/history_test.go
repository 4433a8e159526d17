package helix

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/record"
)

// line returns a chunk from one line: agent, type, and members as name=JSON without blanks. Members that every chunk needs
// are added if the line lacks them; a member without a value is left out. Lines that begin with a frame's type are that
// frame. It returns the data of the event around it.
func line(text string, seq int, bare bool) string {
	words := strings.Fields(text)
	switch words[0] {
	case "end", "fail", "status", "truncated", "stream_end":
		return "{" + strings.Join(append([]string{`"type":"` + words[0] + `"`}, members(words[1:])...), ",") + "}"
	}
	fill := []string{"agentId=" + fmt.Sprintf("%q", words[0]), `agentType="planner"`, "timestamp=1702329600000", "step=1"}
	if words[0] != "a" {
		fill[1] = `agentType="worker"`
	}
	own := words[2:]
	for _, f := range fill {
		name, _, _ := strings.Cut(f, "=")
		if !slices.ContainsFunc(own, func(w string) bool { return strings.HasPrefix(w, name+"=") }) {
			own = append(own, f)
		}
	}
	chunk := "{" + strings.Join(append([]string{`"type":"` + words[1] + `"`}, members(own)...), ",") + "}"
	if bare {
		return chunk
	}
	return fmt.Sprintf(`{"type":"chunk","chunk":%s,"sequence":%d}`, chunk, seq)
}

func members(words []string) []string {
	var out []string
	for _, w := range words {
		if name, value, _ := strings.Cut(w, "="); value != "" {
			out = append(out, fmt.Sprintf("%q:%s", name, value))
		}
	}
	return out
}

// stream returns a body with a line's event each; ids go up from first.
func stream(first int, lines ...string) string {
	var b strings.Builder
	for i, text := range lines {
		id := fmt.Sprintf("id: %d\n", first+i)
		if word, _, _ := strings.Cut(text, " "); word == "status" || word == "truncated" {
			id = ""
		}
		fmt.Fprintf(&b, "%sdata: %s\n\n", id, line(text, first+i, false))
	}
	return b.String()
}

func begins(id string, more ...string) string {
	return `a tool_start toolCallId="` + id + `" toolName="find" arguments={} ` + strings.Join(more, " ")
}

func back(id string, more ...string) string {
	own := `a tool_end toolCallId="` + id + `" `
	all := strings.Join(more, " ")
	for _, m := range []string{`toolName="find"`, "success=true", "result=1"} {
		if name, _, _ := strings.Cut(m, "="); !strings.Contains(all, name+"=") {
			own += m + " "
		}
	}
	return own + all
}

const (
	begin     = `a subagent_start subAgentType="worker" subSessionId="b" callId="c1"`
	finish    = `a subagent_end subAgentType="worker" subSessionId="b" callId="c1" result=null`
	textDelta = `a text_delta delta="x"`
	stop      = `a run_interrupted runId="r1" checkpointId="k1"`
	goOn      = `a run_resumed runId="r2" fromCheckpointId="k1" fromStepCount=1 mode="continue"`
	point     = `a checkpoint_created runId="r1" checkpointId="k1" stepCount=1`
	fatal     = `a error error="boom" recoverable=false`
)

func resyncAt(id string, steps, from int) string {
	return fmt.Sprintf(`a stream_resync checkpointId=%q stepCount=%d messageCount=1 fromSequence=%d reason="rollback" step=`, id, steps, from)
}

func patches(ops string) string { return "a state_patch patches=[" + ops + "]" }

func produced(t testing.TB, body string) ([]record.Finding, map[string]int) {
	r := response{head: good, origin: record.Produced, body: body}
	return r.judge(t, loadSchemas(t))
}

// breaches violate exactly the requirement that they name; the similar streams next to them don't, and have an occasion for
// it.
var breaches = []struct {
	id        string
	bad, good []string
}{
	{"text.whole-characters", []string{`a text_delta delta="\ud83d"`, `a text_delta delta="\ude00"`},
		[]string{`a text_delta delta="\ud83d\ude00é\\ud83d"`, `a text_delta delta="\ufffd"`}},
	{"text.empty-delta", []string{`a text_delta delta=""`}, []string{textDelta}},
	{"thinking.whole-block", []string{`a thinking content="ab" isComplete=false`, `a thinking content="c" isComplete=false`, `a thinking content="ac" isComplete=true`},
		[]string{`a thinking content="ab" isComplete=false`, textDelta, `a thinking content="c" isComplete=false`, `a thinking content="abc" isComplete=true`,
			`a thinking content="new" isComplete=true`}},
	{"thinking.whole-block", []string{`a thinking content="ab" isComplete=false`, `a thinking content="" isComplete=true`},
		[]string{`a thinking content="ab" isComplete=false`, `a thinking content="ab" isComplete=true`}},
	{"thinking.closed", []string{`a thinking content="ab" isComplete=false`, "end"},
		[]string{`a thinking content="ab" isComplete=false`, `a thinking content="ab" isComplete=true`, "end"}},
	{"thinking.closed", []string{`a thinking content="ab" isComplete=false`, `a output output=1`, "end"},
		[]string{`a thinking content="ab" isComplete=false`, `a thinking content="ab" isComplete=true`, `a output output=1`, "end"}},
	{"tools.arguments-object", []string{strings.Replace(begins("c1"), "{}", `"{}"`, 1)}, []string{begins("c1")}},
	{"tools.start-first", []string{textDelta, back("c1")}, []string{begins("c1"), back("c1")}},
	{"tools.start-first", []string{begins("c1"), back("c2"), back("c1")}, []string{begins("c1"), begins("c2"), back("c2"), back("c1")}},
	{"tools.ended", []string{begins("c1"), "end"}, []string{begins("c1"), back("c1"), "end"}},
	{"tools.end-once", []string{begins("c1"), back("c1"), back("c1")}, []string{begins("c1"), back("c1"), begins("c2"), back("c2")}},
	{"tools.unique-id", []string{begins("c1"), back("c1"), begins("c1"), back("c1")},
		[]string{begins("c1"), back("c1"), resyncAt("k0", 0, 1), begins("c1"), back("c1")}},
	{"tools.outcome", []string{begins("c1"), back("c1", `success=false error=""`)}, []string{begins("c1"), back("c1", `success=false error="no" result=`)}},
	{"tools.outcome", []string{begins("c1"), back("c1", `error="no"`)}, []string{begins("c1"), back("c1", `error=""`)}},
	{"tools.success", []string{begins("c1"), back("c1", "success=1")}, []string{begins("c1"), back("c1")}},
	{"tools.same-name", []string{begins("c1"), back("c1", `toolName="look"`)}, []string{begins("c1"), back("c1")}},
	{"tools.same-agent", []string{begin, begins("c2"), "b" + back("c2")[1:], finish}, []string{begin, "b" + begins("c2")[1:], "b" + back("c2")[1:], finish}},
	{"tools.clock", []string{begins("c1", "timestamp=1702329600002"), `a` + back("c1", "timestamp=1702329600001")[1:]}, []string{begins("c1"), back("c1")}},
	{"approval.request-members", []string{`a tool_approval_request toolCallId="c9" toolName="pay" arguments={}`, "end"},
		[]string{`a tool_approval_request toolCallId="c1" toolName="pay" arguments={}`, begins("c1"), back("c1"), "end"}},
	{"approval.request-members", []string{begins("c1"), `a tool_approval_request toolCallId="c1" arguments={}`},
		[]string{begins("c1"), `a tool_approval_request toolCallId="c1" toolName="pay" arguments={}`}},
	{"subagents.parent-id", []string{textDelta, "b" + begin[1:], "b" + finish[1:]}, []string{begin, finish}},
	{"subagents.parent-id", []string{begin, "b" + finish[1:], "end"}, []string{begin, finish, "end"}},
	{"subagents.child-id", []string{textDelta, `b text_delta delta="x"`, `b text_delta delta="y"`}, []string{begin, `b text_delta delta="x"`, finish}},
	{"subagents.child-id", []string{textDelta, `b text_delta delta="x"`, begin, finish}, []string{textDelta, begin, `b text_delta delta="x"`, finish}},
	{"subagents.paired", []string{begin, strings.Replace(finish, "c1", "c2", 1)}, []string{begin, finish}},
	{"subagents.paired", []string{begin, strings.Replace(finish, "worker", "writer", 1)}, []string{begin, finish}},
	{"subagents.paired", []string{textDelta, finish}, []string{begin, finish}},
	{"subagents.paired", []string{begin, finish, finish}, []string{begin, finish}},
	{"subagents.paired", []string{begin, strings.Replace(begin, `"b"`, `"d"`, 1), "d" + finish[1:], strings.Replace(finish, `"b"`, `"d"`, 1)},
		[]string{begin, "b" + strings.Replace(begin, `"b"`, `"d"`, 1)[1:], "b" + strings.Replace(finish, `"b"`, `"d"`, 1)[1:], finish}},
	{"subagents.ended", []string{begin, "end"}, []string{begin, finish, "end"}},
	{"subagents.within", []string{begin, finish, `b text_delta delta="x"`}, []string{begin, `b text_delta delta="x"`, finish}},
	{"subagents.step", []string{begins("c1"), begin + " step=2", finish + " step=2", back("c1", "step=2")}, []string{begins("c1"), begin, finish, back("c1")}},
	{"subagents.call-id", []string{begin, begins("c1"), finish, back("c1")}, []string{begins("c1"), begin, finish, back("c1")}},
	{"subagents.call-id", []string{strings.ReplaceAll(begin, "c1", "c0"), "b" + begins("c1")[1:],
		strings.Replace(begin, `"b"`, `"d"`, 1)}, []string{strings.ReplaceAll(begin, "c1", "c0"), "b" + begins("c1")[1:],
		"b" + strings.Replace(begin, `"b"`, `"d"`, 1)[1:]}},
	{"subagents.unique", []string{begin, finish, begin, finish}, []string{begin, finish, resyncAt("k0", 0, 1), begin, finish}},
	{"subagents.agent-type", []string{begin, `b text_delta delta="x" agentType="planner"`, `b text_delta delta="x" agentType="planner"`},
		[]string{begin, `b text_delta delta="x"`}},
	{"subagents.result", []string{begin, `b output output={"n":1}`, strings.Replace(finish, "null", `{"n":2}`, 1)},
		[]string{begin, `b output output={"n":1,"m":[]}`, strings.Replace(finish, "null", `{"m":[],"n":1.0}`, 1)}},
	{"subagents.result", []string{begin, `b output output=1`, finish}, []string{begin, `b output output=null`, finish}},
	{"state.pointers", []string{patches(`{"op":"remove","path":"a"}`)}, []string{patches(`{"op":"remove","path":"/a"}`)}},
	{"state.operands", []string{patches(`{"op":"add","path":"/a"}`)}, []string{patches(`{"op":"add","path":"/a","value":null}`)}},
	{"state.operations", []string{patches(`{"op":"move","from":"/b","path":"/a"}`)}, []string{patches(`{"op":"add","path":"/a","value":1}`)}},
	{"state.empty-patch", []string{patches("")}, []string{patches(`{"op":"add","path":"/a","value":1}`)}},
	{"state.applicable", []string{patches(`{"op":"add","path":"/l","value":[]}`), patches(`{"op":"remove","path":"/l/0"}`)},
		[]string{patches(`{"op":"add","path":"/l","value":[]},{"op":"add","path":"/l/-","value":1}`), patches(`{"op":"remove","path":"/l/0"}`)}},
	{"state.applicable", []string{patches(`{"op":"remove","path":"/l"}`), patches(`{"op":"remove","path":"/l"}`), patches(`{"op":"remove","path":"/m"}`)},
		[]string{patches(`{"op":"remove","path":"/l"}`), patches(`{"op":"add","path":"/l","value":1}`), patches(`{"op":"replace","path":"/l","value":2}`)}},
	{"errors.text", []string{`a error error="" recoverable=true`}, []string{`a error error="no" recoverable=true`}},
	{"errors.fatal-last", []string{fatal, textDelta}, []string{fatal, strings.Replace(goOn, `"k1"`, "null", 1), textDelta, strings.Replace(fatal, "boom", "again", 1), `fail error="again"`}},
	{"errors.fatal-fails", []string{fatal, "end"}, []string{fatal, `fail error="boom"`}},
	{"errors.same-text", []string{fatal, `fail error="bang"`}, []string{fatal, `fail error="boom"`}},
	{"output.once", []string{`a output output=1`, `a output output=1`, "end"}, []string{`a output output=1`, "end"}},
	{"output.last", []string{`a output output=1`, textDelta}, []string{textDelta, `a output output=1`, `a custom eventName="e" data=1`, "end"}},
	{"output.ends", []string{`a output output=1`, `fail error="x"`}, []string{`a output output=1`, "end"}},
	{"output.final-output", []string{`a output output={"a":1}`, "end finalOutput=null"}, []string{`a output output={"a":1e0,"b":0}`, `end finalOutput={"b":-0,"a":1}`}},
	{"output.bookkeeping", []string{begins("c1"), `a output output=1`, back("c1"), "end"}, []string{`a output output=1`, point, "end"}},
	{"runs.step-order", []string{textDelta + " step=2", textDelta + " step=1"}, []string{textDelta + " step=2", textDelta + " step=", textDelta + " step=2", resyncAt("k0", 0, 1), textDelta + " step=1"}},
	{"runs.timestamps", []string{textDelta + " timestamp=1702329600"}, []string{textDelta}},
	{"runs.timestamps", []string{textDelta + " timestamp=1702329600000.5"}, []string{textDelta}},
	{"runs.clock", []string{textDelta + " timestamp=1702329600001", textDelta}, []string{textDelta + " timestamp=1702329600001", begin + " timestamp=1702329600001", `b text_delta delta="x"`, textDelta + " timestamp=1702329600001"}},
	{"runs.nulls", []string{textDelta + " runId=null"}, []string{textDelta + ` runId="r"`}},
	{"runs.silent", []string{stop, textDelta}, []string{stop, goOn, textDelta}},
	{"runs.known-checkpoint", []string{textDelta, goOn}, []string{stop, goOn}},
	{"runs.from-step", []string{point, strings.Replace(goOn, "Count=1", "Count=2", 1)}, []string{point, goOn}},
	{"runs.new-run", []string{stop, strings.Replace(goOn, "r2", "r1", 1)}, []string{stop, goOn}},
	{"runs.new-run", []string{`a run_paused runId="r1" reason="waits"`, strings.NewReplacer(`"r2"`, `"r1"`, `"k1"`, "null").Replace(goOn)}, []string{`a run_paused runId="r1" reason="waits"`, strings.Replace(goOn, `"k1"`, "null", 1)}},
	{"runs.resume-announced", []string{`a run_paused runId="r1" reason="waits"`, textDelta, textDelta},
		[]string{`a run_paused runId="r1" reason="waits"`, strings.Replace(goOn, `"k1"`, "null", 1), textDelta}},
	{"checkpoints.after-step", []string{strings.Replace(point, "Count=1", "Count=2", 1), textDelta}, []string{point, textDelta, textDelta + " step=2"}},
	{"checkpoints.unique", []string{point, strings.Replace(point, "Count=1", "Count=2", 1)}, []string{point, strings.Replace(point, `"k1" stepCount=1`, `"k2" stepCount=2`, 1)}},
	{"checkpoints.unique", []string{point, `a checkpoint_created runId="r1" checkpointId="k2" stepCount=2`, resyncAt("k1", 1, 1), `a checkpoint_created runId="r1" checkpointId="k1" stepCount=2`},
		[]string{point, `a checkpoint_created runId="r1" checkpointId="k2" stepCount=2`, "truncated truncatedAtStep=1 atSequence=2", resyncAt("k1", 1, 1), `a checkpoint_created runId="r1" checkpointId="k2" stepCount=2`}},
	{"checkpoints.unique", []string{point, `a checkpoint_created runId="r1" checkpointId="k2" stepCount=2`, "n" + resyncAt("k1", 1, 1)[1:], `n checkpoint_created runId="r2" checkpointId="k2" stepCount=2`},
		[]string{point, `a checkpoint_created runId="r1" checkpointId="k2" stepCount=2`, "n" + resyncAt("k1", 1, 1)[1:], `n checkpoint_created runId="r2" checkpointId="k3" stepCount=2`}},
	{"checkpoints.increasing", []string{point, strings.Replace(point, "k1", "k2", 1)}, []string{point, strings.Replace(point, `"k1" stepCount=1`, `"k2" stepCount=2`, 1)}},
	{"checkpoints.id-form", []string{strings.Replace(point, "k1", "cpv1-a-s2-t9-x", 1)}, []string{strings.Replace(point, "k1", "cpv1-a-s1-t9-x", 1)}},
	{"checkpoints.id-form", []string{strings.Replace(point, "k1", "cpv1-b-s1-t9-x", 1)}, []string{strings.Replace("a-b-s1-t2"+point[1:], "k1", "cpv1-a-b-s1-t2-s1-t9-x0", 1)}},
	{"checkpoints.id-form", []string{strings.Replace(point, "k1", "cpv1-a-1-t9-x", 1)}, []string{strings.Replace(point, "k1", "cpv1-a-s1-t9-x", 1)}},
	{"checkpoints.once", []string{`a step_committed runId="r" stepId="s" checkpointId="k"`, `a step_discarded runId="r" stepId="s" reason="x"`},
		[]string{`a step_committed runId="r" stepId="s" checkpointId="k"`, `a step_discarded runId="r" stepId="t" reason="x"`}},
	{"checkpoints.place", []string{textDelta, point, textDelta + " step=2", resyncAt("k1", 1, 3)}, []string{textDelta, point, textDelta + " step=2", resyncAt("k1", 1, 2)}},
	{"resync.from-sequence", []string{textDelta, resyncAt("k0", 0, 2)}, []string{textDelta, resyncAt("k0", 0, 1)}},
	{"resync.covers", []string{textDelta + " step=1", `a tool_start toolCallId="c1" toolName="find" arguments={} step=1`, point, resyncAt("k1", 1, 1)},
		[]string{textDelta + " step=1", `a tool_start toolCallId="c1" toolName="find" arguments={} step=1`, point, resyncAt("k1", 1, 2)}},
	{"resync.counts", []string{point, resyncAt("k1", 2, 1)}, []string{point, resyncAt("k1", 1, 1)}},
}

func TestBreaches(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range breaches {
		t.Run(c.id, func(t *testing.T) {
			found, occasions := produced(t, stream(1, c.bad...))
			if diff := cmp.Diff([]string{c.id}, requirementsOf(found)); diff != "" {
				t.Errorf("(-want +got)\n%s%+v\n%s", diff, found, stream(1, c.bad...))
			}
			for _, f := range found {
				if occasions[f.Requirement] == 0 || f.Message == "" || f.Frame < 0 || f.Line == 0 {
					t.Errorf("without an occasion, a message or a place: %+v", f)
				}
			}
			covered["helix."+c.id] = true
			found, occasions = produced(t, stream(1, c.good...))
			if len(found) > 0 {
				t.Errorf("next to it: got %+v\n%s", found, stream(1, c.good...))
			}
			if occasions["helix."+c.id] == 0 {
				t.Errorf("next to it there is no occasion: %v", occasions)
			}
			relayed := response{head: good, body: stream(1, c.bad...)}
			if found, occasions := relayed.judge(t, loadSchemas(t)); len(found) > 0 || occasions["helix."+c.id] > 0 {
				t.Errorf("relayed: got %+v, %v", found, occasions)
			}
		})
	}
	for _, id := range between(textWholeCharacters, bareEndMessage) {
		if !covered[id] {
			t.Errorf("nothing breaks %s", id)
		}
	}
}

// between lists the requirements from one up to another, which isn't among them.
func between(from, to string) []string {
	all := Requirements()
	return all[slices.Index(all, from):slices.Index(all, to)]
}
