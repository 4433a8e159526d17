package helix

import (
	"slices"

	"github.com/streamcert/streamcert/steps"
)

// snapshots lists self-tests of sentences on snapshots. Writers write their streams, so that they need no run.
func snapshots() []steps.Fixture {
	list := setup("a new stream", `the writer patches the state with [{"op":"add","path":"/list","value":[]}]`)
	return slices.Concat(snapshotStates(list), snapshotMembers(list), snapshotMessages(), snapshotBoundaryFixtures())
}

const (
	requested = "a snapshot of the stream is asked for"
	partly    = "a snapshot of the stream with partial content is asked for"
)

func snapshotStates(list []string) []steps.Fixture {
	x := `the writer patches the state with [{"op":"add","path":"/list/-","value":"x"}]`
	return []steps.Fixture{
		{Then: `the snapshot holds the state {"list":["x"]}`,
			Setup: with(list, x, requested), Other: with(list, requested), Message: `got {"list":[]}`},
		{Then: `the snapshot holds the state {"list":["x"]}`,
			Setup: with(list, x, requested), Mutant: "state-before-sequence", Message: `got {"list":[]}`},
		{Then: "every snapshot and what follows it add up to the whole state",
			Setup: with(list, x, requested), Mutant: "state-before-sequence", Message: `want {"list":["x"]}, got {"list":[]}`},
		{Then: "every snapshot and what follows it add up to the whole state",
			Setup: with(list, x, requested), Mutant: "sequence-before-state", Message: `got {"list":["x","x"]}`},
		{Then: "every snapshot and what follows it add up to the whole state",
			Setup: with(list, requested, x, requested, "the stream has ended"), Mutant: "snapshot-loses-between", Message: `got {"list":[]}`},
		{Then: "every snapshot and what follows it add up to the whole state",
			Setup:  with(list, "snapshots are asked for while 3 writers append 12 values each to the list"),
			Mutant: "snapshot-append-overwrites", Message: `want {"list":[`},
		{Then: "every snapshot holds what had reached the client",
			Setup:  with(list, "an attached client", "a snapshot with partial content is asked for whenever one of 3 values that are appended to the list has reached the client"),
			Mutant: "snapshot-cached-for-second", Message: `want ["v1","v2"], got ["v1"]`},
	}
}

func snapshotMembers(list []string) []steps.Fixture {
	three := setup("a stream that holds events 1 to 3", requested)
	return []steps.Fixture{
		{Then: "the snapshot has its members", Of: "helix.snapshot.document",
			Setup: three, Mutant: "snapshot-null-messages", Message: "/messages"},
		{Then: "the sequence of the snapshot is that of event 3",
			Setup: setup("a stream that holds events 1 to 3", partly), Mutant: "sequence-before-state", Message: "want 3, got 2"},
		{Then: "the sequence of the snapshot is 0",
			Setup: setup("a new stream", partly), Other: setup("a stream that holds event 1", partly), Message: "want 0, got 1"},
		{Then: "the sequence of every snapshot was the latest while it was taken",
			Setup:  with(list, "snapshots with partial content are asked for while 1 writers append 12 values each to the list", "the stream has ended"),
			Mutant: "snapshot-sequence-frozen", Message: "want between"},
		{Then: `the snapshot says the status "paused"`,
			Setup:  setup("a stream that holds event 1", "the stream is made paused", requested),
			Mutant: "snapshot-hides-pause", Message: `got "active"`},
		{Then: "the snapshot says when it was taken",
			Setup: three, Mutant: "snapshot-time-of-zone", Message: "want about"},
		{Then: "the answer is 404",
			Setup:  setup("a snapshot of a stream that never was is asked for"),
			Mutant: "snapshot-invents-stream", Message: "want 404, got 200"},
	}
}

func snapshotMessages() []steps.Fixture {
	emitted := twoSteps()
	partly := with(emitted, partly)
	return []steps.Fixture{
		{Then: `the complete messages of the snapshot say "First. "`,
			Setup: with(emitted, requested), Mutant: "last-step-left-out", Message: `want "First. "`},
		{Then: `no message of the snapshot says "see"`,
			Setup: with(emitted, requested), Mutant: "partial-by-default", Message: "none that is partial"},
		{Then: `no message of the snapshot says "see"`,
			Setup: with(partly, requested), Mutant: "partial-stays-on", Message: "none that is partial"},
		{Then: `a partial message of the snapshot contains "Let me see." where that is its default form`,
			Setup: with(emitted, requested+" in its default form"), Mutant: "partial-by-default", Message: "none that is partial"},
		{Then: `the last message of the snapshot is partial and says "Let me see."`,
			Setup: partly, Mutant: "partial-first", Message: "ends in -partial"},
		{Then: `the last message of the snapshot is partial and says "Let me see."`,
			Setup: partly, Mutant: "message-keeps-one-word", Message: `want "Let me see."`},
		{Then: `the last message of the snapshot has a part with {"type":"text","text":"Let me see."}`,
			Setup: partly, Mutant: "partial-text-lags", Message: "want one with"},
		{Then: `the text of the snapshot and of what follows it is "First. Let me see."`,
			Setup: with(emitted, requested), Mutant: "open-step-in-neither", Message: `got First. `},
	}
}

// twoSteps returns a setup that writes a complete step and an open one.
func twoSteps() []string {
	return setup("a new stream", `the writer writes a text_delta chunk with {"delta":"First. ","step":1}`,
		`the writer writes a checkpoint_created chunk with {"runId":"run-1","checkpointId":"checkpoint-1","stepCount":1,"step":1}`,
		`the writer writes a text_delta chunk with {"delta":"Let me see.","step":2}`)
}

func snapshotBoundaryFixtures() []steps.Fixture {
	emitted := twoSteps()
	patched := with(emitted, `the writer patches the state in step 2 with [{"op":"add","path":"/km","value":463}]`)
	discarded := with(emitted, `the writer writes a step_discarded chunk with {"runId":"run-1","stepId":"step-2","reason":"stopped","step":2}`, partly)
	const between = "the sequence of the snapshot lies between the last complete step and the open one"
	return []steps.Fixture{
		{Then: "the snapshot holds what the chunks up to its sequence add up to",
			Setup: with(patched, requested), Mutant: "state-ahead-of-messages", Message: `want {}, got {"km":463}`},
		{Then: "the snapshot holds what the chunks up to its sequence add up to",
			Setup: with(emitted, requested), Mutant: "partial-above-sequence", Message: `want "First. "`},
		{Then: "the snapshot holds what the chunks up to its sequence add up to",
			Setup: discarded, Mutant: "discarded-step-shown", Message: `want "First. "`},
		{Then: between, Setup: with(emitted, requested), Mutant: "open-step-in-neither", Message: "want from 1, where the last complete step ends, to 2, got 3"},
		{Then: between, Setup: with(emitted, requested), Other: with(emitted, partly), Message: "got 3"},
		{Then: `the snapshot shows nothing of "see"`, Setup: discarded, Mutant: "interrupted-step-kept", Message: "Let me see."},
	}
}

// with returns a setup with further steps at its end.
func with(s []string, more ...string) []string { return append(slices.Clone(s), more...) }
