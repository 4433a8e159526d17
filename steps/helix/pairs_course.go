package helix

import "github.com/streamcert/streamcert/steps"

// courses lists self-tests of sentences on the sequence of events in a run.
func courses() []steps.Pair {
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
	return []steps.Pair{
		{Then: `the client receives no chunk with {"type":"checkpoint_created"} before one with {"type":"state_patch"}`,
			Scene: saves, Mutant: "checkpoint-before-patch", Says: `want no chunk with {"type":"checkpoint_created"} before`},
		{Then: `the client receives no chunk with {"type":"error"} before one with {"type":"step_committed"}`,
			Scene: saves, Mutant: "commit-untold", Says: `want a chunk with {"type":"step_committed"}`},
		{Then: "for the client the runs share one agentId",
			Scene: resumed, Mutant: "run-is-the-agent", Says: ", as before"},
		{Then: `for the client the text of the steps is ["Let me see. ","By rail? By sea. "]`,
			Scene: resumed, Mutant: "interrupted-step-counts", Says: `got ["Let me see. ","By rail? ","By sea. "]`},
		{Then: `for the client the text of the steps is ["Let me see. ","By rail? By sea. "]`,
			Scene: resumed, Mutant: "custom-without-step", Says: "want the number of its step"},
		{Then: "for the client 2 steps are committed, each with a checkpoint of its own",
			Scene: saves, Mutant: "second-commit-untold", Says: "want 2 step_committed, got 1"},
		{Then: "for the client 2 steps are committed, each with a checkpoint of its own",
			Scene: saves, Mutant: "commit-names-last-checkpoint", Says: "want the checkpoint that saved the step"},
		{Then: "for the client the stepId of each step_committed chunk never repeats",
			Scene: saves, Mutant: "commit-told-twice", Says: "want a stepId that never repeats"},
		{Then: "for the client the timestamp of every chunk is always an integer of milliseconds",
			Scene: saves, Mutant: "run-time-in-seconds", Says: "want a timestamp that is always an integer of milliseconds"},
		{Then: "for the client the timestamp of every chunk never decreases",
			Scene: saves, Mutant: "commits-by-another-clock", Says: "want a timestamp that never decreases"},
		{Then: "for the client the stepCount of each checkpoint_created chunk increases",
			Scene: ran(`[{"text":"a"}]
[{"text":"b"}]
[{"text":"c"}]`), Mutant: "checkpoint-counts-to-two", Says: "want a stepCount that increases"},
		{Then: paused, Scene: asks, Mutant: "waits-in-silence", Says: "a status frame that says paused", Late: true},
		{Then: active, Scene: with(asks, paused+" first", `the result "Voss" of the waiting call is handed in`),
			Mutant: "stays-paused", Says: "a status frame that says active", Late: true},
		{Then: "the stream of the run is paused", Scene: stopped,
			Mutant: "interrupted-stream-stays-active", Says: "want StreamInfo with the status paused", Late: true},
		{Then: "for the client a run_resumed follows every pause",
			Scene: setup(scripted(`[{"tool":{"name":"locate","client":true}}]`), `the result "Voss" of the waiting call is handed in`,
				"the client attaches"),
			Mutant: "answer-goes-on-untold", Says: "want a run_resumed after each run_paused"},
		{Then: "the stream of the client has not finished",
			Scene: with(stopped, "the client attaches"), Mutant: "reaper-ends-interrupted", Says: "want no terminal frame, got an end frame"},
		{Then: "the snapshot holds as many messages as the last stream_resync says",
			Scene: setup(scripted(`[{"text":"Let me see. "}]
[{"await":"stop"}]`), "the run is settled", "the run is rolled back to checkpoint 1", requested),
			Mutant: "resync-without-messages", Says: "want 0, as stream_resync says, got 1"},
	}
}
