package draw

import (
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// big maps subjects with large programs to functions that draw them. The seed draws only details.
var big = map[string]func(r *rand.Rand, claims func(capability string) bool) []program.Operation{
	"a stream of 5,000 events":      veryLong,
	"a stream of large chunks":      veryLarge,
	"a stream with slow readers":    slow,
	"a stream that hundreds leave":  left,
	"a stream at its limits":        limited,
	"a stream that much is done to": steered,
}

// thousands is the number of chunks of a very long stream.
const thousands = 5000

// mostAtOnce is the number of chunks that one array adds to the thousands. Their sum is just below the default limit of events.
const mostAtOnce = 4900

// edges lists sizes at which counters, pages and buffers end: a reader comes before, at and after each.
var edges = []int{1, 16, 64, 100, 128, 256, 500, 512, 1000, 1024, 2048, 4096, 4998}

// mixedWrites returns the operation that writes count chunks of every kind, each in one call.
func mixedWrites(r *rand.Rand, count, each int) program.Operation {
	return program.Operation{Kind: program.Write, Who: 1, Count: count, Each: each, Step: program.MixedSteps, Class: program.MixedChunks, Size: 1 + 8*r.IntN(5)}
}

func over(r *rand.Rand) string { return campaign.Pick(r, "", "gzip", "HTTP/2") }

// after returns the operation of a reader that resumes after an event.
func after(r *rand.Rand, slot, event int) program.Operation {
	return program.Operation{Kind: program.Resume, Who: slot, Cursor: event, Query: campaign.Pick(r, "", "query", "both"), Over: over(r)}
}

// everySlot returns an operation for each slot from a slot on.
func everySlot(from int, do func(slot int) program.Operation) []program.Operation {
	var out []program.Operation
	for slot := from; slot <= program.MostReaders; slot++ {
		out = append(out, do(slot))
	}
	return out
}

// witnesses is the number of readers of a very long stream, from its first chunk to its end while it is written.
const witnesses = 2

// veryLong returns the program of a stream of thousands of chunks. Two readers receive all of it, and as many as the
// limit allows receive its beginning and its end. Others come at every edge: while the stream grows, when it is
// complete, and after its end.
func veryLong(r *rand.Rand, claims func(string) bool) []program.Operation {
	out := []program.Operation{program.Text(1, 1)}
	out = append(out, program.Operation{Kind: program.Attach, Who: 1}, program.Operation{Kind: program.Attach, Who: 2, Over: campaign.Pick(r, "gzip", "HTTP/2")})
	out = append(out, everySlot(witnesses+1, func(slot int) program.Operation { return program.Operation{Kind: program.Attach, Who: slot} })...)
	out = append(out, program.Text(13, 1))
	written := 1 + 13
	for _, batch := range []int{16, 32, 64} {
		out, written = append(out, program.Text(batch, batch), program.Operation{Kind: program.Receive}), written+batch
	}
	out = append(out, mixedWrites(r, 120+r.IntN(10), 50+r.IntN(50)))
	written += out[len(out)-1].Count
	out = append(out, everySlot(witnesses+1, func(slot int) program.Operation {
		return program.Operation{Kind: program.Leave, Who: slot, First: true}
	})...)
	if !claims("resume") {
		return append(out, program.Text(thousands-written, 100))
	}
	to := func(n int) {
		if n > written {
			each := campaign.Pick(r, 100, 100, 513, 1001)
			if n-written > 1501 {
				each = 1501
			}
			out, written = append(out, mixedWrites(r, n-written, each), program.Operation{Kind: program.Receive, Who: 1}), n
		}
	}
	for _, edge := range edges {
		for i, slot := range []int{4, 5, 6} {
			if at := edge - 1 + i; at > written {
				to(at)
				out = append(out, after(r, slot, at))
			}
		}
		if edge == 4096 { // as many readers as the limit allows receive the last chunks
			to(4850)
			out = append(out, everySlot(witnesses+1, func(slot int) program.Operation {
				return program.Operation{Kind: program.Resume, Who: slot, Cursor: program.Latest, Over: over(r)}
			})...)
		}
	}
	to(thousands)
	out = append(out, program.Operation{Kind: program.Receive})
	out = append(out, expected(r, thousands)...)
	out = append(out, briefReaders(r, 1)...)
	out = append(out, program.Operation{Kind: program.Info}, program.Operation{Kind: program.Snapshot})
	// No reader receives the next chunks, which one array brings.
	out = append(out, everySlot(1, func(slot int) program.Operation {
		return program.Operation{Kind: program.Leave, Who: slot, First: true}
	})...)
	out = append(out, program.Text(mostAtOnce, mostAtOnce), program.Operation{Kind: program.Info}, program.Operation{Kind: campaign.Pick(r, program.End, program.Fail), Class: program.ASCIIText})
	out = append(out, briefReaders(r, 0)...)
	return append(out, program.Operation{Kind: program.Attach, Who: 4, Over: campaign.Pick(r, "gzip", "HTTP/2")})
}

// batches lists how many events a server may send at a time.
var batches = []int{8, 10, 16, 20, 25, 32, 50, 64, 100, 128, 200, 250, 256, 500, 512, 1000, 1024}

// expected returns readers for whom exactly one batch of a stream of so many chunks remains. No later chunk flushes it.
func expected(r *rand.Rand, written int) []program.Operation {
	var out []program.Operation
	for i, batch := range batches {
		out = append(out, after(r, witnesses+1+i, written-batch))
	}
	return append(out, program.Operation{Kind: program.Receive})
}

// briefReaders returns readers that resume at each edge, and at so many positions before and after it, and read a few events.
func briefReaders(r *rand.Rand, around int) []program.Operation {
	var out []program.Operation
	for _, edge := range edges {
		for at := max(1, edge-around); at <= edge+around; at++ {
			o := after(r, program.MostReaders, at)
			o.Most = campaign.Pick(r, 1, 2, 9)
			out = append(out, o)
		}
	}
	return out
}

// veryLarge returns the program of a stream of chunks around the sizes at which buffers, columns and frames end.
func veryLarge(r *rand.Rand, claims func(string) bool) []program.Operation {
	out := []program.Operation{program.Text(1, 1), {Kind: program.Attach, Who: 1}, {Kind: program.Attach, Who: 2, Over: "gzip"}, {Kind: program.Attach, Who: 3, Over: "HTTP/2"}}
	for _, size := range []int{64 << 10, 1 << 20} {
		for n := size - 1; n <= size+1; n++ {
			o := program.Text(1, 1)
			o.Size = n
			out = append(out, o, program.Operation{Kind: program.Receive})
		}
	}
	wide := program.Text(1, 1) // most buffers end within one of its characters
	wide.Class, wide.Size = "astral", 3<<19
	out = append(out, wide, program.Operation{Kind: program.Receive})
	largest := program.Text(1, 1)
	largest.Size = campaign.Pick(r, 2<<20, 2<<20, 2<<20, program.MostBytes) // the largest is drawn one time in four
	out = append(out, program.Operation{Kind: program.Leave, Who: 2, First: true}, program.Operation{Kind: program.Leave, Who: 3, First: true}, largest, program.Operation{Kind: program.Receive}, program.Text(1, 1))
	if claims("resume") { // one chunk is replayed after it came live
		o := after(r, 2, 6)
		o.Most = 1
		out = append(out, o)
	}
	for _, how := range []program.Kind{program.Fail, program.End} { // the error or the output of the end is large as well
		if claims(program.Needs[program.Reset]) {
			out = append(out, program.Operation{Kind: program.Reset}, program.Text(2, 1), program.Operation{Kind: program.Attach, Who: 1, Over: over(r)}, program.Operation{Kind: how, Class: program.LongText})
		}
	}
	return out
}

// slow returns the program of a stream with a reader that receives none of its megabytes until the stream is over.
func slow(r *rand.Rand, _ func(string) bool) []program.Operation {
	large := program.Text(96, 12)
	large.Size, large.Step = 48<<10, program.MixedSteps
	huge := program.Text(1, 1) // more than the buffers between a server and a reader that doesn't read
	huge.Size = 6 << 20
	out := []program.Operation{
		program.Text(1, 1), {Kind: program.ReadOn, Who: 3}, huge, {Kind: program.WaitHeartbeats}, {Kind: program.Receive, Who: 3}, {Kind: program.Leave, Who: 3}, {Kind: program.Cleanup, Step: 1},
		{Kind: program.Attach, Who: 1, Over: over(r)}, {Kind: program.ReadOn, Who: program.MostReaders}, {Kind: program.Attach, Who: 2}, large, {Kind: program.ReadOn, Who: program.MostReaders - 1}, {Kind: program.Receive},
		program.Text(1040+r.IntN(50), 100), {Kind: program.Receive}, mixedWrites(r, 20, 20), {Kind: program.Cleanup, Step: 1}, mixedWrites(r, 20, 20), {Kind: program.Receive},
	}
	for range 33 + r.IntN(4) { // a reader that doesn't read must be notified of each of them as well
		out = append(out, mixedWrites(r, 6, 6), program.Operation{Kind: program.Cleanup, Step: 1})
	}
	for range 9 + r.IntN(4) {
		out = append(out, program.Operation{Kind: program.Pause}, program.Operation{Kind: program.Activate})
	}
	return append(out, []program.Operation{
		{Kind: program.Pause}, mixedWrites(r, 12, 12), {Kind: program.Receive, Who: program.MostReaders}, {Kind: program.Activate}, {Kind: program.Receive},
		program.Text(3, 1), {Kind: program.Receive}, {Kind: program.Info}, {Kind: campaign.Pick(r, program.End, program.Fail), Class: program.ASCIIText},
	}...)
}

// steered returns the program of a stream that is paused, cleaned up, finished and reset dozens of times, and requested
// more often.
func steered(r *rand.Rand, claims func(string) bool) []program.Operation {
	out := []program.Operation{program.Text(1, 1), {Kind: program.Attach, Who: 1}, {Kind: program.Attach, Who: 2, Over: "gzip"}, {Kind: program.Attach, Who: 3, Over: "HTTP/2"}}
	few := func() program.Operation { return mixedWrites(r, 1+r.IntN(4), 4) }
	again := func(times int, do ...program.Operation) {
		for i := range times {
			if out = append(out, few()); i > 30 { // a chunk of each step
				out = append(out, mixedWrites(r, 5, 5))
			}
			for _, o := range do {
				if o.Kind == program.Cleanup {
					o.Step = i % 3
				}
				out = append(out, o)
			}
			if i%4 == 3 {
				out = append(out, program.Operation{Kind: program.Receive})
			}
		}
	}
	if claims("status") {
		out = append(out, crowdedPauses(r)...)
	}
	again(14+r.IntN(3), program.Operation{Kind: program.Pause}, program.Operation{Kind: program.Activate}, program.Operation{Kind: program.Info})
	again(35+r.IntN(5), program.Operation{Kind: program.Cleanup}, program.Operation{Kind: program.Info})
	if claims("truncation") {
		out = append(out, columns()...)
	}
	for i := range 22 { // several writers are open at a time
		out = append(out, program.Operation{Kind: program.Write, Who: 2 + i%7, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 1})
		if i >= 3 {
			out = append(out, program.Operation{Kind: program.Write, Who: 2 + (i-1)%7, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 1}, program.Operation{Kind: program.CloseWriter, Who: 2 + (i-3)%7})
		}
	}
	out = append(out, opened()...)
	again(5, program.Operation{Kind: program.Snapshot}, program.Operation{Kind: program.Info})
	out = append(out, program.Operation{Kind: program.Write, Who: 1, Count: 6, Each: 2, Step: program.Stepless, Class: program.GrowingState, Size: 56 << 10}, program.Operation{Kind: program.Snapshot})
	again(1, program.Operation{Kind: program.Attach, Who: 1}, program.Operation{Kind: program.Fail, Class: program.EmptyText}, program.Operation{Kind: program.Info}, program.Operation{Kind: program.Reset})
	for i := range 21 + r.IntN(4) { // some end in a pause; a cleanup of the ended stream follows
		do := []program.Operation{
			{Kind: program.Attach, Who: 1, Over: over(r)}, {Kind: campaign.Pick(r, program.End, program.Fail), Class: campaign.Pick(r, program.ASCIIText, program.EveryClass, program.EveryClass)}, {Kind: program.Info}, {Kind: program.Reset},
		}
		if i%4 == 1 {
			out = append(out, mixedWrites(r, 5, 5))
			do = slices.Concat([]program.Operation{{Kind: program.Pause}}, do[:2], []program.Operation{{Kind: program.Cleanup}}, do[2:])
		}
		again(1, do...)
	}
	again(10, program.Operation{Kind: program.Info})
	if claims("status") { // the stream is paused, the next one of its id isn't
		out = append(out, few(), program.Operation{Kind: program.Pause}, program.Operation{Kind: program.Remove}, program.Operation{Kind: program.Info}, few(), program.Operation{Kind: program.Receive})
	}
	out = append(out, program.Operation{Kind: program.Neighbours, Who: campaign.Pick(r, 101, 129)}, program.Operation{Kind: program.Snapshot})
	return out
}

// columns returns cleanups at every step at which a database column of step numbers ends. Each removes one chunk of two.
func columns() (out []program.Operation) {
	for _, far := range columnSteps {
		for step := far + 1; step <= far+2; step++ {
			out = append(out, program.Operation{Kind: program.Write, Who: 1, Count: 1, Each: 1, Step: step, Class: program.ASCIIText, Size: 1})
		}
		out = append(out, program.Operation{Kind: program.Cleanup, Step: far + 1}, program.Operation{Kind: program.Info})
	}
	return out
}

// opened returns writes of many writers that are all open at a time. Then the first two and the last one write once more.
func opened() (out []program.Operation) {
	one := func(who int) program.Operation {
		return program.Operation{Kind: program.Write, Who: who, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 1}
	}
	for who := program.ForeignWriter + 1; who <= program.MostWriters; who++ {
		out = append(out, one(who))
	}
	return append(out, one(program.ForeignWriter+1), one(program.ForeignWriter+2), one(program.MostWriters), program.Operation{Kind: program.Receive})
}

// crowdedPauses returns pauses with many chunks before and in them, and readers that come meanwhile. The number of
// stored chunks makes the next chunk the last of a batch or the first of one.
func crowdedPauses(r *rand.Rand) (out []program.Operation) {
	come := func(slot int) {
		out = append(out, program.Operation{Kind: program.Pause}, program.Operation{Kind: program.Attach, Who: slot}, program.Operation{Kind: program.Attach, Who: slot + 1, Over: over(r)})
	}
	goOn := func() {
		out = append(out, program.Operation{Kind: program.Receive}, program.Operation{Kind: program.Activate}, program.Operation{Kind: program.Receive})
	}
	written := 1
	for i, full := range campaign.Pick(r, []int{63, 128, 255}, []int{64, 127, 256}) {
		out = append(out, program.Text(full-written, 50))
		come(4 + 2*i)
		out = append(out, program.Text(1, 1), program.Text(33+r.IntN(20), 100))
		written = full + 1 + out[len(out)-1].Count
		goOn()
	}
	return append(out, program.Operation{Kind: program.Leave, Who: 4, First: true}, program.Operation{Kind: program.Leave, Who: 5, First: true})
}

// left returns the program of a stream that hundreds of readers leave at once, or in the middle of a frame.
func left(r *rand.Rand, claims func(string) bool) []program.Operation {
	out := []program.Operation{
		program.Text(3, 1), {Kind: program.Attach, Who: 1}, {Kind: program.AttachBriefly, Who: 200 + r.IntN(20)}, program.Text(1, 1), {Kind: program.CloseMidFrame, Who: 90 + r.IntN(20)}, program.Text(2, 1), {Kind: program.Receive},
		{Kind: program.CloseMidFrame, Who: 1 + r.IntN(4)}, // by now the server has noticed that the other readers left
		{Kind: program.Attach, Who: 2, Over: over(r)}, program.Text(1, 1), {Kind: program.Receive},
	}
	if claims("resume") {
		out = append(out, after(r, 3, 2))
	}
	return out
}

// limited returns the program of a stream that is filled up to every limit of the config and slightly beyond.
func limited(*rand.Rand, func(string) bool) []program.Operation {
	return []program.Operation{program.Text(1, 1), {Kind: program.Attach, Who: 1}, {Kind: program.Enlarge}, {Kind: program.Crowd}, {Kind: program.Fill}, {Kind: program.Receive}, {Kind: program.Info}}
}
