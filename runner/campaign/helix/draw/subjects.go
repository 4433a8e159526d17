package draw

import "github.com/streamcert/streamcert/runner/campaign/helix/program"

// subject describes the programs on streams of one scenario.
type subject struct {
	programs   int // played at standard effort
	operations int // drawn for a program, after its beginning
	streams    int
	readers    int
	chunks     int // the most of one write
	bytes      int // the most of a text
	weights    map[program.Kind]int
	varied     bool // every class of data is drawn
	names      bool // its streams have similar ids
	patched    bool // it begins with every kind of patch
	long       bool // it begins with many chunks
	races      bool // it begins with one race of each kind
	kills      bool // the server is killed, also during races
	far        int  // a step at the end of a database column, near which a program writes and cleans up
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
