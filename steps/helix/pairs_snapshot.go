package helix

import (
	"slices"

	"github.com/streamcert/streamcert/steps"
)

// snapshots lists self-tests of sentences on snapshots. Writers write their streams, so that they need no run.
func snapshots() []steps.Pair {
	list := setup("a new stream", `the writer patches the state with [{"op":"add","path":"/list","value":[]}]`)
	return slices.Concat(snapshotStates(list), snapshotMembers(list), snapshotMessages(), snapshotBoundaryPairs())
}

const (
	requested = "a snapshot of the stream is asked for"
	partly    = "a snapshot of the stream with partial content is asked for"
)

func snapshotStates(list []string) []steps.Pair {
	x := `the writer patches the state with [{"op":"add","path":"/list/-","value":"x"}]`
	return []steps.Pair{
		{Then: `the snapshot holds the state {"list":["x"]}`,
			Scene: with(list, x, requested), Other: with(list, requested), Says: `got {"list":[]}`},
		{Then: `the snapshot holds the state {"list":["x"]}`,
			Scene: with(list, x, requested), Mutant: "state-before-sequence", Says: `got {"list":[]}`},
		{Then: "every snapshot and what follows it add up to the whole state",
			Scene: with(list, x, requested), Mutant: "state-before-sequence", Says: `want {"list":["x"]}, got {"list":[]}`},
		{Then: "every snapshot and what follows it add up to the whole state",
			Scene: with(list, x, requested), Mutant: "sequence-before-state", Says: `got {"list":["x","x"]}`},
		{Then: "every snapshot and what follows it add up to the whole state",
			Scene: with(list, requested, x, requested, "the stream has ended"), Mutant: "snapshot-loses-between", Says: `got {"list":[]}`},
		{Then: "every snapshot and what follows it add up to the whole state",
			Scene:  with(list, "snapshots are asked for while 3 writers append 12 values each to the list"),
			Mutant: "snapshot-append-overwrites", Says: `want {"list":[`},
		{Then: "every snapshot holds what had reached the client",
			Scene:  with(list, "an attached client", "a snapshot with partial content is asked for whenever one of 3 values that are appended to the list has reached the client"),
			Mutant: "snapshot-cached-for-second", Says: `want ["v1","v2"], got ["v1"]`},
	}
}

func snapshotMembers(list []string) []steps.Pair {
	three := setup("a stream that holds events 1 to 3", requested)
	return []steps.Pair{
		{Then: "the snapshot has its members", Of: "helix.snapshot.document",
			Scene: three, Mutant: "snapshot-null-messages", Says: "/messages"},
		{Then: "the sequence of the snapshot is that of event 3",
			Scene: setup("a stream that holds events 1 to 3", partly), Mutant: "sequence-before-state", Says: "want 3, got 2"},
		{Then: "the sequence of the snapshot is 0",
			Scene: setup("a new stream", partly), Other: setup("a stream that holds event 1", partly), Says: "want 0, got 1"},
		{Then: "the sequence of every snapshot was the latest while it was taken",
			Scene:  with(list, "snapshots with partial content are asked for while 1 writers append 12 values each to the list", "the stream has ended"),
			Mutant: "snapshot-sequence-frozen", Says: "want between"},
		{Then: `the snapshot says the status "paused"`,
			Scene:  setup("a stream that holds event 1", "the stream is made paused", requested),
			Mutant: "snapshot-hides-pause", Says: `got "active"`},
		{Then: "the snapshot says when it was taken",
			Scene: three, Mutant: "snapshot-time-of-zone", Says: "want about"},
		{Then: "the answer is 404",
			Scene:  setup("a snapshot of a stream that never was is asked for"),
			Mutant: "snapshot-invents-stream", Says: "want 404, got 200"},
	}
}

func snapshotMessages() []steps.Pair {
	emitted := twoSteps()
	partly := with(emitted, partly)
	return []steps.Pair{
		{Then: `the complete messages of the snapshot say "First. "`,
			Scene: with(emitted, requested), Mutant: "last-step-left-out", Says: `want "First. "`},
		{Then: `no message of the snapshot says "see"`,
			Scene: with(emitted, requested), Mutant: "partial-by-default", Says: "none that is partial"},
		{Then: `no message of the snapshot says "see"`,
			Scene: with(partly, requested), Mutant: "partial-stays-on", Says: "none that is partial"},
		{Then: `a partial message of the snapshot contains "Let me see." where that is its default form`,
			Scene: with(emitted, requested+" in its default form"), Mutant: "partial-by-default", Says: "none that is partial"},
		{Then: `the last message of the snapshot is partial and says "Let me see."`,
			Scene: partly, Mutant: "partial-first", Says: "ends in -partial"},
		{Then: `the last message of the snapshot is partial and says "Let me see."`,
			Scene: partly, Mutant: "message-keeps-one-word", Says: `want "Let me see."`},
		{Then: `the last message of the snapshot has a part with {"type":"text","text":"Let me see."}`,
			Scene: partly, Mutant: "partial-text-lags", Says: "want one with"},
		{Then: `the text of the snapshot and of what follows it is "First. Let me see."`,
			Scene: with(emitted, requested), Mutant: "open-step-in-neither", Says: `got First. `},
		{Then: `the text of the snapshot and of what follows it is "First. Let me see."`,
			Scene: partly, Mutant: "partial-text-twice", Says: `got First. Let me see.Let me see.`},
	}
}

// twoSteps returns a setup that writes a complete step and an open one.
func twoSteps() []string {
	return setup("a new stream", `the writer writes a text_delta chunk with {"delta":"First. ","step":1}`,
		`the writer writes a checkpoint_created chunk with {"runId":"run-1","checkpointId":"checkpoint-1","stepCount":1,"step":1}`,
		`the writer writes a text_delta chunk with {"delta":"Let me see.","step":2}`)
}

func snapshotBoundaryPairs() []steps.Pair {
	emitted := twoSteps()
	patched := with(emitted, `the writer patches the state in step 2 with [{"op":"add","path":"/km","value":463}]`)
	discarded := with(emitted, `the writer writes a step_discarded chunk with {"runId":"run-1","stepId":"step-2","reason":"stopped","step":2}`, partly)
	const between = "the sequence of the snapshot lies between the last complete step and the open one"
	return []steps.Pair{
		{Then: "the snapshot holds what the chunks up to its sequence add up to",
			Scene: with(patched, requested), Mutant: "state-ahead-of-messages", Says: `want {}, got {"km":463}`},
		{Then: "the snapshot holds what the chunks up to its sequence add up to",
			Scene: with(emitted, requested), Mutant: "partial-above-sequence", Says: `want "First. "`},
		{Then: "the snapshot holds what the chunks up to its sequence add up to",
			Scene: discarded, Mutant: "discarded-step-shown", Says: `want "First. "`},
		{Then: between, Scene: with(emitted, requested), Mutant: "open-step-in-neither", Says: "want from 1, where the last complete step ends, to 2, got 3"},
		{Then: between, Scene: with(emitted, requested), Other: with(emitted, partly), Says: "got 3"},
		{Then: `the snapshot shows nothing of "see"`, Scene: discarded, Mutant: "interrupted-step-kept", Says: "Let me see."},
	}
}

// with returns a setup with further steps at its end.
func with(s []string, more ...string) []string { return append(slices.Clone(s), more...) }
