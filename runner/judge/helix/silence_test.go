package helix

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
)

// silent are streams of correct servers that differ from the reference, or streams with too little known to judge them.
var silent = map[string]response{
	"thinking in one chunk":         {body: stream(1, `a thinking content="all" isComplete=true`, textDelta, "end")},
	"two blocks":                    {body: stream(1, `a thinking content="a" isComplete=false`, `a thinking content="a" isComplete=true`, `a thinking content="b" isComplete=false`, `a thinking content="b" isComplete=true`, "end")},
	"thinking breaks off":           {body: stream(1, `a thinking content="a" isComplete=false`, `a error error="x" recoverable=true`, `a thinking content="b" isComplete=false`, `a thinking content="b" isComplete=true`, "end")},
	"tools end in another order":    {body: stream(1, begins("c1"), begins("c2"), back("c2"), textDelta, back("c1"), "end")},
	"an id of each agent":           {body: stream(1, begins("c1"), begin, "b"+begins("c1")[1:], "b"+back("c1")[1:], finish, back("c1"), "end")},
	"open at fail":                  {body: stream(1, begins("c1"), begin, `b thinking content="a" isComplete=false`, fatal, `fail error="boom"`)},
	"open at an interruption":       {body: stream(1, begins("c1"), begin, `a thinking content="a" isComplete=false`, stop, goOn, textDelta, "end")},
	"ends after an interruption":    {body: stream(1, begins("c1"), begin, stop, goOn, finish, back("c1"), "end")},
	"open before a resync":          {body: stream(1, begins("c1"), begin, `a thinking content="a" isComplete=false`, resyncAt("k0", 0, 0), begins("c1"), begin, finish, back("c1"), "end")},
	"ends after a resync":           {body: stream(1, begins("c1"), begin, resyncAt("k0", 0, 0), `b text_delta delta="x"`, finish, back("c1"), "end")},
	"everything before a resync":    {body: stream(1, textDelta+" step=5", `a output output=1 step=5`, resyncAt("k0", 0, 0), fatal, resyncAt("k0", 0, 0), textDelta, `a output output=2`, "end finalOutput=2")},
	"a branch":                      {body: stream(1, textDelta, point, "n"+resyncAt("k1", 1, 2)[1:], `n text_delta delta="x" agentType="planner"`, "n"+strings.Replace(point, `"k1" stepCount=1`, `"k2" stepCount=2`, 1)[1:], "end")},
	"open when it is superseded":    {body: stream(1, begins("c1"), `a executor_superseded step=`, resyncAt("k0", 0, 0), strings.Replace(goOn, "k1", "k0", 1), begins("c1"), back("c1"), "end")},
	"a child that failed":           {body: stream(1, begins("c1"), begin, "b"+begins("c7")[1:], "b"+fatal[1:], finish, back("c1", `success=false error="boom" result=`), textDelta, "end")},
	"a child that timed out":        {body: stream(1, begins("c1"), begin, "b"+begins("c7")[1:], "b"+strings.ReplaceAll(strings.Replace(begin, `"b"`, `"d"`, 1), "c1", "c9")[1:], finish, back("c1"), "end")},
	"a nested child":                {body: stream(1, begin, "b"+strings.ReplaceAll(strings.Replace(begin, `"b"`, `"d"`, 1), "c1", "c2")[1:], `d text_delta delta="x"`, "b"+strings.ReplaceAll(strings.Replace(finish, `"b"`, `"d"`, 1), "c1", "c2")[1:], finish, "end")},
	"a pause beside another call":   {body: stream(1, begins("c1"), begins("c2"), `a run_paused runId="r1" reason="x" pendingToolCallId="c1"`, back("c2"), begins("c3"), back("c3"), strings.Replace(goOn, `"k1"`, "null", 1), back("c1"), "end")},
	"a call that goes on":           {body: stream(1, begins("c1"), `a run_paused runId="r1" reason="x" pendingToolCallId="c1"`, strings.Replace(goOn, `"k1"`, "null", 1), back("c1"), "end")},
	"a request before its call":     {body: stream(1, `a tool_approval_request toolCallId="c1" toolName="pay" arguments={}`, begins("c1"), back("c1", `success=false error="no" result=`), "end")},
	"an output of each run":         {body: stream(1, `a output output=1 runId="r1"`, textDelta+` runId="r2"`, `a output output=2 runId="r2"`, "end finalOutput=2")},
	"a fatal error that was undone": {body: stream(1, fatal, strings.Replace(goOn, `"k1"`, "null", 1), textDelta, "end")},
	"other operations":              {body: stream(1, patches(`{"op":"replace","path":"/unknown/0/x","value":1}`), patches(`{"op":"remove","path":"/other/9"}`), "end")},
	"opaque ids":                    {body: stream(1, strings.Replace(point, "k1", "cp:1", 1), "end")},
	"a type from the future":        {body: stream(1, textDelta, `z memory_written agentType="planner"`, "end")},
	"no finalOutput":                {body: stream(1, `a output output=1`, "end")},
	"a first sequence of 7":         {body: stream(7, begins("c1"), back("c1"), "end")},
	"resumed":                       {head: after("6"), body: tail(7)},
	"removed before":                {head: removed(good), body: tail(7)},
	"a capture":                     {head: judge.Head{Removed: true}, body: tail(7)},
	"half a capture":                {head: judge.Head{}, body: tail(2)},
	"a gap":                         {head: judge.Head{Removed: true}, body: stream(1, begins("c0"), begin, `a thinking content="a" isComplete=false`) + tail(7)},
	"truncated":                     {body: stream(1, begins("c0"), begin, `a thinking content="a" isComplete=false`, "truncated truncatedAtStep=0 atSequence=6") + tail(7)},
	"truncated first":               {body: stream(1, "truncated truncatedAtStep=0 atSequence=6") + tail(7)},
	"cut":                           {body: stream(1, begins("c1"), begin, `a thinking content="a" isComplete=false`), end: record.ClientClose},
	"closed":                        {body: stream(1, begins("c1"), begin, `a thinking content="a" isComplete=false`)},
}

// tail refers to earlier chunks in every way.
func tail(first int) string {
	return stream(first, `b text_delta delta="x"`, back("c1"), finish, patches(`{"op":"remove","path":"/l/3"}`), goOn,
		`a tool_approval_request toolCallId="c5" toolName="pay" arguments={}`, `a thinking content="b" isComplete=true`, "end")
}

func TestSilence(t *testing.T) {
	for name, r := range silent {
		t.Run(name, func(t *testing.T) {
			if r.head.Status == 0 && !strings.Contains(name, "capture") && name != "a gap" {
				r.head = good
			}
			r.origin = record.Produced
			if found, _ := r.judge(t, loadSchemas(t)); len(found) > 0 {
				t.Errorf("got %+v\n%s", found, r.body)
			}
		})
	}
}

// A capture that shows the stream's first chunks without a gap is judged in full.
func TestACaptureFromTheStart(t *testing.T) {
	r := response{head: judge.Head{Removed: true}, origin: record.Produced, body: stream(1, textDelta, back("c1"))}
	found, _ := r.judge(t, loadSchemas(t))
	if diff := cmp.Diff([]string{"tools.start-first"}, requirementsOf(found)); diff != "" {
		t.Error(diff)
	}
}

func TestState(t *testing.T) {
	add := func(path, value string) string { return `{"op":"add","path":"` + path + `","value":` + value + `}` }
	remove := func(path string) string { return `{"op":"remove","path":"` + path + `"}` }
	at := func(id string, steps int) string {
		return strings.NewReplacer("k1", id, "stepCount=1", "stepCount="+string(rune('0'+steps))).Replace(point)
	}
	const count = `{"n":1,"l":[1],"o":{"a":{}}}`
	for name, c := range map[string]struct {
		state string
		lines []string
		want  string
	}{
		"unknown":                    {"", []string{patches(remove("/l/7"))}, ""},
		"known":                      {count, []string{patches(remove("/l/0")), patches(remove("/l/0"))}, "state.applicable"},
		"known member":               {count, []string{patches(remove("/n")), patches(remove("/n"))}, "state.applicable"},
		"no such member":             {count, []string{patches(add("/x/y", "1"))}, "state.applicable"},
		"into a number":              {count, []string{patches(add("/n/y", "1"))}, "state.applicable"},
		"end of a list":              {count, []string{patches(add("/l/1", "1")), patches(add("/l/-", "1"))}, ""},
		"behind a list":              {count, []string{patches(add("/l/2", "1"))}, "state.applicable"},
		"the last by a dash":         {count, []string{patches(remove("/l/-"))}, "state.applicable"},
		"leading zero":               {count, []string{patches(remove("/l/00"))}, "state.applicable"},
		"a child's":                  {count, []string{textDelta, begin, `b state_patch patches=[` + remove("/x") + `]`}, ""},
		"the root's":                 {count, []string{textDelta, patches(remove("/x"))}, "state.applicable"},
		"after a failure":            {count, []string{patches(remove("/x")), patches(remove("/y"))}, "state.applicable"},
		"back at a checkpoint":       {count, []string{patches(add("/x", "1")), point, patches(remove("/x")), resyncAt("k1", 1, 2), patches(remove("/x"))}, ""},
		"not back at a checkpoint":   {count, []string{patches(add("/x", "1")), point, patches(add("/y", "1")), resyncAt("k1", 1, 2), patches(remove("/y"))}, "state.applicable"},
		"changed below a checkpoint": {count, []string{patches(add("/x", `{"y":[]}`)), point, patches(add("/x/y/-", "1")), resyncAt("k1", 1, 2), patches(remove("/x/y/0"))}, "state.applicable"},
		"back at another sequence":   {count, []string{patches(add("/x", "1")), point, patches(add("/y", "1")), resyncAt("k1", 1, 3), patches(remove("/z"))}, ""},
		"back at the start":          {count, []string{patches(remove("/n")), resyncAt("k0", 0, 0), patches(remove("/n"))}, ""},
		"back at a later one":        {count, []string{point, patches(add("/x", "1")), at("k2", 2), resyncAt("k2", 2, 3), patches(remove("/x")), resyncAt("k2", 2, 3), patches(remove("/x"))}, ""},
		"of a branch":                {count, []string{patches(remove("/n")), point, "n" + resyncAt("k1", 1, 2)[1:], "n" + patches(remove("/n"))[1:]}, "state.applicable"},
	} {
		t.Run(name, func(t *testing.T) {
			m := New(judge.Options{Origin: record.Produced, Schemas: loadSchemas(t), State: json.RawMessage(c.state)})
			if c.state == "" {
				m = New(judge.Options{Origin: record.Produced, Schemas: loadSchemas(t)})
			}
			found := append(m.Head(good), framesOf(t, m, stream(1, c.lines...))...)
			want := strings.Fields(c.want)
			if diff := cmp.Diff(want, requirementsOf(found)); diff != "" && len(want)+len(found) > 0 {
				t.Errorf("(-want +got)\n%s%+v\n%s", diff, found, stream(1, c.lines...))
			}
		})
	}
}
