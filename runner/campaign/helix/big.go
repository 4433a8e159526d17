package helix

import (
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
)

// big are the histories in which the seed draws details only: what they are about is large.
var big = map[string]func(r *rand.Rand, claims func(capability string) bool) []Operation{
	"a stream of 5,000 events":      veryLong,
	"a stream of large chunks":      veryLarge,
	"a stream with slow readers":    slow,
	"a stream that hundreds leave":  left,
	"a stream at its limits":        limited,
	"a stream that much is done to": steered,
}

// thousands is how many chunks a very long stream holds.
const thousands = 5000

// mostAtOnce is how many chunks an array brings behind them, so that there are nearly as many as a server takes that
// declares nothing.
const mostAtOnce = 4900

// edges are where counters, pages and buffers end: a reader comes before, at and after each.
var edges = []int{1, 16, 64, 100, 128, 256, 500, 512, 1000, 1024, 2048, 4096, 4998}

func text(count, each int) Operation {
	return Operation{kind: write, who: 1, count: count, each: each, step: stepless, class: asciiText, size: 40}
}

// mingling are chunks of every kind.
func mingling(r *rand.Rand, count, each int) Operation {
	return Operation{kind: write, who: 1, count: count, each: each, step: mixed, class: mixedChunks, size: 1 + 8*r.IntN(5)}
}

func over(r *rand.Rand) string { return campaign.Pick(r, "", "gzip", "HTTP/2") }

// after is a reader that resumes after an event.
func after(r *rand.Rand, slot, event int) Operation {
	return Operation{kind: resume, who: slot, cursor: event, query: campaign.Pick(r, "", "query", "both"), over: over(r)}
}

// everybody lets the readers of many slots do something.
func everybody(from int, do func(slot int) Operation) []Operation {
	var out []Operation
	for slot := from; slot <= mostReaders; slot++ {
		out = append(out, do(slot))
	}
	return out
}

// witnesses is how many readers read a very long stream from its first chunk to its end while it is written.
const witnesses = 2

// veryLong is a stream of thousands of chunks. Two readers see all of it, as many as may come see its beginning and its
// end. Others come at every edge: while that is written, when everything is, and when the stream is over.
func veryLong(r *rand.Rand, claims func(string) bool) []Operation {
	out := []Operation{text(1, 1)}
	out = append(out, Operation{kind: attach, who: 1}, Operation{kind: attach, who: 2, over: campaign.Pick(r, "gzip", "HTTP/2")})
	out = append(out, everybody(witnesses+1, func(slot int) Operation { return Operation{kind: attach, who: slot} })...)
	out = append(out, text(13, 1))
	written := 1 + 13
	for _, batch := range []int{16, 32, 64} {
		out, written = append(out, text(batch, batch), Operation{kind: receive}), written+batch
	}
	out = append(out, mingling(r, 120+r.IntN(10), 50+r.IntN(50)))
	written += out[len(out)-1].count
	out = append(out, everybody(witnesses+1, func(slot int) Operation { return Operation{kind: leave, who: slot, first: true} })...)
	if !claims("resume") {
		return append(out, text(thousands-written, 100))
	}
	to := func(n int) {
		if n > written {
			each := campaign.Pick(r, 100, 100, 513, 1001)
			if n-written > 1501 {
				each = 1501
			}
			out, written = append(out, mingling(r, n-written, each), Operation{kind: receive, who: 1}), n
		}
	}
	for _, edge := range edges {
		for i, slot := range []int{4, 5, 6} {
			if at := edge - 1 + i; at > written {
				to(at)
				out = append(out, after(r, slot, at))
			}
		}
		if edge == 4096 { // for the rest of it, there are as many readers as may be
			to(4850)
			out = append(out, everybody(witnesses+1, func(slot int) Operation {
				return Operation{kind: resume, who: slot, cursor: latest, over: over(r)}
			})...)
		}
	}
	to(thousands)
	out = append(out, Operation{kind: receive})
	out = append(out, expected(r, thousands)...)
	out = append(out, tasted(r, 1)...)
	out = append(out, Operation{kind: info})
	if claims(needs[snapshot]) {
		out = append(out, Operation{kind: snapshot})
	}
	// Nobody is there to receive as many again, which come in one array.
	out = append(out, everybody(1, func(slot int) Operation { return Operation{kind: leave, who: slot, first: true} })...)
	out = append(out, text(mostAtOnce, mostAtOnce), Operation{kind: info}, Operation{kind: campaign.Pick(r, end, fail), class: asciiText})
	out = append(out, tasted(r, 0)...)
	return append(out, Operation{kind: attach, who: 4, over: campaign.Pick(r, "gzip", "HTTP/2")})
}

// batches are how many events a server may send at a time.
var batches = []int{8, 10, 16, 20, 25, 32, 50, 64, 100, 128, 200, 250, 256, 500, 512, 1000, 1024}

// expected are readers to whom a stream of so many chunks owes one batch each, and nothing that would push it on comes behind it.
func expected(r *rand.Rand, written int) []Operation {
	var out []Operation
	for i, batch := range batches {
		out = append(out, after(r, witnesses+1+i, written-batch))
	}
	return append(out, Operation{kind: receive})
}

// tasted are readers that resume at each edge, and at so many places before and after it, and read a little of what is there.
func tasted(r *rand.Rand, concurrently int) []Operation {
	var out []Operation
	for _, edge := range edges {
		for at := max(1, edge-concurrently); at <= edge+concurrently; at++ {
			o := after(r, mostReaders, at)
			o.most = campaign.Pick(r, 1, 2, 9)
			out = append(out, o)
		}
	}
	return out
}

// veryLarge is a stream of chunks around the sizes at which buffers, columns and frames end.
func veryLarge(r *rand.Rand, claims func(string) bool) []Operation {
	out := []Operation{text(1, 1), {kind: attach, who: 1}, {kind: attach, who: 2, over: "gzip"}, {kind: attach, who: 3, over: "HTTP/2"}}
	for _, size := range []int{64 << 10, 1 << 20} {
		for n := size - 1; n <= size+1; n++ {
			o := text(1, 1)
			o.size = n
			out = append(out, o, Operation{kind: receive})
		}
	}
	wide := text(1, 1) // wherever a buffer ends, it ends within a character somewhere
	wide.class, wide.size = "astral", 3<<19
	out = append(out, wide, Operation{kind: receive})
	largest := text(1, 1)
	largest.size = campaign.Pick(r, 2<<20, 2<<20, 2<<20, mostBytes) // what costs most has its turn, too
	out = append(out, Operation{kind: leave, who: 2, first: true}, Operation{kind: leave, who: 3, first: true}, largest, Operation{kind: receive}, text(1, 1))
	if claims("resume") { // one comes from the archive as it came live
		o := after(r, 2, 6)
		o.most = 1
		out = append(out, o)
	}
	for _, how := range []kind{fail, end} { // and what it fails or ends with is large
		if claims(needs[reset]) {
			out = append(out, Operation{kind: reset}, text(2, 1), Operation{kind: attach, who: 1, over: over(r)}, Operation{kind: how, class: long64})
		}
	}
	return out
}

// slow is a stream one of whose readers takes nothing of megabytes until the stream is over.
func slow(r *rand.Rand, _ func(string) bool) []Operation {
	large := text(96, 12)
	large.size, large.step = 48<<10, mixed
	huge := text(1, 1) // more than lies between a server and a reader that takes nothing
	huge.size = 6 << 20
	out := []Operation{
		text(1, 1), {kind: readOn, who: 3}, huge, {kind: waitHeartbeats}, {kind: receive, who: 3}, {kind: leave, who: 3}, {kind: cleanup, step: 1},
		{kind: attach, who: 1, over: over(r)}, {kind: readOn, who: mostReaders}, {kind: attach, who: 2}, large, {kind: readOn, who: mostReaders - 1}, {kind: receive},
		text(1040+r.IntN(50), 100), {kind: receive}, mingling(r, 20, 20), {kind: cleanup, step: 1}, mingling(r, 20, 20), {kind: receive},
	}
	for range 33 + r.IntN(4) { // of each of which a reader that takes nothing has to be told as well
		out = append(out, mingling(r, 6, 6), Operation{kind: cleanup, step: 1})
	}
	for range 9 + r.IntN(4) {
		out = append(out, Operation{kind: pause}, Operation{kind: activate})
	}
	return append(out, []Operation{
		{kind: pause}, mingling(r, 12, 12), {kind: receive, who: mostReaders}, {kind: activate}, {kind: receive},
		text(3, 1), {kind: receive}, {kind: info}, {kind: campaign.Pick(r, end, fail), class: asciiText},
	}...)
}

// steered is a stream to which everything is done again and again: it is paused, cleaned up, finished and reset dozens of
// times, and asked for more often.
func steered(r *rand.Rand, claims func(string) bool) []Operation {
	out := []Operation{text(1, 1), {kind: attach, who: 1}, {kind: attach, who: 2, over: "gzip"}, {kind: attach, who: 3, over: "HTTP/2"}}
	few := func() Operation { return mingling(r, 1+r.IntN(4), 4) }
	again := func(times int, do ...Operation) {
		for i := range times {
			if out = append(out, few()); i > 30 { // of each step one
				out = append(out, mingling(r, 5, 5))
			}
			for _, o := range do {
				if c := needs[o.kind]; c == "" || claims(c) {
					if o.kind == cleanup {
						o.step = i % 3
					}
					out = append(out, o)
				}
			}
			if i%4 == 3 {
				out = append(out, Operation{kind: receive})
			}
		}
	}
	if claims("status") {
		out = append(out, crowdedPauses(r)...)
	}
	again(14+r.IntN(3), Operation{kind: pause}, Operation{kind: activate}, Operation{kind: info})
	again(35+r.IntN(5), Operation{kind: cleanup}, Operation{kind: info})
	if claims("truncation") {
		out = append(out, columns()...)
	}
	for i := range 22 { // several are open at a time
		out = append(out, Operation{kind: write, who: 2 + i%7, count: 1, each: 1, step: stepless, class: asciiText, size: 1})
		if i >= 3 {
			out = append(out, Operation{kind: write, who: 2 + (i-1)%7, count: 1, each: 1, step: stepless, class: asciiText, size: 1}, Operation{kind: closeWriter, who: 2 + (i-3)%7})
		}
	}
	out = append(out, opened()...)
	again(5, Operation{kind: snapshot}, Operation{kind: info})
	out = append(out, Operation{kind: write, who: 1, count: 6, each: 2, step: stepless, class: grows, size: 56 << 10}, Operation{kind: snapshot})
	again(1, Operation{kind: attach, who: 1}, Operation{kind: fail, class: empty}, Operation{kind: info}, Operation{kind: reset})
	for i := range 21 + r.IntN(4) { // some in a pause, which is no pause any more when what has ended is cleaned up
		do := []Operation{
			{kind: attach, who: 1, over: over(r)}, {kind: campaign.Pick(r, end, fail), class: campaign.Pick(r, asciiText, every, every)}, {kind: info}, {kind: reset},
		}
		if i%4 == 1 {
			out = append(out, mingling(r, 5, 5))
			do = slices.Concat([]Operation{{kind: pause}}, do[:2], []Operation{{kind: cleanup}}, do[2:])
		}
		again(1, do...)
	}
	again(10, Operation{kind: info})
	if claims("status") { // it is paused, and its successor isn't
		out = append(out, few(), Operation{kind: pause}, Operation{kind: remove}, Operation{kind: info}, few(), Operation{kind: receive})
	}
	out = append(out, Operation{kind: neighbours, who: campaign.Pick(r, 101, 129)}, Operation{kind: snapshot})
	return out
}

// columns are cleanups at every step at which a column of steps ends, each of which removes one chunk of two.
func columns() (out []Operation) {
	for _, far := range farSteps {
		for step := far + 1; step <= far+2; step++ {
			out = append(out, Operation{kind: write, who: 1, count: 1, each: 1, step: step, class: asciiText, size: 1})
		}
		out = append(out, Operation{kind: cleanup, step: far + 1}, Operation{kind: info})
	}
	return out
}

// opened are many writers that are open at a time. When all are, the first ones and the last one write once more.
func opened() (out []Operation) {
	one := func(who int) Operation {
		return Operation{kind: write, who: who, count: 1, each: 1, step: stepless, class: asciiText, size: 1}
	}
	for who := foreign + 1; who <= mostWriters; who++ {
		out = append(out, one(who))
	}
	return append(out, one(foreign+1), one(foreign+2), one(mostWriters), Operation{kind: receive})
}

// crowdedPauses are pauses before and in which much is written, with readers that come in them. So many chunks are stored
// that what comes next stands at the end of a batch, or begins one.
func crowdedPauses(r *rand.Rand) (out []Operation) {
	come := func(slot int) {
		out = append(out, Operation{kind: pause}, Operation{kind: attach, who: slot}, Operation{kind: attach, who: slot + 1, over: over(r)})
	}
	goOn := func() {
		out = append(out, Operation{kind: receive}, Operation{kind: activate}, Operation{kind: receive})
	}
	written := 1
	for i, full := range campaign.Pick(r, []int{63, 128, 255}, []int{64, 127, 256}) {
		out = append(out, text(full-written, 50))
		come(4 + 2*i)
		out = append(out, text(1, 1), text(33+r.IntN(20), 100))
		written = full + 1 + out[len(out)-1].count
		goOn()
	}
	return append(out, Operation{kind: leave, who: 4, first: true}, Operation{kind: leave, who: 5, first: true})
}

// left is a stream that hundreds of readers leave at once, or in the middle of a frame.
func left(r *rand.Rand, claims func(string) bool) []Operation {
	out := []Operation{
		text(3, 1), {kind: attach, who: 1}, {kind: attachBriefly, who: 200 + r.IntN(20)}, text(1, 1), {kind: closeMidFrame, who: 90 + r.IntN(20)}, text(2, 1), {kind: receive},
		{kind: closeMidFrame, who: 1 + r.IntN(4)}, // by now the server has noticed that the others left
		{kind: attach, who: 2, over: over(r)}, text(1, 1), {kind: receive},
	}
	if claims("resume") {
		out = append(out, after(r, 3, 2))
	}
	return out
}

// limited is a stream of which everything is asked that the config says it takes, and a little more.
func limited(*rand.Rand, func(string) bool) []Operation {
	return []Operation{text(1, 1), {kind: attach, who: 1}, {kind: enlarge}, {kind: crowd}, {kind: fill}, {kind: receive}, {kind: info}}
}
