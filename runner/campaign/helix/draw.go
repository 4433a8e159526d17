package helix

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/model/helix/document"
)

// subject is what the histories of one scenario are about.
type subject struct {
	programs   int // at standard effort
	operations int // of a program
	streams    int
	readers    int
	chunks     int // that one write writes at most
	bytes      int // of a text, at most
	weights    map[kind]int
	varied     bool // in its data
	names      bool // that are alike
	patched    bool // it begins with patches of every way
	long       bool // it begins with many chunks
	races      bool // it begins with one of each kind
	kills      bool // its races may end with the server
	far        int  // a step at which a column ends, which writes and cleanups of one program are near
}

// weights is how often each kind is drawn where a subject doesn't say otherwise.
var weights = map[kind]int{
	write: 12, closeWriter: 1, cleanup: 3, reset: 1, pause: 2, activate: 2, attach: 4, leave: 2, resume: 5, receive: 4, readOn: 1, attachBriefly: 1, rejectBatch: 1,
	end: 1, fail: 1, info: 2, snapshot: 1, race: 0, invalidCursors: 0, disconnectAt: 0, remove: 0, kill: 0,
}

// needs is the capability without which a kind isn't drawn.
var needs = map[kind]string{
	cleanup: "truncation", reset: "reset", pause: "status", activate: "status", resume: "resume", invalidCursors: "resume", disconnectAt: "resume", info: "info", snapshot: "snapshot",
	kill: "durable", killAmid: "durable", snapshotWithoutPartial: "snapshot", crash: "checkpoints", crashAmid: "checkpoints", supersedeAmid: "supersede", interrupt: "checkpoints", rollback: "checkpoints",
	branch: "checkpoints", retry: "checkpoints", supersede: "supersede",
}

// subjects are the histories that there are, by the words of the step that plays them.
var subjects = map[string]subject{
	"a stream": {programs: 20, operations: 30, streams: 1, readers: 4, chunks: 4, bytes: 60, patched: true},
	"a stream that begins again and again": {programs: 12, operations: 50, streams: 1, readers: 3, chunks: 4, bytes: 60, weights: map[kind]int{
		write: 12, cleanup: 8, reset: 5, end: 3, fail: 3, pause: 3, activate: 4, attach: 4, resume: 4, leave: 1, receive: 3, snapshot: 2,
	}},
	"a long stream": {programs: 2, operations: 12, streams: 1, readers: 3, chunks: 200, bytes: 40, long: true, weights: map[kind]int{
		write: 4, resume: 8, attach: 1, info: 3, snapshot: 1, cleanup: 1, reset: 0, end: 0, fail: 0, readOn: 1, attachBriefly: 0, pause: 1, activate: 2, receive: 3,
	}},
	"a stream that holds data": {programs: 8, operations: 24, streams: 1, readers: 3, chunks: 14, bytes: 1 << 20, varied: true, weights: map[kind]int{
		write: 24, reset: 0, end: 0, fail: 0, cleanup: 1, attachBriefly: 0,
	}},
	"a stream that many read": {programs: 4, operations: 60, streams: 1, readers: mostReaders, chunks: 3, bytes: 60, weights: map[kind]int{
		write: 8, attach: 20, resume: 20, leave: 3, receive: 2, readOn: 3, attachBriefly: 1, cleanup: 4, pause: 4, activate: 4, reset: 1, info: 1, end: 0, fail: 0,
	}},
	"unusual cursors, cuts and deletions": {programs: 5, operations: 30, streams: 1, readers: 3, chunks: 9, bytes: 60, weights: map[kind]int{
		write: 10, invalidCursors: 20, disconnectAt: 6, remove: 3, cleanup: 3, reset: 1, end: 2, fail: 1, attachBriefly: 0, readOn: 0, closeWriter: 0, info: 1, attach: 2, resume: 2,
	}},
	"writers and readers that race": {programs: 3, operations: 2, streams: 1, readers: 2, chunks: 3, bytes: 60, races: true, weights: map[kind]int{
		race: 16, write: 3, attach: 1, resume: 2, attachBriefly: 0, closeWriter: 0, pause: 0, activate: 0, end: 0, fail: 0, reset: 1, snapshot: 0,
	}},
	"a stream whose server is killed": {programs: 8, operations: 7, streams: 1, readers: 3, chunks: 5, bytes: 60, kills: true, weights: map[kind]int{
		kill: 10, race: 4, write: 12, end: 2, fail: 1, reset: 3, attachBriefly: 0, snapshot: 2, readOn: 0,
	}},
	"streams with ids that are alike": {programs: len(alike), operations: 5, streams: 4, readers: 3, chunks: 3, bytes: 60, names: true, weights: map[kind]int{
		write: 12, info: 6, cleanup: 5, pause: 3, snapshot: 2,
	}},
}

// Subjects are the names of what histories are about: streams, big streams, runs, and servers that are killed.
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

// Kills reports whether histories of a subject need a server that may be killed.
func Kills(about string) bool { return subjects[about].kills || runSubjects[about].crashing }

// OfRuns reports whether histories of a subject need a server that runs agents.
func OfRuns(about string) bool { return runSubjects[about].programs > 0 }

// Programs is how many programs of a subject standard effort plays.
func Programs(about string) int { return max(1, subjects[about].programs, runSubjects[about].programs) }

// Draw makes a program of a subject. The same seed and number give the same program for the same claims.
func Draw(seed int64, number int, about string, claims func(capability string) bool) Program {
	s := subjects[about]
	r := campaign.NewDraw(seed, uint64(number)+uint64(slices.Index(Subjects(), about))<<32)
	if OfRuns(about) {
		return drawRuns(r, number, about, claims)
	}
	if draw := big[about]; draw != nil {
		return Program{streams: 1, operations: draw(r, claims)}
	}
	p := Program{streams: s.streams}
	if s.kills && !(claims("durable") && claims("resume")) {
		return p
	}
	if s.names {
		kinds := slices.Sorted(maps.Keys(alike))
		p.names = kinds[number%len(kinds)]
	} else if s.streams == 1 && r.IntN(4) == 0 {
		p.streams = 2 // a leak needs somewhere to go
	}
	s.far = farSteps[(campaign.NewDraw(seed, uint64(len(Subjects()))<<32).IntN(len(farSteps))+number)%len(farSteps)] // each has its turn
	kinds := slices.Sorted(maps.Keys(weights))
	of := make([]int, len(kinds))
	for i, k := range kinds {
		of[i] = weights[k]
		if w, own := s.weights[k]; own {
			of[i] = w
		}
		if c := needs[k]; c != "" && !claims(c) {
			of[i] = 0
		}
	}
	readers := 1 + r.IntN(s.readers)
	if s.readers == mostReaders {
		readers = campaign.Pick(r, 3, 4, 5, 8, 9, 16, 17, mostReaders)
	}
	if p.operations = s.beginning(r, p.streams, number, claims); s.readers == mostReaders {
		p.operations = many(r, readers, claims)
	}
	for most := len(p.operations) + s.operations; len(p.operations) < most; {
		stream := r.IntN(p.streams)
		drawn := []Operation{s.draw(r, kinds[campaign.Weighted(r, of)], readers)}
		if r.IntN(s.operations) < 2 {
			drawn = s.again(r, claims)
		}
		for _, o := range drawn {
			o.stream = stream
			p.operations = append(p.operations, o)
		}
	}
	return p
}

// beginning is how a history of the subject begins, which the draw goes on from.
func (s subject) beginning(r *rand.Rand, streams, number int, claims func(capability string) bool) (out []Operation) {
	switch {
	case s.kills:
		return s.crashing(r, number, claims)
	case s.long:
		return long(r, number, claims)
	case s.varied && number == 0:
		return everything(r, claims)
	case s.varied && number == s.programs-1: // what costs most comes last
		return large(r)
	case s.weights[invalidCursors] > 0: // of ids with one digit and with two
		out = []Operation{{kind: attach, who: 1}, {kind: write, who: 1, count: 12, each: 3, step: mixed, class: asciiText, size: 30}, {kind: receive, who: 1}}
		out = append(out, Operation{kind: unauthorized}, Operation{kind: invalidCursors, class: "with-zeros", cursor: 10 + r.IntN(2), query: campaign.Pick(r, "", "query")})
		return append(out, oddly(r, number, claims)...)
	case s.races:
		for _, amid := range []kind{end, cleanup, "", reset} {
			o := s.draw(r, race, 1)
			if o.amid = amid; amid != cleanup {
				o.step = 0
			}
			if amid == "" { // so often that what is lost in a moment between a replay and what is live is seen, with a rest to replay and without
				o.each = 1 + 2*(number%2)
				o.count, o.again = 50*o.each, true
			}
			if amid == end && number == 0 { // arrays that take a while to be read
				o.count, o.each = 96, 32
			}
			out = append(out, o)
		}
		return append(out, Operation{kind: concurrentOpen, who: 2 + r.IntN(4)}, Operation{kind: concurrentOpen, who: mostRacers})
	case s.names:
		return oneByOne(streams, claims)
	case s.patched && number == 0:
		return patched(claims)
	}
	return nil
}

// patched begins a history with patches of every way, each change of which is looked at before another one covers it, and with
// arrays that are equal.
func patched(claims func(string) bool) []Operation {
	out := []Operation{{kind: attach, who: 1}}
	for range 9 {
		out = append(out, Operation{kind: write, who: 1, count: 4, each: 1, step: stepless, class: patches, size: 1})
		if claims(needs[snapshot]) {
			out = append(out, Operation{kind: snapshot})
		}
	}
	if claims(needs[snapshot]) && claims(needs[cleanup]) { // what is shown when a change is removed is what was there before
		for range 2 {
			out = append(out, Operation{kind: write, who: 1, count: 6, each: 1, step: stepless, class: apart, size: 1}, Operation{kind: snapshot})
			out = append(out, Operation{kind: cleanup, step: 1}, Operation{kind: snapshot})
		}
	}
	out = append(out, Operation{kind: write, who: 1, count: 6, each: 1, step: stepless, class: reasoningOf, size: 1})
	if claims(needs[snapshot]) {
		out = append(out, Operation{kind: snapshot})
	}
	for _, each := range []int{1, 2, 3} { // a writer that says the same again means it
		out = append(out, Operation{kind: write, who: 1, count: 12, each: each, step: stepless, class: equals, size: 500})
	}
	return append(out, Operation{kind: receive})
}

// everything begins a history with every text and every value that there is, which one reader watches and others come
// back to, and with every chunk that must be refused.
func everything(r *rand.Rand, claims func(string) bool) []Operation {
	out := []Operation{
		{kind: attach, who: 1}, {kind: write, who: 1, count: campaign.Texts(), each: 1 + r.IntN(40), step: mixed, class: every, size: 1}, {kind: receive, who: 1},
		{kind: write, who: 2, count: 3 * len(campaign.Values()), each: 1 + r.IntN(40), step: mixed, class: values, size: 1},
		{kind: write, who: foreign, count: len(common), each: 1, step: stepless, class: lacking, size: 1},
		{kind: write, who: 2, count: len(unauthorizedCalls), each: 1, step: stepless, class: strange, size: 1},
		{kind: write, who: 2, count: len(document.UnknownMembers()), each: 1, step: stepless, class: unknown, size: 1},
	}
	if claims(needs[cleanup]) {
		out = append(out, Operation{kind: cleanup, step: 2}, Operation{kind: snapshot})
	}
	for range wrongs {
		out = append(out, Operation{kind: rejectBatch, count: 3, cursor: 1})
	}
	return out
}

// oneByOne begins a history with what is done to one stream of several, and with a look at all.
func oneByOne(streams int, claims func(capability string) bool) []Operation {
	var out []Operation
	for i := range streams {
		out = append(out, Operation{kind: write, stream: i, who: 1, count: 2 + i, each: 1, step: 2, class: asciiText, size: 1}, Operation{kind: attach, stream: i, who: 1})
	}
	do := func(i int, kinds ...kind) {
		for _, k := range kinds {
			if c := needs[k]; c == "" || claims(c) {
				out = append(out, Operation{kind: k, stream: i, step: 1})
			}
		}
	}
	inspect := func(from int, kinds ...kind) {
		for i := from; i < streams; i++ {
			do(i, kinds...)
		}
	}
	for i := range streams {
		do(i, cleanup, pause)
		// What it does to those before is seen below.
		inspect(i, info, snapshot)
		out = append(out, Operation{kind: write, stream: i, who: 1, count: 1, each: 1, step: 2, class: asciiText, size: 1}) // which no other cleanup removes
	}
	for i := range 1 + streams/2 {
		do(i, activate)
		inspect(0, info)
	}
	return out
}

// large begins a history with chunks that are.
func large(r *rand.Rand) []Operation {
	at := func(size int) Operation {
		return Operation{kind: write, who: 1, count: 1, each: 1, step: stepless, class: campaign.Pick(r, asciiText, "accents"), size: size}
	}
	return []Operation{at(1), {kind: attach, who: 1}, at(1), at(64<<10 + r.IntN(3)), at(1<<20 - r.IntN(3)), at(1), {kind: resume, who: 2, cursor: 1}}
}

// again repeats something: whatever works twice may fail the third time, or the fourth.
func (s subject) again(r *rand.Rand, claims func(capability string) bool) []Operation {
	blocks := [][]kind{
		{cleanup}, {pause, activate}, {reset}, {resume}, {leave, resume}, {end, reset}, {fail, reset}, {pause, cleanup, activate}, {cleanup, resume}, {closeWriter},
		{pause, end, activate, info, reset}, {pause, fail, activate, info, reset}, {pause, reset}, {reset, pause, reset}, {end, pause, info, reset}, {reset, attach}, {resume, cleanup},
	}
	block := blocks[r.IntN(len(blocks))]
	for _, k := range block {
		if c := needs[k]; c != "" && !claims(c) {
			return nil
		}
	}
	out := []Operation{{kind: attach, who: 1}}
	far := r.IntN(2) == 0 // where a column of steps ends
	for range 2 + r.IntN(4) {
		one := s.draw(r, write, 1)
		one.count, one.each, one.step = campaign.Pick(r, 1+r.IntN(6), 1+r.IntN(6), 9+r.IntN(12)), 32, campaign.Pick(r, mixed, mixed, 3)
		if far {
			one.step = s.far + 2
		}
		out = append(out, one)
		for _, k := range block {
			o := s.draw(r, k, 1+r.IntN(2))
			if k == resume && block[len(block)-1] == cleanup { // nothing is sent to it before that
				o.cursor = latest
			}
			if k == cleanup {
				if o.step = r.IntN(2); far {
					o.step += s.far
				}
			}
			out = append(out, o)
		}
	}
	return out
}

// farSteps are where columns of steps end, but for two.
var farSteps = []int{98, 126, 127, 254, 255, 998, 32766, 65534, 1<<31 - 2, 1<<32 - 2, 1<<53 - 3}

// draw makes one operation of a kind.
func (s subject) draw(r *rand.Rand, k kind, readers int) Operation {
	o := Operation{kind: k}
	switch k {
	case write:
		o.who, o.class = 1+r.IntN(3), campaign.Pick(r, mixedChunks, mixedChunks, mixedChunks, asciiText)
		o.count, o.size = campaign.Size(r, s.chunks), 1+r.IntN(60)
		o.each = campaign.Pick(r, 1, o.count)
		o.step = campaign.Pick(r, stepless, mixed, r.IntN(5), r.IntN(5), campaign.Pick(r, 0, 1, 9, 10, 11, 99, 100), s.far+r.IntN(3))
		if s.varied {
			s.vary(r, &o)
		}
	case closeWriter:
		o.who = 1 + r.IntN(3)
	case rejectBatch:
		o.count = campaign.Pick(r, 2, 3, 9, 33, 65, 101, 129, 150)
		o.cursor = campaign.Pick(r, 0, o.count-1, o.count-1, r.IntN(o.count))
	case cleanup:
		o.step = campaign.Pick(r, 0, 1, 2, 3, 9, 10)
		if r.IntN(3) == 0 {
			o.step = s.far + r.IntN(3)
		}
	case invalidCursors:
		means := campaign.Pick(r, none, bad, bad, padded, padded, isBeyondLatest, isBeyondLatest)
		of := slices.DeleteFunc(slices.Sorted(maps.Keys(oddities)), func(class string) bool { return oddities[class].means != means })
		o.class, o.cursor = campaign.Pick(r, of...), r.IntN(20)
		o.query = campaign.Pick(r, "", "query", "query", "both")
	case disconnectAt:
		o.who, o.size = 1+r.IntN(readers), campaign.Size(r, 4000)
	case race:
		o.who, o.count, o.concurrently = 2+r.IntN(3), 4+r.IntN(6), 2+r.IntN(3)
		o.each = campaign.Pick(r, 1, 1, 2, 3)
		if o.amid = campaign.Pick(r, "", "", end, end, cleanup, cleanup, reset); o.amid == cleanup {
			o.step = r.IntN(3)
		}
		o.killed = s.death(r, o)
	case end, fail:
		o.class = asciiText
		if r.IntN(2) == 0 {
			o.class = campaign.Pick(r, slices.DeleteFunc(campaign.Classes(), func(c string) bool { return c == "nul" })...)
		}
	case attach, leave, receive, readOn, resume:
		o.who = 1 + r.IntN(readers)
		if k == attach || k == resume {
			o.over = campaign.Pick(r, "", "", "", "gzip", "HTTP/2")
		}
		if k == resume {
			o.query = campaign.Pick(r, "", "", "query", "both", "another", "neither", "beside")
			o.cursor = campaign.Pick(r, here, here, latest, r.IntN(8), campaign.Size(r, 8))
			if s.long {
				o.cursor = campaign.Pick(r, here, latest, r.IntN(1200), campaign.Size(r, 1200), campaign.Near(r, 99, 127, 255, 511, 999, 999, 1023))
				o.query = campaign.Pick(r, "", "query", "both")
			}
		}
		o.first = k == leave && r.IntN(3) > 0
	case attachBriefly:
		o.who = campaign.Pick(r, 1, 2, 8, 20)
	}
	return o
}

// vary draws what is written from the catalogue, and now and then how long it is.
func (s subject) vary(r *rand.Rand, o *Operation) {
	o.class = campaign.Pick(r, append(campaign.Classes(), values, values, values, unknown, unknown, strange, lacking)...)
	if r.IntN(16) == 0 {
		o.count, o.each = 1, 1
		o.size = campaign.Pick(r, campaign.Size(r, s.bytes), 64<<10+r.IntN(3), 128<<10)
		o.class = campaign.Pick(r, asciiText, "astral", "accents", "markup")
	}
}
