package draw

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// crashing returns a beginning in which the server is killed: in races, with another concurrent call in each program,
// and then several times after changes that a server may forget.
func (s subject) crashing(r *rand.Rand, number int) []program.Operation {
	out := []program.Operation{{Kind: program.Attach, Who: 1}, {Kind: program.Write, Who: 1, Count: 4 + r.IntN(9), Each: 1 + r.IntN(3), Step: program.MixedSteps, Class: program.ASCIIText, Size: 9},
		{Kind: program.Write, Who: 2, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 9}, {Kind: program.CloseWriter, Who: 2}}
	if number%3 == 0 { // before any write, but after the initial state
		out = append([]program.Operation{{Kind: program.Kill}}, append(out, program.Operation{Kind: program.Snapshot})...)
	}
	amid := [...]program.Kind{"", program.Cleanup, program.Reset, program.End}[number%4]
	for range 2 {
		o := s.draw(r, program.Race, 1)
		if o.Amid = amid; o.Amid == program.Cleanup {
			o.Step = r.IntN(2)
		}
		if amid != "" { // the kill comes while the first writer writes
			o.Killed = max(1, o.Killed/2+o.Who*o.Count/o.Each/3-1+r.IntN(3))
		}
		if amid == "" {
			o.Each, o.Killed = 2, min(o.Killed, o.Who*o.Count/2)
		}
		out = append(out, o)
	}
	blocks := [][]program.Kind{ // some blocks write nothing between two kills
		{program.End, program.Kill, program.Attach, program.Reset, program.Kill}, {program.Pause, program.Kill, program.Info, program.Activate}, {program.Cleanup, program.Kill, program.Resume}, {program.Fail, program.Kill, program.Snapshot, program.Attach, program.Reset}, {program.Pause, program.Cleanup, program.Kill, program.Activate, program.Kill}, {program.Leave, program.Kill, program.Resume},
		{program.End, program.Reset, program.Kill, program.Kill, program.Resume}, {program.Cleanup, program.Kill, program.Kill, program.Resume}, {program.CloseWriter, program.Kill}, {program.Pause, program.End, program.Kill, program.Attach, program.Reset}, {program.Pause, program.Write, program.Kill, program.Activate},
	}
	for i := range 2 {
		block := blocks[(2*number+i+r.IntN(2)*5)%len(blocks)]
		for range 2 + r.IntN(2) {
			out = append(out, s.draw(r, program.Attach, 2))
			for _, k := range append([]program.Kind{program.Write, program.Write}, block...) {
				o := s.draw(r, k, 2)
				switch k {
				case program.Write:
					o.Count, o.Each, o.Step, o.Class = 1+r.IntN(6), campaign.Pick(r, 1, 6), campaign.Pick(r, program.MixedSteps, program.MixedSteps, 3), program.MixedChunks
				case program.Cleanup:
					o.Step = r.IntN(2)
				}
				out = append(out, o)
				if k == program.Kill && r.IntN(2) == 0 {
					out = append(out, program.Operation{Kind: program.Info})
				}
			}
		}
	}
	return out
}

// death returns after how many answers of a race the server is killed, 0 for never.
func (s subject) death(r *rand.Rand, race program.Operation) int {
	if !s.kills {
		return 0
	}
	return 1 + r.IntN(race.Who*race.Count/race.Each)
}

// invalidCursorReaders returns readers with every kind of cursor beyond the latest event and some of the other kinds. Before them
// comes one change of the stream, another one in each program, or none.
func invalidCursorReaders(r *rand.Rand, number int, claims func(string) bool) []program.Operation {
	before := []program.Kind{"", program.Remove, program.Cleanup, program.Pause, program.Reset}[number%5]
	if c := program.Needs[before]; c != "" && !claims(c) {
		before = ""
	}
	var out []program.Operation
	if before != "" {
		out = append(out, program.Operation{Kind: before, Step: 1})
	}
	if before == program.Reset {
		out = append(out, mixedWrites(r, 12, 4))
	}
	for i, class := range slices.Sorted(maps.Keys(program.CursorClasses)) {
		if program.CursorClasses[class].Means == program.BeyondLatest || i%5 == number%5 {
			out = append(out, program.Operation{Kind: program.InvalidCursors, Class: class, Cursor: r.IntN(12), Query: campaign.Pick(r, "", "query")})
		}
	}
	if claims(program.Needs[program.Pause]) { // a waiting reader must be notified as well
		if before != program.Pause {
			out = append(out, program.Operation{Kind: program.Pause})
		}
		out = append(out, program.Operation{Kind: program.Activate})
	}
	if before != "" || !claims(program.Needs[program.Reset]) {
		return out
	}
	out = append(out, program.Operation{Kind: program.End, Class: program.ASCIIText})
	for _, class := range slices.Sorted(maps.Keys(program.CursorClasses)) {
		out = append(out, program.Operation{Kind: program.InvalidCursors, Class: class, Cursor: r.IntN(12), Query: campaign.Pick(r, "", "query")})
	}
	return append(out, program.Operation{Kind: program.Reset}, mixedWrites(r, 3, 3))
}

// long returns a beginning with many chunks and readers of every kind; the first program of a seed has more than 1,000.
// Then come changes of the stream that every reader must be notified of.
func long(r *rand.Rand, number int, claims func(capability string) bool) []program.Operation {
	n := campaign.Pick(r, 130, 260, 300, 520, 1030)
	if number == 0 {
		n = 1024 + r.IntN(200)
	}
	at := func(count, each int) program.Operation {
		return program.Operation{Kind: program.Write, Who: 1, Count: count, Each: each, Step: campaign.Pick(r, program.MixedSteps, program.MixedSteps, 1), Class: program.MixedChunks, Size: 1 + 8*r.IntN(5)}
	}
	first := at(1+r.IntN(9), 1)
	first.Class, first.Step = program.ASCIIText, program.Stepless // no cleanup removes it, so that the agent of a snapshot's state is known
	out := []program.Operation{
		first, {Kind: program.Attach, Who: 1, Over: over(r)}, {Kind: program.Resume, Who: 2, Cursor: 1},
		at(n, campaign.Pick(r, 50, 64, 100, 128, 200, 256, 513, 1001)), {Kind: program.Receive, Who: 1}, {Kind: program.Receive, Who: 2}, at(5+r.IntN(20), 1), {Kind: program.Snapshot}, {Kind: program.Info},
	}
	if !claims("resume") {
		return out
	}
	out = append(out, variedReaders(r, n)...)
	lowest := map[bool]int{true: 0, false: campaign.Pick(r, 0, 1, 2)}[number == 0] // the longest stream loses more than half
	out = append(out, events(r, at, n, lowest, claims)...)
	return append(out, events(r, at, n, campaign.Pick(r, 0, 1, 2), claims)...)
}

// variedReaders returns readers of every kind, each at another position of a stream of n chunks: by header, by query or by
// both, over each transport.
func variedReaders(r *rand.Rand, n int) []program.Operation {
	out := []program.Operation{{Kind: program.Attach, Who: 11}, {Kind: program.Attach, Who: 12, Over: "gzip"}}
	slot := 2
	for _, way := range []string{"", "query", "both"} {
		for _, transport := range []string{"", "gzip", "HTTP/2"} {
			o := program.Operation{Kind: program.Resume, Who: slot, Query: way, Over: transport, Cursor: program.Latest}
			if at := nearEdge(r, n); r.IntN(5) > 0 {
				o.Cursor = at
			}
			out = append(out, o)
			slot++
		}
	}
	return append(out, program.Operation{Kind: program.Receive})
}

// nearEdge returns a position at or next to an edge of a stream of n chunks. Later edges are more frequent, since their
// readers receive less.
func nearEdge(r *rand.Rand, n int) int {
	at := campaign.Near(r, 8, 63, 98, 126, 254, 499, 510, 510, 998, 998, 1022, 1022)
	for at >= n {
		at -= 1 + r.IntN(at)
	}
	return at
}

// many returns a beginning with a number of readers. Most wait from the start.
func many(r *rand.Rand, readers int, claims func(capability string) bool) []program.Operation {
	out := []program.Operation{mixedWrites(r, 12, 4)}
	for slot := 1; slot <= readers; slot++ {
		o := program.Operation{Kind: program.Attach, Who: slot, Over: campaign.Pick(r, "", "", "", "gzip", "HTTP/2")}
		if slot%3 == 0 && claims("resume") {
			o = after(r, slot, r.IntN(12))
			if slot%2 == 0 { // the server sends nothing to it before the cleanup
				o.Cursor = program.Latest
			}
		}
		out = append(out, o)
	}
	if claims(program.Needs[program.Cleanup]) {
		out = append(out, program.Operation{Kind: program.Cleanup, Step: 1 + r.IntN(2)})
	}
	out = append(out, mixedWrites(r, 6, 1), program.Operation{Kind: program.Receive})
	for range 2 {
		for _, k := range []program.Kind{program.Cleanup, program.Pause, program.Activate} {
			if claims(program.Needs[k]) {
				out = append(out, program.Operation{Kind: k, Step: r.IntN(2)}, mixedWrites(r, 40+r.IntN(30), 80))
			}
		}
	}
	return append(out, program.Operation{Kind: program.Receive})
}

// events returns changes of a long stream while it is read, each between arrays, and readers that resume at positions
// of earlier ones.
func events(r *rand.Rand, at func(count, each int) program.Operation, n, step int, claims func(capability string) bool) []program.Operation {
	var out []program.Operation
	array := func() program.Operation { return at(campaign.Pick(r, 9+r.IntN(20), 33+r.IntN(40)), 128) }
	for _, i := range r.Perm(4) {
		switch {
		case i == 0 && claims("status"):
			out = append(out, array(), program.Operation{Kind: program.Pause}, array())
			for range 3 {
				o := after(r, 2+r.IntN(9), nearEdge(r, n))
				out = append(out, o)
			}
			out = append(out, program.Operation{Kind: program.Activate}, array(), program.Operation{Kind: program.Receive})
		case i == 1 && claims("truncation"):
			out = append(out, array(), program.Operation{Kind: program.Cleanup, Step: step}, array(), program.Operation{Kind: program.Receive})
			for range 2 {
				out = append(out, after(r, 2+r.IntN(9), nearEdge(r, n)), array())
			}
		case i == 2:
			edge := nearEdge(r, n)
			for range 2 { // of two readers with one cursor, the second must receive more
				out = append(out, after(r, 2+r.IntN(9), edge), program.Operation{Kind: program.Receive}, array())
			}
		case i == 3 && claims("reset") && r.IntN(3) == 0:
			out = append(out, array(), program.Operation{Kind: program.Reset}, at(60+r.IntN(90), 50), program.Operation{Kind: program.Info}, program.Operation{Kind: program.Receive})
		}
	}
	return append(out, program.Operation{Kind: program.Info}, program.Operation{Kind: program.Snapshot})
}
