package draw

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/model/helix/document"
)

// Subjects returns the names of all subjects: streams, big streams, runs, and servers that are killed.
func Subjects() []string {
	var lasting, runs, crashing []string
	for name, s := range subjects {
		if s.kills {
			crashing = append(crashing, name)
		} else {
			lasting = append(lasting, name)
		}
	}
	for name, s := range runSubjects {
		if !s.crashing {
			runs = append(runs, name)
		}
	}
	slices.Sort(lasting)
	slices.Sort(runs)
	slices.Sort(crashing)
	return slices.Concat(lasting, slices.Sorted(maps.Keys(big)), runs, crashing, []string{crashingRuns})
}

// Kills reports whether programs of a subject need a server that may be killed.
func Kills(about string) bool { return subjects[about].kills || runSubjects[about].crashing }

// OfRuns reports whether programs of a subject need a server that runs agents.
func OfRuns(about string) bool { return runSubjects[about].programs > 0 }

// Programs returns how many programs of a subject standard effort plays.
func Programs(about string) int { return max(1, subjects[about].programs, runSubjects[about].programs) }

// Draw returns a program of a subject, from 0. The same seed and number give the same program for the same claims.
func Draw(seed int64, number int, about string, claims func(capability string) bool) program.Program {
	subject := uint64(slices.Index(Subjects(), about))
	p := drawn(campaign.NewDraw(seed, uint64(number)+subject<<32), seed, number, about, claims)
	if !claims("arrays") {
		p.Operations = withoutArrays(p.Operations, Kills(about))
	}
	return chosen(campaign.NewDraw(seed, uint64(number)+subject<<32+choicesOf), p, claims)
}

// withoutArrays returns operations for a server without the capability arrays: no array is refused, and where the server may be
// killed, each chunk is written alone.
func withoutArrays(operations []program.Operation, kills bool) []program.Operation {
	operations = slices.DeleteFunc(operations, func(o program.Operation) bool { return o.Kind == program.RejectBatch })
	for i := range operations {
		if operations[i].Kind == program.Write && kills {
			operations[i].Each = 1
		}
	}
	return operations
}

// choicesOf distinguishes the generators of choices from those of operations.
const choicesOf = 1 << 62

// drawn returns the operations of a program, each in the usual way.
func drawn(r *rand.Rand, seed int64, number int, about string, claims func(capability string) bool) program.Program {
	s := subjects[about]
	if OfRuns(about) {
		return drawRuns(r, number, about, claims)
	}
	if draw := big[about]; draw != nil {
		return program.Program{Streams: 1, Operations: draw(r, claims)}
	}
	p := program.Program{Streams: s.streams}
	if s.kills && !(claims("durable") && claims("resume")) {
		return p
	}
	if s.names {
		kinds := slices.Sorted(maps.Keys(program.AlikeIDs))
		p.Names = kinds[number%len(kinds)]
	} else if s.streams == 1 && r.IntN(4) == 0 {
		p.Streams = 2 // an event can only leak into another stream
	}
	s.far = columnSteps[(campaign.NewDraw(seed, uint64(len(Subjects()))<<32).IntN(len(columnSteps))+number)%len(columnSteps)] // one after the other
	kinds := slices.Sorted(maps.Keys(weights))
	of := make([]int, len(kinds))
	for i, k := range kinds {
		of[i] = weights[k]
		if w, own := s.weights[k]; own {
			of[i] = w
		}
		if c := program.Needs[k]; c != "" && !claims(c) {
			of[i] = 0
		}
	}
	readers := 1 + r.IntN(s.readers)
	if s.readers == program.MostReaders {
		readers = campaign.Pick(r, 3, 4, 5, 8, 9, 16, 17, program.MostReaders)
	}
	if p.Operations = s.beginning(r, p.Streams, number, claims); s.readers == program.MostReaders {
		p.Operations = many(r, readers, claims)
	}
	for most := len(p.Operations) + s.operations; len(p.Operations) < most; {
		stream := r.IntN(p.Streams)
		drawn := []program.Operation{s.draw(r, kinds[campaign.Weighted(r, of)], readers)}
		if r.IntN(s.operations) < 2 {
			drawn = s.again(r, claims)
		}
		for _, o := range drawn {
			o.Stream = stream
			p.Operations = append(p.Operations, o)
		}
	}
	return p
}

// beginning returns the first operations of a program of the subject.
func (s subject) beginning(r *rand.Rand, streams, number int, claims func(capability string) bool) (out []program.Operation) {
	switch {
	case s.kills:
		return s.crashing(r, number)
	case s.long:
		return long(r, number, claims)
	case s.varied && number == 0:
		return everything(r)
	case s.varied && number == s.programs-1: // the most expensive program comes last
		return large(r)
	case s.weights[program.InvalidCursors] > 0: // ids with one digit and with two
		out = []program.Operation{{Kind: program.Attach, Who: 1}, {Kind: program.Write, Who: 1, Count: 12, Each: 3, Step: program.MixedSteps, Class: program.ASCIIText, Size: 30}, {Kind: program.Receive, Who: 1}}
		out = append(out, program.Operation{Kind: program.Unauthorized}, program.Operation{Kind: program.InvalidCursors, Class: "with-zeros", Cursor: 10 + r.IntN(2), Query: campaign.Pick(r, "", "query")})
		return append(out, invalidCursorReaders(r, number, claims)...)
	case s.races:
		for _, amid := range []program.Kind{program.End, program.Cleanup, "", program.Reset} {
			o := s.draw(r, program.Race, 1)
			if o.Amid = amid; amid != program.Cleanup {
				o.Step = 0
			}
			if amid == "" { // often enough to hit the moment between a replay and live events, with stored events left to replay and without
				o.Each = 1 + 2*(number%2)
				o.Count, o.Again = 50*o.Each, true
			}
			if amid == program.End && number == 0 { // arrays that take long to parse
				o.Count, o.Each = 96, 32
			}
			out = append(out, o)
		}
		return append(out, program.Operation{Kind: program.ConcurrentOpen, Who: 2 + r.IntN(4)}, program.Operation{Kind: program.ConcurrentOpen, Who: program.MostRacers})
	case s.names:
		return oneByOne(streams)
	case s.patched && number == 0:
		return patched(claims)
	}
	return nil
}

// patched returns a beginning with every kind of patch, each with a snapshot before a later patch hides it, and with
// arrays of equal chunks.
func patched(claims func(string) bool) []program.Operation {
	out := []program.Operation{{Kind: program.Attach, Who: 1}}
	for range 9 {
		out = append(out, program.Operation{Kind: program.Write, Who: 1, Count: 4, Each: 1, Step: program.Stepless, Class: program.Patch, Size: 1}, program.Operation{Kind: program.Snapshot})
	}
	if claims(program.Needs[program.Snapshot]) && claims(program.Needs[program.Cleanup]) { // the removal of a change restores the earlier value
		for range 2 {
			out = append(out, program.Operation{Kind: program.Write, Who: 1, Count: 6, Each: 1, Step: program.Stepless, Class: program.PatchApart, Size: 1}, program.Operation{Kind: program.Snapshot})
			out = append(out, program.Operation{Kind: program.Cleanup, Step: 1}, program.Operation{Kind: program.Snapshot})
		}
	}
	out = append(out, program.Operation{Kind: program.Write, Who: 1, Count: 6, Each: 1, Step: program.Stepless, Class: program.Reasoning, Size: 1}, program.Operation{Kind: program.Snapshot})
	for _, each := range []int{1, 2, 3} { // repeated text isn't a duplicate
		out = append(out, program.Operation{Kind: program.Write, Who: 1, Count: 12, Each: each, Step: program.Stepless, Class: program.EqualText, Size: 500})
	}
	return append(out, program.Operation{Kind: program.Receive})
}

// everything returns a beginning with every text and every value of the catalogue, for one reader that stays and others
// that resume, and with every chunk that must be refused.
func everything(r *rand.Rand) []program.Operation {
	out := []program.Operation{
		{Kind: program.Attach, Who: 1}, {Kind: program.Write, Who: 1, Count: campaign.Texts(), Each: 1 + r.IntN(40), Step: program.MixedSteps, Class: program.EveryClass, Size: 1}, {Kind: program.Receive, Who: 1},
		{Kind: program.Write, Who: 2, Count: 3 * len(campaign.Values()), Each: 1 + r.IntN(40), Step: program.MixedSteps, Class: program.AnyValue, Size: 1},
		{Kind: program.Write, Who: program.ForeignWriter, Count: len(data.CommonMembers), Each: 1, Step: program.Stepless, Class: program.LackingMember, Size: 1},
		{Kind: program.Write, Who: 2, Count: len(data.UnknownTypes), Each: 1, Step: program.Stepless, Class: program.UnknownType, Size: 1},
		{Kind: program.Write, Who: 2, Count: len(document.UnknownMembers()), Each: 1, Step: program.Stepless, Class: program.UnknownMember, Size: 1},
	}
	out = append(out, program.Operation{Kind: program.Cleanup, Step: 2}, program.Operation{Kind: program.Snapshot})
	for range data.InvalidChunks {
		out = append(out, program.Operation{Kind: program.RejectBatch, Count: 3, Cursor: 1})
	}
	return out
}

// oneByOne returns a beginning that changes one stream of several at a time, and inspects all.
func oneByOne(streams int) []program.Operation {
	var out []program.Operation
	for i := range streams {
		out = append(out, program.Operation{Kind: program.Write, Stream: i, Who: 1, Count: 2 + i, Each: 1, Step: 2, Class: program.ASCIIText, Size: 1}, program.Operation{Kind: program.Attach, Stream: i, Who: 1})
	}
	do := func(i int, kinds ...program.Kind) {
		for _, k := range kinds {
			out = append(out, program.Operation{Kind: k, Stream: i, Step: 1})
		}
	}
	inspect := func(from int, kinds ...program.Kind) {
		for i := from; i < streams; i++ {
			do(i, kinds...)
		}
	}
	for i := range streams {
		do(i, program.Cleanup, program.Pause)
		// Its effect on earlier streams is inspected below.
		inspect(i, program.Info, program.Snapshot)
		out = append(out, program.Operation{Kind: program.Write, Stream: i, Who: 1, Count: 1, Each: 1, Step: 2, Class: program.ASCIIText, Size: 1}) // no other cleanup removes it
	}
	for i := range 1 + streams/2 {
		do(i, program.Activate)
		inspect(0, program.Info)
	}
	return out
}

// large returns a beginning with large chunks.
func large(r *rand.Rand) []program.Operation {
	at := func(size int) program.Operation {
		return program.Operation{Kind: program.Write, Who: 1, Count: 1, Each: 1, Step: program.Stepless, Class: campaign.Pick(r, program.ASCIIText, "accents"), Size: size}
	}
	return []program.Operation{at(1), {Kind: program.Attach, Who: 1}, at(1), at(64<<10 + r.IntN(3)), at(1<<20 - r.IntN(3)), at(1), {Kind: program.Resume, Who: 2, Cursor: 1}}
}

// again returns a block of operations several times: a failure may come only at the third or fourth repetition.
func (s subject) again(r *rand.Rand, claims func(capability string) bool) []program.Operation {
	blocks := [][]program.Kind{
		{program.Cleanup}, {program.Pause, program.Activate}, {program.Reset}, {program.Resume}, {program.Leave, program.Resume}, {program.End, program.Reset}, {program.Fail, program.Reset}, {program.Pause, program.Cleanup, program.Activate}, {program.Cleanup, program.Resume}, {program.CloseWriter},
		{program.Pause, program.End, program.Activate, program.Info, program.Reset}, {program.Pause, program.Fail, program.Activate, program.Info, program.Reset}, {program.Pause, program.Reset}, {program.Reset, program.Pause, program.Reset}, {program.End, program.Pause, program.Info, program.Reset}, {program.Reset, program.Attach}, {program.Resume, program.Cleanup},
	}
	block := blocks[r.IntN(len(blocks))]
	for _, k := range block {
		if c := program.Needs[k]; c != "" && !claims(c) {
			return nil
		}
	}
	out := []program.Operation{{Kind: program.Attach, Who: 1}}
	far := r.IntN(2) == 0 // at a step at which a database column ends
	for range 2 + r.IntN(4) {
		one := s.draw(r, program.Write, 1)
		one.Count, one.Each, one.Step = campaign.Pick(r, 1+r.IntN(6), 1+r.IntN(6), 9+r.IntN(12)), 32, campaign.Pick(r, program.MixedSteps, program.MixedSteps, 3)
		if far {
			one.Step = s.far + 2
		}
		out = append(out, one)
		for _, k := range block {
			o := s.draw(r, k, 1+r.IntN(2))
			if k == program.Resume && block[len(block)-1] == program.Cleanup { // the server sends nothing to it before the cleanup
				o.Cursor = program.Latest
			}
			if k == program.Cleanup {
				if o.Step = r.IntN(2); far {
					o.Step += s.far
				}
			}
			out = append(out, o)
		}
	}
	return out
}

// draw returns one operation of a kind.
func (s subject) draw(r *rand.Rand, k program.Kind, readers int) program.Operation {
	o := program.Operation{Kind: k}
	switch k {
	case program.Write:
		o.Who, o.Class = 1+r.IntN(3), campaign.Pick(r, program.MixedChunks, program.MixedChunks, program.MixedChunks, program.ASCIIText)
		o.Count, o.Size = campaign.Size(r, s.chunks), 1+r.IntN(60)
		o.Each = campaign.Pick(r, 1, o.Count)
		o.Step = campaign.Pick(r, program.Stepless, program.MixedSteps, r.IntN(5), r.IntN(5), campaign.Pick(r, 0, 1, 9, 10, 11, 99, 100), s.far+r.IntN(3))
		if s.varied {
			s.vary(r, &o)
		}
	case program.CloseWriter:
		o.Who = 1 + r.IntN(3)
	case program.RejectBatch:
		o.Count = campaign.Pick(r, 2, 3, 9, 33, 65, 101, 129, 150)
		o.Cursor = campaign.Pick(r, 0, o.Count-1, o.Count-1, r.IntN(o.Count))
	case program.Cleanup:
		o.Step = campaign.Pick(r, 0, 1, 2, 3, 9, 10)
		if r.IntN(3) == 0 {
			o.Step = s.far + r.IntN(3)
		}
	case program.InvalidCursors:
		means := campaign.Pick(r, program.NoCursor, program.Refused, program.Refused, program.PaddedCursor, program.PaddedCursor, program.BeyondLatest, program.BeyondLatest)
		of := slices.DeleteFunc(slices.Sorted(maps.Keys(program.CursorClasses)), func(class string) bool { return program.CursorClasses[class].Means != means })
		o.Class, o.Cursor = campaign.Pick(r, of...), r.IntN(20)
		o.Query = campaign.Pick(r, "", "query", "query", "both")
	case program.DisconnectAt:
		o.Who, o.Size = 1+r.IntN(readers), campaign.Size(r, 4000)
	case program.Race:
		o.Who, o.Count, o.Concurrently = 2+r.IntN(3), 4+r.IntN(6), 2+r.IntN(3)
		o.Each = campaign.Pick(r, 1, 1, 2, 3)
		if o.Amid = campaign.Pick(r, "", "", program.End, program.End, program.Cleanup, program.Cleanup, program.Reset); o.Amid == program.Cleanup {
			o.Step = r.IntN(3)
		}
		o.Killed = s.death(r, o)
	case program.End, program.Fail:
		o.Class = program.ASCIIText
		if r.IntN(2) == 0 {
			o.Class = campaign.Pick(r, slices.DeleteFunc(campaign.Classes(), func(c string) bool { return c == "nul" })...)
		}
	case program.Attach, program.Leave, program.Receive, program.ReadOn, program.Resume:
		o.Who = 1 + r.IntN(readers)
		if k == program.Attach || k == program.Resume {
			o.Over = campaign.Pick(r, "", "", "", "gzip", "HTTP/2")
		}
		if k == program.Resume {
			o.Query = campaign.Pick(r, "", "", "query", "both", "another", "neither", "beside")
			o.Cursor = campaign.Pick(r, program.Here, program.Here, program.Latest, r.IntN(8), campaign.Size(r, 8))
			if s.long {
				o.Cursor = campaign.Pick(r, program.Here, program.Latest, r.IntN(1200), campaign.Size(r, 1200), campaign.Near(r, 99, 127, 255, 511, 999, 999, 1023))
				o.Query = campaign.Pick(r, "", "query", "both")
			}
		}
		o.First = k == program.Leave && r.IntN(3) > 0
	case program.AttachBriefly:
		o.Who = campaign.Pick(r, 1, 2, 8, 20)
	}
	return o
}

// vary draws the class of the data from the catalogue, and in one of 16 cases its length.
func (s subject) vary(r *rand.Rand, o *program.Operation) {
	o.Class = campaign.Pick(r, append(campaign.Classes(), program.AnyValue, program.AnyValue, program.AnyValue, program.UnknownMember, program.UnknownMember, program.UnknownType, program.LackingMember)...)
	if r.IntN(16) == 0 {
		o.Count, o.Each = 1, 1
		o.Size = campaign.Pick(r, campaign.Size(r, s.bytes), 64<<10+r.IntN(3), 128<<10)
		o.Class = campaign.Pick(r, program.ASCIIText, "astral", "accents", "markup")
	}
}
