package run_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/run"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// ran checks a run of a script, after steer, by the chunks that a reader received.
func ran(script string, steer func(*run.Run), chunks ...string) error {
	scriptSteps, err := run.ParseScript([]byte(script))
	if err != nil {
		return err
	}
	r := run.New(model.OccasionCounts{}, scriptSteps)
	steer(r)
	return r.Check(log(chunks))
}

// log are chunks with sequences from 1 on; those without an agent are of the run's.
func log(chunks []string) []*stream.Produced {
	var all []*stream.Produced
	for i, c := range chunks {
		all = append(all, &stream.Produced{ID: int64(i + 1), Body: []byte(fmt.Sprintf(`{"agentId":"a",%s}`, c))})
	}
	return all
}

func nothing(*run.Run)       {}
func interrupted(r *run.Run) { r.Interrupt() }
func goneOn(r *run.Run)      { r.Interrupt(); r.Resume("later") }
func recovered(r *run.Run)   { r.Recover() }
func takenOver(r *run.Run)   { r.TakeOver() }
func ofAnother(r *run.Run)   { r.After(map[string]bool{"k": true}); r.Interrupt() }

// outOfTime is the script of a sub-agent whose time runs out in a step.
func outOfTime(scriptStep string) string {
	return `[[{"subagent":{"type":"h","script":[[` + scriptStep + `]],"timeoutMs":10}}]]`
}

func decided(yes bool) func(*run.Run) {
	return func(r *run.Run) { r.Answer(0, run.Answer{Approved: &yes}) }
}

const (
	ended         = `{"type":"end"}`
	emitted       = `"type":"text_delta","delta":"One.","step":1`
	called        = `"type":"tool_start","toolCallId":"c","toolName":"pay","arguments":{}`
	worked        = `"type":"tool_end","toolCallId":"c","toolName":"pay","success":true,"result":1`
	stopped       = `"type":"run_interrupted","checkpointId":"k"`
	again         = `"type":"run_resumed","mode":"later"`
	back          = `"type":"stream_resync","fromSequence":0,"reason":"crash_recovery"`
	taken         = `"type":"executor_superseded"`
	dropped       = `"type":"step_discarded"`
	checkpointed  = `"type":"checkpoint_created","checkpointId":"k","stepCount":1`
	committed     = `"type":"step_committed","checkpointId":"k"`
	waits         = `[[{"text":"One."},{"await":"b"}],[{"text":"Two."}]]`
	pays          = `[[{"tool":{"name":"pay","arguments":{},"approval":true,"result":1}},{"text":"Two."}]]`
	subAgent      = `"type":"subagent_start","subAgentType":"h","subSessionId":"k1"`
	subAgentFails = `"agentId":"k1","type":"error","recoverable":false`
	subAgentOver  = `"type":"subagent_end","subAgentType":"h","subSessionId":"k1"`
)

// paysTwice is the script of two calls side by side that need consent, with an argument each.
func paysTwice(one, other int) string {
	pay := `[{"tool":{"name":"pay","arguments":{"n":%d},"approval":true,"result":1}}]`
	return fmt.Sprintf(`[[{"parallel":[`+pay+","+pay+`]}]]`, one, other)
}

func asks(id string, n int) string {
	return fmt.Sprintf(`"type":"tool_start","toolCallId":%q,"toolName":"pay","arguments":{"n":%d}`, id, n)
}

func denies(id string) string {
	return fmt.Sprintf(`"type":"tool_end","toolCallId":%q,"toolName":"pay","success":false,"error":"Tool call was not approved by the user"`, id)
}

func tool(members string) string { return `[[{"tool":{"name":"pay",` + members + `}}]]` }

// badRuns are runs that the model rules out, by the requirement that does.
func badRuns() map[string][]error {
	return map[string][]error{
		"helix.text.concatenation":           {ran(waits, nothing, `"type":"text_delta","delta":"One"`), ran(waits, nothing, emitted, emitted)},
		"helix.subagents.paired":             {ran(waits, recovered, emitted, subAgent, `"type":"stream_resync","fromSequence":0,"reason":"crash_recovery"`, emitted, subAgentOver)},
		"helix.durable.runs":                 {ran(waits, takenOver, emitted, emitted), ran(waits, takenOver, emitted, `"type":"stream_resync","fromSequence":0,"reason":"rollback"`, emitted)},
		"helix.text.per-agent":               {ran(`[[{"subagent":{"type":"h","script":[[{"text":"x"}]]}}]]`, nothing, subAgent, subAgentOver)},
		"helix.thinking.content":             {ran(`[[{"thinking":"x "}]]`, nothing, `"type":"thinking","content":"x","isComplete":true`)},
		"helix.thinking.blocks":              {ran(`[[{"thinking":"x"},{"thinking":"y"}]]`, nothing, `"type":"thinking","content":"xy","isComplete":true`)},
		"helix.tools.reported":               {ran(tool(`"result":1`), nothing, `"type":"custom"`), ran(tool(`"result":1`), nothing, called), ran(tool(`"arguments":{"a":null},"result":1`), nothing, called, worked), ran(tool(`"result":1`), nothing, called, worked, called)},
		"helix.tools.arguments-parsed":       {ran(tool(`"arguments":"{\"a\":1}","result":1`), nothing, called, worked)},
		"helix.tools.arguments-coerced":      {ran(tool(`"arguments":[1],"result":1`), nothing, `"type":"tool_start","toolName":"pay","arguments":[1]`)},
		"helix.tools.result":                 {ran(tool(`"result":[]`), nothing, called, worked), ran(tool(`"error":"no "`), nothing, called, `"type":"tool_end","toolCallId":"c","success":false,"error":"no"`), ran(tool(`"waits":"b"`), nothing, called, worked)},
		"helix.approval.waits":               {ran(pays, nothing, called, worked), ran(paysTwice(1, 2), decided(false), asks("c", 1), asks("d", 2), denies("c"), denies("d")), ran(paysTwice(1, 1), decided(false), asks("c", 1), asks("d", 1), denies("c"), denies("d"))},
		"helix.approval.requested":           {ran(pays, nothing, called)},
		"helix.approval.fails-closed":        {ran(tool(`"approval":"broken"`), nothing, called)},
		"helix.approval.suspended":           {ran(pays, nothing, called, emitted)},
		"helix.approval.granted":             {ran(pays, decided(true), called, `"type":"tool_end","toolCallId":"c","success":true,"result":2`, `"type":"text_delta","delta":"Two."`), ran(pays, decided(true), called)},
		"helix.approval.denied":              {ran(pays, decided(false), called, worked, `"type":"text_delta","delta":"Two."`), ran(pays, decided(false), called)},
		"helix.custom.unchanged":             {ran(`[[{"custom":{"eventName":"e","data":"1"}}]]`, nothing, `"type":"custom","eventName":"e","data":1`)},
		"helix.custom.in-place":              {ran(`[[{"custom":{"eventName":"e","data":1}},{"text":"One."}]]`, nothing, emitted, `"type":"custom","eventName":"e","data":1`), ran(`[[{"custom":{"eventName":"e","data":1}},{"tool":{"name":"pay","result":1}}]]`, nothing, `"type":"x"`, called, worked, `"type":"custom","eventName":"e","data":1`)},
		"helix.errors.classified":            {ran(`[[{"error":{"message":"x","code":"provider_overloaded","retryable":true}}]]`, nothing, `"type":"error","recoverable":true`)},
		"helix.errors.unclassified":          {ran(`[[{"error":{"message":"x"}}]]`, nothing, `"type":"error","recoverable":false,"code":"provider_error"`)},
		"helix.errors.cancelled":             {ran(`[[{"error":{"message":"x","abort":true}}]]`, nothing, `"type":"error","recoverable":false`)},
		"helix.errors.stop-reason":           {ran(`[[{"stop":"refusal"}]]`, nothing, `"type":"error","recoverable":true`)},
		"helix.state.sum":                    {ran(`[[{"set":{"key":"k","value":[]}}]]`, nothing, `"type":"state_patch","patches":[{"op":"add","path":"/k","value":null}]`)},
		"helix.state.parallel-appends":       {ran(`[[{"parallel":[[{"append":{"key":"k","items":[1]}}],[{"append":{"key":"k","items":[2]}}]]}]]`, nothing, `"type":"state_patch","patches":[{"op":"add","path":"/k","value":[2]}]`)},
		"helix.state.after-resync":           {ran(`[[{"set":{"key":"k","value":1}}]]`, nothing, `"type":"stream_resync","fromSequence":0`)},
		"helix.output.unchanged":             {ran(`[[{"output":"7"}]]`, nothing, `"type":"output","output":7`), ran(`[[{"output":7}]]`, nothing, `"type":"x"`)},
		"helix.output.on-success":            {ran(`[[{"error":{"message":"x"}}]]`, nothing, `"type":"error","recoverable":false`, `"type":"output","output":7`)},
		"helix.subagents.reported":           {ran(`[[{"subagent":{"type":"h","script":[]}}]]`, nothing, subAgent), ran(waits, recovered, emitted, subAgent, back, emitted, subAgentFails)},
		"helix.subagents.ended":              {ran(outOfTime(`{"subagent":{"type":"g","script":[[{"await":"b"}]]}}`), nothing, subAgent, `"agentId":"k1","type":"subagent_start","subAgentType":"g","subSessionId":"k2"`, subAgentOver)},
		"helix.tools.ended":                  {ran(outOfTime(`{"tool":{"name":"pay","waits":"b"}}`), nothing, subAgent, `"agentId":"k1",`+called, subAgentOver)},
		"helix.subagents.within":             {ran(`[[{"subagent":{"type":"h","script":[],"timeoutMs":10}}]]`, nothing, subAgent, subAgentOver, `"agentId":"k1","type":"text_delta","delta":"late"`)},
		"helix.subagents.result":             {ran(`[[{"subagent":{"type":"h","script":[[{"output":1}]]}}]]`, nothing, subAgent, `"agentId":"k1","type":"output","output":1`, subAgentOver+`,"result":2`)},
		"helix.runs.interrupted":             {ran(waits, interrupted, emitted, dropped)},
		"helix.runs.interrupt-checkpoint":    {ran(waits, interrupted, emitted, dropped, `"type":"run_interrupted","checkpointId":null`), ran(waits, ofAnother, emitted, dropped, stopped)},
		"helix.runs.resumed":                 {ran(waits, goneOn, emitted, dropped, stopped)},
		"helix.runs.mode":                    {ran(waits, goneOn, emitted, dropped, stopped, `"type":"run_resumed","mode":"continue"`)},
		"helix.runs.same-session":            {ran(waits, goneOn, emitted, dropped, stopped, `"agentId":"b",`+again)},
		"helix.checkpoints.discarded":        {ran(`[[{"set":{"key":"k","value":1}},{"await":"b"}]]`, interrupted, stopped)},
		"helix.checkpoints.committed":        {ran(`[[{"set":{"key":"k","value":1}}]]`, nothing, `"type":"state_patch","patches":[{"op":"add","path":"/k","value":1}]`, checkpointed)},
		"helix.checkpoints.unique":           {ran(waits, nothing, emitted, checkpointed, checkpointed), ran(waits, func(r *run.Run) { r.After(map[string]bool{"k": true}) }, emitted, checkpointed)},
		"helix.checkpoints.after-step":       {ran(`[[{"text":"One."}]]`, nothing, checkpointed, emitted, committed), ran(`[[{"output":1}]]`, nothing, checkpointed, committed, `"type":"output","output":1`)},
		"helix.resync.written":               {ran(waits, recovered, emitted)},
		"helix.snapshot.exact":               {pictured(`{"state":{"k":2},"streamSequence":3}`, true), showing(oneText + "," + oneCall("yes")), showing(oneCall("no") + "," + oneText), showing(oneText + "," + strings.Replace(oneCall("no"), "pay", "play", 1))},
		"helix.snapshot.complete":            {pictured(`{"state":{"j":2},"streamSequence":1}`, false)},
		"helix.snapshot.text":                {takenBack(`{"state":{},"streamSequence":1,"messages":[{"parts":[{"type":"text","text":"One."}]}]}`), stoppedTwice(`{"state":{},"streamSequence":3,"messages":[{"parts":[{"type":"text","text":"One.One."}]}]}`), pictured(`{"state":{"k":1},"streamSequence":3,"messages":[{"role":"assistant","parts":[{"type":"text","text":"One. One."}]}]}`, true)},
		"helix.snapshot.sequence":            {pictured(`{"state":{"k":1},"streamSequence":2}`, true)},
		"helix.snapshot.no-partial":          {pictured(`{"state":{"k":1},"streamSequence":3,"messages":[{"id":"1","parts":[{"type":"text","text":"One."}]},{"id":"2-partial"}]}`, false)},
		"helix.snapshot.partial":             {pictured(`{"state":{"k":1},"streamSequence":3,"messages":[{"id":"1-partial","parts":[{"type":"text","text":"One."}]}]}`, true)},
		"helix.snapshot.boundary":            {pictured(`{"state":{},"streamSequence":0}`, false)},
		"helix.errors.step":                  {ran(`[[{"text":"One."},{"error":{"message":"x","code":"tool_timeout","retryable":true}}]]`, nothing, emitted, `"type":"error","code":"tool_timeout","recoverable":true,"step":2`)},
		"helix.errors.fail-code":             {over(`[[{"error":{"message":"x","code":"tool_timeout"}}]]`, `{"type":"fail","code":"provider_error"}`)},
		"helix.output.schema":                {ranFor(`{"type":"object"}`, `[[{"output":7}]]`, `"type":"error","recoverable":false`, `"type":"output","output":7`)},
		"helix.runs.superseded":              {ran(waits, (*run.Run).Supersede, emitted)},
		"helix.runs.superseded-silent":       {ran(waits, (*run.Run).Supersede, taken, back, emitted, emitted)},
		"helix.runs.superseded-graceful":     {ran(waits, (*run.Run).Supersede, taken, back, emitted, `"type":"error","recoverable":false`)},
		"helix.output.ends":                  {over(`[[{"output":1}]]`, `{"type":"fail"}`)},
		"helix.output.final-output":          {over(`[[{"output":1}]]`, `{"type":"end","finalOutput":2}`), over(`[[{"text":"One."}]]`, `{"type":"end","finalOutput":{"a":1}}`)},
		"helix.tools.failure-goes-on":        {over(`[[{"tool":{"name":"pay","error":"no"}},{"await":"b"}]]`, ended)},
		"helix.subagents.child-terminal":     {over(`[[{"subagent":{"type":"h","script":[]}},{"await":"b"}]]`, ended)},
		"helix.errors.goes-on":               {over(`[[{"stop":"max_tokens"},{"await":"b"}]]`, ended)},
		"helix.truncation.removed-on-resume": {observed(true, []string{emitted, emitted}, []string{emitted}, []string{emitted, emitted})},
		"helix.lifecycle.late-reader":        {observed(false, []string{emitted, checkpointed}, []string{emitted})},
		"helix.chunks.strings-exact":         {observed(false, []string{emitted}, []string{`"type":"text_delta","delta":"one.","step":1`})},
	}
}

// ranFor is ran for a run whose output has a schema.
func ranFor(schema, script string, chunks ...string) error {
	return steeredFor(schema, script, nothing, chunks...)
}

func steeredFor(schema, script string, steer func(*run.Run), chunks ...string) error {
	scriptSteps, err := run.ParseScript([]byte(script))
	if err != nil {
		return err
	}
	r := run.New(model.OccasionCounts{}, scriptSteps)
	if err := r.Begin("", schema); err != nil {
		return err
	}
	steer(r)
	return r.Check(log(chunks))
}

// pictured judges a snapshot of a run that has emitted "One." and set k.
func pictured(snapshot string, partial bool) error {
	scriptSteps, err := run.ParseScript([]byte(`[[{"text":"One."},{"set":{"key":"k","value":1}}]]`))
	if err != nil {
		return err
	}
	all := log([]string{emitted, `"type":"state_patch","patches":[{"op":"add","path":"/k","value":1}]`, checkpointed})
	return run.New(model.OccasionCounts{}, scriptSteps).Snapshot([]byte(snapshot), all, partial, "")
}

// TestAChildThatFailsAtItsEndMaySave: a failure at the end of a script may fail its last step or not.
func TestAChildThatFailsAtItsEndMaySave(t *testing.T) {
	const script = `[[{"subagent":{"type":"h","error":"no","script":[[{"set":{"key":"k","value":1}}],[{"set":{"key":"k","value":2}}]]}}]]`
	patch := func(value string) string {
		return `"agentId":"k1","type":"state_patch","patches":[{"op":"add","path":"/k","value":` + value + `}]`
	}
	over := subAgentOver + `,"result":null,"error":"no"`
	if err := ran(script, nothing, subAgent, patch("1"), over); err != nil {
		t.Errorf("its last step is dropped: %v", err)
	}
	if err := ran(script, nothing, subAgent, patch("1"), patch("2"), over); err != nil {
		t.Errorf("its last step is saved: %v", err)
	}
	if err := ran(script, nothing, subAgent, patch("3"), over); err == nil {
		t.Error("another value: no breach")
	}
}

// TestSnapshotBehindAResync: the chunk that announced a checkpoint may come after its position, and is voided by a return
// to it. The content up to the checkpoint is complete nevertheless.
func TestSnapshotBehindAResync(t *testing.T) {
	scriptSteps, err := run.ParseScript([]byte(waits))
	if err != nil {
		t.Fatal(err)
	}
	all := log([]string{emitted, checkpointed, `"type":"stream_resync","checkpointId":"k","stepCount":1,"fromSequence":1,"reason":"rollback"`, again, dropped + `,"step":2`})
	page := `{"state":{},"streamSequence":3,"messages":[{"id":"1","parts":[{"type":"text","text":"One."}]}]}`
	if err := run.New(model.OccasionCounts{}, scriptSteps).Snapshot([]byte(page), all, false, ""); err != nil {
		t.Error(err)
	}
}

// showing judges a snapshot of a run that has emitted "One." and whose call has failed with "no", by the parts of its
// message.
func showing(parts string) error {
	scriptSteps, err := run.ParseScript([]byte(`[[{"text":"One."},{"tool":{"name":"pay","arguments":{},"error":"no"}}]]`))
	if err != nil {
		return err
	}
	all := log([]string{emitted, called, `"type":"tool_end","toolCallId":"c","toolName":"pay","success":false,"error":"no"`, checkpointed})
	return run.New(model.OccasionCounts{}, scriptSteps).Snapshot([]byte(`{"state":{},"streamSequence":4,"messages":[{"id":"1","parts":[`+parts+`]}]}`), all, true, "")
}

const oneText = `{"type":"text","text":"One."}`

func oneCall(failed string) string {
	return `{"type":"tool","toolCallId":"c","toolName":"pay","state":"error","error":"` + failed + `"}`
}

// takenBack judges a snapshot of a run whose open step an interruption dropped.
func takenBack(snapshot string) error { return seen(snapshot, interrupted, emitted, dropped, stopped) }

// stoppedTwice judges a snapshot of a run whose open step two interruptions dropped without an announcement.
func stoppedTwice(snapshot string) error {
	return seen(snapshot, func(r *run.Run) { r.Interrupt(); r.Retry(); r.Interrupt() }, emitted, stopped, again, emitted, stopped)
}

// seen judges a snapshot without partial content of a run that waits, after steer.
func seen(snapshot string, steer func(*run.Run), chunks ...string) error {
	scriptSteps, err := run.ParseScript([]byte(waits))
	if err != nil {
		return err
	}
	r := run.New(model.OccasionCounts{}, scriptSteps)
	steer(r)
	all := log(chunks)
	if err := r.Check(all); err != nil {
		return err
	}
	return r.Snapshot([]byte(snapshot), all, false, "")
}

// over judges a terminal frame.
func over(script, frame string) error {
	scriptSteps, err := run.ParseScript([]byte(script))
	if err != nil {
		return err
	}
	return run.New(model.OccasionCounts{}, scriptSteps).Finished(&stream.Frame{Data: []byte(frame)})
}

// observed is a stream of a run that was read from the beginning, one time after the other.
func observed(removes bool, reads ...[]string) error {
	s := stream.New(model.OccasionCounts{}, stream.FamilyOf("f"), "1")
	s.Produce()
	for _, read := range reads {
		if err := s.Observe(log(read), removes); err != nil {
			return err
		}
	}
	return nil
}

func TestBadRunsAreRuledOut(t *testing.T) {
	for id, worlds := range badRuns() {
		for i, err := range worlds {
			var b *model.Violation
			if !errors.As(err, &b) || b.Requirement != id {
				t.Errorf("%s, world %d: got %v", id, i, err)
				if b != nil {
					t.Errorf("  of %s", b.Requirement)
				}
			}
		}
	}
}

// TestRightRunsAreAllowed: where the spec leaves something free, each way is right.
func TestRightRunsAreAllowed(t *testing.T) {
	for name, err := range map[string]error{
		"an error of one branch that has the code of a stop of another": ran(`[[{"parallel":[[{"stop":"max_tokens"}],[{"error":{"message":"x","code":"tool_timeout","retryable":true}}]]}]]`, nothing, `"type":"error","code":"tool_timeout","recoverable":true`, `"type":"error","code":"provider_error","recoverable":true`),
		"a call of the server's own":                                    ran(`[[{"output":1}]]`, nothing, `"type":"tool_start","toolName":"__finish__"`, `"type":"output","output":1`),
		"a dropped step that nobody is told":                            ran(waits, goneOn, emitted, stopped, again, `"type":"text_delta","delta":"Two.","step":1`),
		"a dropped step":                                                ran(waits, goneOn, emitted, dropped, stopped, again, `"type":"text_delta","delta":"Two.","step":1`),
		"the text of an output that fits":                               ranFor(`{"type":"object"}`, `[[{"output":"{}"}]]`, `"type":"output","output":{}`),
		"the text of an output that fits, after an answer":              steeredFor(`{"type":"object"}`, `[[{"tool":{"name":"pay","arguments":{},"approval":true,"result":1}},{"text":"One."},{"output":"{}"}]]`, decided(true), called, worked, emitted, `"type":"output","output":{}`),
		"an output that breaks its schema":                              ranFor(`{"type":"object"}`, `[[{"output":7}]]`, `"type":"error","recoverable":false`),
		"another executor":                                              ran(waits, (*run.Run).Supersede, emitted, taken, back, emitted),
		"an open step that is tried again, of which nobody is told":     ran(waits, func(r *run.Run) { r.Interrupt(); r.Retry() }, emitted, stopped, again, emitted),
		"a sub-agent whose failure is told by who recovers it":          ran(waits, recovered, emitted, subAgent, back, subAgentFails, subAgentOver, emitted),
		"a failure in a branch of a step that is taken back":            ran(`[[{"text":"One."},{"parallel":[[{"error":{"message":"x"}}]]}]]`, (*run.Run).Supersede, emitted, taken, back, emitted, dropped, `"type":"error","recoverable":false`),
		"a sub-agent that is closed by who recovers it":                 ran(waits, recovered, emitted, subAgent, `"type":"stream_resync","fromSequence":0,"reason":"crash_recovery"`, subAgentOver, emitted),
		"a takeover":                       ran(waits, takenOver, emitted, `"type":"stream_resync","fromSequence":0,"reason":"crash_recovery"`, emitted),
		"a recovery":                       ran(waits, recovered, emitted, `"type":"stream_resync","fromSequence":0,"reason":"crash_recovery"`, emitted),
		"a call that begins when decided":  ran(pays, nothing, `"type":"tool_approval_request","toolCallId":"c","toolName":"pay"`),
		"of two calls that one is decided": ran(paysTwice(1, 2), decided(false), asks("c", 1), asks("d", 2), denies("c")),
		"of two equal calls that one is":   ran(paysTwice(1, 1), decided(false), asks("c", 1), asks("d", 1), denies("c")),
		"a result that says denied":        ran(pays, decided(false), called, `"type":"tool_end","toolCallId":"c","success":true,"result":{"why":"Tool call was not approved by the user"}`, `"type":"text_delta","delta":"Two."`),
		"items in any order":               ran(`[[{"parallel":[[{"append":{"key":"k","items":[1]}}],[{"append":{"key":"k","items":[2]}}]]}]]`, nothing, `"type":"state_patch","patches":[{"op":"add","path":"/k","value":[2,1]}]`, committed),
		"a cut in what was dropped since":  takenBack(`{"state":{},"streamSequence":1,"messages":[]}`),
		"a cut between two dropped steps":  stoppedTwice(`{"state":{},"streamSequence":3,"messages":[]}`),
		"a call behind a text":             showing(oneText + "," + oneCall("no")),
		"a cut behind what was dropped":    takenBack(`{"state":{},"streamSequence":3,"messages":[]}`),
		"increments":                       ran(`[[{"thinking":"xy"}]]`, nothing, `"type":"thinking","content":"x","isComplete":false`, `"type":"thinking","content":"y","isComplete":false`, `"type":"thinking","content":"","isComplete":true`),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckpointsBehindAResync: a stream_resync may name a checkpoint that a later call took back with its step. Those
// before it can be resumed from nevertheless.
func TestCheckpointsBehindAResync(t *testing.T) {
	scriptSteps, err := run.ParseScript([]byte(`[[{"text":"One."}],[{"await":"b"}]]`))
	if err != nil {
		t.Fatal(err)
	}
	r := run.New(model.OccasionCounts{}, scriptSteps)
	chunks := []string{emitted, checkpointed, committed}
	if err := r.Check(log(chunks)); err != nil {
		t.Fatal(err)
	}
	r.Interrupt()
	chunks = append(chunks, `"type":"stream_resync","checkpointId":"gone","fromSequence":3,"reason":"rollback"`, stopped)
	if err := r.Check(log(chunks)); err != nil {
		t.Error(err)
	}
}
