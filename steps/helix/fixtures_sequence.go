package helix

import "github.com/streamcert/streamcert/steps"

// runSequences lists self-tests of sentences on the sequence of events in a run.
func runSequences() []steps.Fixture {
	stopped := setup(scripted(`[{"text":"Let me see. "}]
[{"text":"By rail? "},{"await":"stop"}]
[{"text":"By sea. "},{"custom":{"eventName":"x","data":1}}]`), "the run is settled", "the run is interrupted")
	resumed := with(stopped, `the run is resumed with the mode "continue"`, "the client attaches")
	saves := ran(`[{"set":{"key":"by","value":"rail"}}]
[{"set":{"key":"by","value":"sea"}}]`)
	asks := setup(scripted(`[{"text":"Where? "},{"await":"go"},{"tool":{"name":"locate","client":true}},{"await":"end"}]`),
		"the client attaches", "the client receives everything so far", `barrier "go" is released`)
	const (
		paused = "the client is told that the run has paused its stream"
		active = "the client is told that the run has made its stream active"
	)
	return []steps.Fixture{
		{Then: `the client receives no chunk with {"type":"checkpoint_created"} before one with {"type":"state_patch"}`,
			Setup: saves, Mutant: "checkpoint-before-patch", Message: `want no chunk with {"type":"checkpoint_created"} before`},
		{Then: `the client receives no chunk with {"type":"error"} before one with {"type":"step_committed"}`,
			Setup: saves, Mutant: "commit-untold", Message: `want a chunk with {"type":"step_committed"}`},
		{Then: "for the client the runs share one agentId",
			Setup: resumed, Mutant: "run-is-the-agent", Message: ", as before"},
		{Then: `for the client the text of the steps is ["Let me see. ","By rail? By sea. "]`,
			Setup: resumed, Mutant: "interrupted-step-counts", Message: `got ["Let me see. ","By rail? ","By sea. "]`},
		{Then: `for the client the text of the steps is ["Let me see. ","By rail? By sea. "]`,
			Setup: resumed, Mutant: "custom-without-step", Message: "want the number of its step"},
		{Then: "for the client 2 steps are committed, each with a checkpoint of its own",
			Setup: saves, Mutant: "second-commit-untold", Message: "want 2 step_committed, got 1"},
		{Then: "for the client 2 steps are committed, each with a checkpoint of its own",
			Setup: saves, Mutant: "commit-names-last-checkpoint", Message: "want the checkpoint that saved the step"},
		{Then: "for the client the stepId of each step_committed chunk never repeats",
			Setup: saves, Mutant: "commit-told-twice", Message: "want a stepId that never repeats"},
		{Then: "for the client the timestamp of every chunk is always an integer of milliseconds",
			Setup: saves, Mutant: "run-time-in-seconds", Message: "want a timestamp that is always an integer of milliseconds"},
		{Then: "for the client the timestamp of every chunk never decreases",
			Setup: saves, Mutant: "commits-by-another-clock", Message: "want a timestamp that never decreases"},
		{Then: "for the client the stepCount of each checkpoint_created chunk increases",
			Setup: ran(`[{"text":"a"}]
[{"text":"b"}]
[{"text":"c"}]`), Mutant: "checkpoint-counts-to-two", Message: "want a stepCount that increases"},
		{Then: paused, Setup: asks, Mutant: "waits-in-silence", Message: "a status frame that says paused", TimesOut: true},
		{Then: active, Setup: with(asks, paused+" first", `the result "Voss" of the waiting call is handed in`),
			Mutant: "stays-paused", Message: "a status frame that says active", TimesOut: true},
		{Then: "the stream of the run is paused", Setup: stopped,
			Mutant: "interrupted-stream-stays-active", Message: "want StreamInfo with the status paused", TimesOut: true},
		{Then: "for the client a run_resumed follows every pause",
			Setup: setup(scripted(`[{"tool":{"name":"locate","client":true}}]`), `the result "Voss" of the waiting call is handed in`,
				"the client attaches"),
			Mutant: "answer-goes-on-untold", Message: "want a run_resumed after each run_paused"},
		{Then: "the stream of the client has not finished",
			Setup: with(stopped, "the client attaches"), Mutant: "reaper-ends-interrupted", Message: "want no terminal frame, got an end frame"},
		{Then: "the snapshot holds as many messages as the last stream_resync says",
			Setup: setup(scripted(`[{"text":"Let me see. "}]
[{"await":"stop"}]`), "the run is settled", "the run is rolled back to checkpoint 1", requested),
			Mutant: "resync-without-messages", Message: "want 0, as stream_resync says, got 1"},
	}
}
