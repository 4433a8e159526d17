package draw

import (
	"maps"

	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// subject describes the programs on streams of one scenario.
type subject struct {
	programs   int                  // played at standard effort
	operations int                  // drawn for a program, after its beginning
	streams    int                  // of a program
	readers    int                  // of a stream, at most
	chunks     int                  // the most of one write
	bytes      int                  // the most of a text
	weights    map[program.Kind]int // how often each kind of operation is drawn; a missing one has its usual weight
	varied     bool                 // every class of data is drawn
	names      bool                 // its streams have similar ids
	patched    bool                 // it begins with every kind of patch
	long       bool                 // it begins with many chunks
	races      bool                 // it begins with one race of each kind
	kills      bool                 // the server is killed, also during races
	far        int                  // a step at the end of a database column, near which a program writes and cleans up
}

// weights has the default weight of each kind of operation.
var weights = map[program.Kind]int{
	program.Write: 12, program.CloseWriter: 1, program.Cleanup: 3, program.Reset: 1, program.Pause: 2, program.Activate: 2, program.Attach: 4, program.Leave: 2, program.Resume: 5, program.Receive: 4, program.ReadOn: 1, program.AttachBriefly: 1, program.RejectBatch: 1,
	program.End: 1, program.Fail: 1, program.Info: 2, program.Snapshot: 1, program.Race: 0, program.InvalidCursors: 0, program.DisconnectAt: 0, program.Remove: 0, program.Kill: 0,
}

// subjects maps the words of the step that plays them to subjects.
var subjects = map[string]subject{
	"a stream": {programs: 20, operations: 30, streams: 1, readers: 4, chunks: 4, bytes: 60, patched: true},
	"a stream that begins again and again": {programs: 12, operations: 50, streams: 1, readers: 3, chunks: 4, bytes: 60, weights: map[program.Kind]int{
		program.Write: 12, program.Cleanup: 8, program.Reset: 5, program.End: 3, program.Fail: 3, program.Pause: 3, program.Activate: 4, program.Attach: 4, program.Resume: 4, program.Leave: 1, program.Receive: 3, program.Snapshot: 2,
	}},
	"a long stream": {programs: 2, operations: 12, streams: 1, readers: 3, chunks: 200, bytes: 40, long: true, weights: map[program.Kind]int{
		program.Write: 4, program.Resume: 8, program.Attach: 1, program.Info: 3, program.Snapshot: 1, program.Cleanup: 1, program.Reset: 0, program.End: 0, program.Fail: 0, program.ReadOn: 1, program.AttachBriefly: 0, program.Pause: 1, program.Activate: 2, program.Receive: 3,
	}},
	"a stream that holds data": {programs: 8, operations: 24, streams: 1, readers: 3, chunks: 14, bytes: 1 << 20, varied: true, weights: map[program.Kind]int{
		program.Write: 24, program.Reset: 0, program.End: 0, program.Fail: 0, program.Cleanup: 1, program.AttachBriefly: 0,
	}},
	"a stream that many read": {programs: 4, operations: 60, streams: 1, readers: program.MostReaders, chunks: 3, bytes: 60, weights: map[program.Kind]int{
		program.Write: 8, program.Attach: 20, program.Resume: 20, program.Leave: 3, program.Receive: 2, program.ReadOn: 3, program.AttachBriefly: 1, program.Cleanup: 4, program.Pause: 4, program.Activate: 4, program.Reset: 1, program.Info: 1, program.End: 0, program.Fail: 0,
	}},
	"unusual cursors, cuts and deletions": {programs: 5, operations: 30, streams: 1, readers: 3, chunks: 9, bytes: 60, weights: map[program.Kind]int{
		program.Write: 10, program.InvalidCursors: 20, program.DisconnectAt: 6, program.Remove: 3, program.Cleanup: 3, program.Reset: 1, program.End: 2, program.Fail: 1, program.AttachBriefly: 0, program.ReadOn: 0, program.CloseWriter: 0, program.Info: 1, program.Attach: 2, program.Resume: 2,
	}},
	"writers and readers that race": {programs: 3, operations: 2, streams: 1, readers: 2, chunks: 3, bytes: 60, races: true, weights: map[program.Kind]int{
		program.Race: 16, program.Write: 3, program.Attach: 1, program.Resume: 2, program.AttachBriefly: 0, program.CloseWriter: 0, program.Pause: 0, program.Activate: 0, program.End: 0, program.Fail: 0, program.Reset: 1, program.Snapshot: 0,
	}},
	"a stream whose server is killed": {programs: 8, operations: 7, streams: 1, readers: 3, chunks: 5, bytes: 60, kills: true, weights: map[program.Kind]int{
		program.Kill: 10, program.Race: 4, program.Write: 12, program.End: 2, program.Fail: 1, program.Reset: 3, program.AttachBriefly: 0, program.Snapshot: 2, program.ReadOn: 0,
	}},
	"streams with ids that are alike": {programs: len(program.AlikeIDs), operations: 5, streams: 4, readers: 3, chunks: 3, bytes: 60, names: true, weights: map[program.Kind]int{
		program.Write: 12, program.Info: 6, program.Cleanup: 5, program.Pause: 3, program.Snapshot: 2,
	}},
}

// columnSteps lists steps two before the largest number of a database column.
var columnSteps = []int{98, 126, 127, 254, 255, 998, 32766, 65534, 1<<31 - 2, 1<<32 - 2, 1<<53 - 3}

// runSubject describes the programs of runs of one scenario.
type runSubject struct {
	programs    int                  // played at standard effort
	operations  int                  // drawn for a program, besides those of its opening
	steps       int                  // the most that a script draws
	scriptSteps map[string]int       // how often each kind of script step is drawn; a missing one never is
	kinds       map[program.Kind]int // how often each kind of operation is drawn
	ends        []string             // how a script may end
	begins      bool                 // one of three streams begins with a state
	promises    int                  // how many of ten outputs get a schema
	crashing    bool                 // the server is killed during the runs
	long        bool                 // the first script has many steps
	opens       string               // the kind of its first script: pairs, fates, decisions, falsy or many
}

// crashingRuns is the subject of runs whose server is killed.
const crashingRuns = "a run whose server is killed"

// anyScriptSteps has the weights of script steps in any script.
var anyScriptSteps = map[string]int{"text": 8, "thinking": 2, "custom": 2, "tool": 3, "set": 2, "append": 2, "delete": 1, "await": 3, "stop": 1}

// runKinds has the weights of operations in any program of runs.
var runKinds = map[program.Kind]int{program.GoOn: 10, program.Attach: 2, program.Leave: 1, program.Resume: 2, program.Receive: 1, program.Snapshot: 1, program.SnapshotWithoutPartial: 1, program.Info: 1, program.MakeInvalidCalls: 1, program.Start: 1, program.WaitForLate: 1, program.Remove: 0}

func with[K comparable](base, more map[K]int) map[K]int {
	out := maps.Clone(base)
	maps.Copy(out, more)
	return out
}

var runSubjects = map[string]runSubject{
	"a run": {programs: 7, operations: 12, steps: 5, scriptSteps: anyScriptSteps, kinds: runKinds, ends: []string{"output", "output", "", "error", "stop", "abort"}, begins: true, promises: 3, long: true, opens: "many"},
	"a run with tools": {
		programs: 8, operations: 12, steps: 3, kinds: with(runKinds, map[program.Kind]int{program.Approve: 5, program.Deny: 3, program.HandIn: 5, program.Crash: 1, program.Retry: 1, program.Interrupt: 1, program.MakeInvalidCalls: 2}), ends: []string{"output", "", "", "fault"}, promises: 3, opens: "decisions",
		scriptSteps: map[string]int{"text": 3, "tool": 8, "parallel": 4, "approval": 3, "client": 3, "works": 3, "custom": 2, "error": 1, "append": 2, "set": 1, "await": 1},
	},
	"a run with sub-agents": {
		programs: 6, operations: 12, steps: 3, kinds: with(runKinds, map[program.Kind]int{program.Approve: 2, program.Deny: 1, program.Interrupt: 1, program.GoBack: 2, program.Crash: 1, program.Supersede: 1}), ends: []string{"output", ""}, promises: 3, opens: "fates",
		scriptSteps: map[string]int{
			"text": 4, "subagent": 8, "tool": 2, "thinking": 1, "parallel": 3, "set": 3, "append": 1, "delete": 2, "custom": 1, "await": 2, "approval": 3, "client": 1, "works": 1,
			"error": 1, "stop": 1,
		},
	},
	"runs one after another": {
		programs: 7, operations: 24, steps: 5, kinds: with(runKinds, map[program.Kind]int{program.Interrupt: 5, program.GoBack: 6, program.Reset: 6, program.Remove: 2, program.Start: 2, program.GoOn: 14}), ends: []string{"output", "output", "", "fault", "error", "abort", "stop"},
		scriptSteps: with(anyScriptSteps, map[string]int{"await": 5, "error": 1}), promises: 5, begins: true,
	},
	"a run that is stopped": {
		programs: 8, operations: 18, steps: 6, kinds: with(runKinds, map[program.Kind]int{program.Interrupt: 5, program.GoBack: 5, program.Crash: 4, program.Rollback: 3, program.Branch: 2, program.Retry: 3, program.Supersede: 3, program.Approve: 2, program.GoOn: 10, program.CrashAmid: 1, program.SupersedeAmid: 1}),
		ends: []string{"output", "output", "", "fault"}, promises: 6, opens: "falsy", scriptSteps: with(anyScriptSteps, map[string]int{"await": 8, "works": 2, "approval": 2, "error": 1, "parallel": 2, "subagent": 1}), begins: true,
	},
	crashingRuns: {
		programs: 6, operations: 9, steps: 5, kinds: with(runKinds, map[program.Kind]int{program.Kill: 4, program.KillAmid: 6, program.Approve: 2, program.GoOn: 8, program.WaitForLate: 0, program.Reset: 1}), ends: []string{"output", "output", "", "fault"}, begins: true, promises: 5,
		scriptSteps: with(anyScriptSteps, map[string]int{"await": 7, "subagent": 2, "approval": 1, "set": 4, "error": 1}), crashing: true,
	},
	"a run that is given data": {
		programs: 8, operations: 8, steps: 4, kinds: runKinds, ends: []string{"output"}, begins: true, promises: 3, opens: "pairs",
		scriptSteps: map[string]int{"text": 6, "thinking": 4, "custom": 5, "tool": 8, "set": 5, "append": 3, "delete": 2, "await": 1},
	},
}
