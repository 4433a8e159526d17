package aep

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target/aep"
)

// subject describes the programs of one scenario.
type subject struct {
	programs   int          // at standard effort
	operations int          // of a program
	threads    int          // of a program, about
	steps      int          // of a script, at most
	words      int          // of a text, at most
	bytes      int          // of data, at most
	messages   int          // of a request, at most
	waits      int          // of a script at most, in addition to those that are drawn
	varied     bool         // the classes of data vary
	weights    map[kind]int // how often each kind of operation is drawn; a missing one has its usual weight
	often      []kind       // kinds of which each program repeats one
	kills      bool         // the server, now and then
	timed      bool         // by the agent whose streams time out
	needs      string       // the capability without which there is nothing to play
	// first returns the operations with which every program begins, independent of the seed; nil for none.
	first func(r *rand.Rand, number int, claims func(string) bool) []Operation
}

// weights contains the relative frequency of each kind, unless a subject overrides it.
var weights = map[kind]int{
	makeRequest: 20, next: 8, finish: 3, cancel: 2, race: 1, tryCancel: 1, cancelEnded: 1, leave: 2, connectAndLeave: 1, intrude: 1, unknownThread: 1, noForm: 1, badForm: 1, early: 1, repeat: 2,
	concurrentResults: 1, unauthorized: 1, later: 1, alike: 1, heed: 0, kill: 0, fall: 0, meet: 0, move: 0, expire: 0, short: 0, afresh: 1,
}

// subjects are the histories that there are, by the words of the step that plays them.
var subjects = map[string]subject{
	"a conversation": {programs: 1, operations: 14, threads: 1, steps: 5, words: 20, bytes: 60, messages: 3},
	"a long conversation": {programs: 1, operations: 52, threads: 1, steps: 1, words: 3, bytes: 20, messages: 20, needs: "threads", first: recalled,
		weights: map[kind]int{makeRequest: 60, leave: 0, connectAndLeave: 0, repeat: 4, alike: 0}},
	"conversations side by side": {programs: 3, operations: 20, threads: 4, steps: 4, words: 8, bytes: 40, messages: 2, waits: 1,
		often:   []kind{cancel, leave, repeat},
		weights: map[kind]int{makeRequest: 24, next: 10, finish: 1, cancel: 4, tryCancel: 2, cancelEnded: 2, leave: 4, later: 4}},
	"what the client has to do": {programs: 4, operations: 11, threads: 2, steps: 3, words: 4, bytes: 40, messages: 2, varied: true,
		needs: "actions", first: tried,
		weights: map[kind]int{makeRequest: 30, next: 3, cancel: 1, race: 0, tryCancel: 0, cancelEnded: 0, leave: 1, connectAndLeave: 0, concurrentResults: 3}},
	"a conversation whose server is killed": {programs: 6, operations: 8, threads: 2, steps: 3, words: 6, bytes: 40, messages: 2, needs: "durable", kills: true, first: crashHistories,
		weights: map[kind]int{makeRequest: 22, next: 6, kill: 6, fall: 4, meet: 4, connectAndLeave: 0, concurrentResults: 1, unauthorized: 0, noForm: 0, badForm: 0, cancelEnded: 0, alike: 0}},
	"streams that take too long": {programs: 2, threads: 1, needs: "limits", timed: true, first: overdue},
	"threads on several replicas": {programs: 3, operations: 6, threads: 2, steps: 3, words: 6, bytes: 40, messages: 2, needs: "replicas", first: moving,
		weights: map[kind]int{makeRequest: 22, next: 6, move: 12, connectAndLeave: 0, concurrentResults: 2, unauthorized: 0, noForm: 0, badForm: 0, cancelEnded: 0, alike: 0}},
	"long answers": {programs: 1, operations: 1, threads: 2, steps: 50, words: 300, bytes: 1 << 20, messages: 40, first: longest,
		weights: map[kind]int{cancel: 0, race: 1, connectAndLeave: 0}},
	"answers that hold data": {programs: 1, operations: 8, threads: 1, steps: 8, words: 5, bytes: 300, messages: 40, varied: true, first: catalogued},
	"requests that are stopped": {programs: 4, operations: 14, threads: 2, steps: 3, words: 12, bytes: 40, messages: 2, waits: 3,
		often: []kind{leave, cancel, connectAndLeave, cancelEnded}, first: stopped,
		weights: map[kind]int{makeRequest: 22, next: 12, cancel: 10, race: 3, tryCancel: 2, cancelEnded: 3, leave: 5, connectAndLeave: 2, finish: 2, later: 4}},
}

// Subjects lists the subjects of programs, sorted, those last in which the server is killed.
func Subjects() []string {
	all := slices.Sorted(maps.Keys(subjects))
	slices.SortStableFunc(all, func(a, b string) int {
		return map[bool]int{true: 1}[Kills(a)] - map[bool]int{true: 1}[Kills(b)]
	})
	return all
}

// Kills reports whether histories of a subject need a server that may be killed.
func Kills(about string) bool { return subjects[about].kills }

// Programs returns the number of programs of a subject at standard effort.
func Programs(about string) int { return subjects[about].programs }

// Draw makes a program of a subject, empty where nothing of it is claimed. The same seed and number give the same program
// for the same claims.
func Draw(seed int64, number int, about string, claims func(capability string) bool) Program {
	s := subjects[about]
	r := campaign.NewDraw(seed, uint64(number)+uint64(slices.Index(Subjects(), about))<<32)
	p := Program{threads: 1 + r.IntN(s.threads+1), two: claims("auth"), timed: s.timed}
	if s.threads > 2 {
		p.threads = s.threads - r.IntN(2)
	}
	if len(s.often) > 0 && number%len(s.often) == 0 && s.threads <= 2 {
		p.threads = 1 // so that the repeated kinds meet on one thread
	}
	if s.needs != "" && !claims(s.needs) {
		return p
	}
	kinds, of := s.chances(number, claims)
	for range s.operations {
		o := Operation{kind: kinds[campaign.Weighted(r, of)], thread: r.IntN(p.threads)}
		switch o.kind {
		case unknownThread:
			o.class = campaign.Pick(r, lookalikes()...)
		case connectAndLeave:
			o.count = campaign.Pick(r, 1, 2, 5)
		case alike:
			o.thread, o.size = 0, r.IntN(campaign.Texts())
		case makeRequest:
			s.draw(r, &o, claims("actions") && claims("threads"))
			if claims(modelOnly) && r.IntN(3) == 0 {
				o.upstream = campaign.Pick(r, aep.Upstreams()...)
			}
		}
		p.operations = append(p.operations, o)
		if s.waits > 1 && o.does("await") && r.IntN(2) == 0 {
			p.operations = append(p.operations, Operation{kind: stop(r, claims), thread: o.thread})
		}
	}
	for _, k := range []kind{unauthorized, intrude} {
		if claims(needs[k]) {
			p.operations = append(p.operations, Operation{kind: k, thread: r.IntN(p.threads)})
		}
	}
	if claims("threads") {
		all := lookalikes()
		p.operations = append(p.operations, Operation{kind: unknownThread, class: all[(r.IntN(2)+2*number)%len(all)]})
	}
	if s.first != nil {
		first := s.first(r, number, claims)
		p.threads = max(p.threads, 2)
		for _, o := range first {
			p.threads = max(p.threads, o.thread+1) // the first operations name threads of their choice
		}
		p.operations = append(first, p.operations...)
	}
	if claims("auth") && claims("threads") && !s.timed && number < 2 {
		p.operations, p.threads = append(p.operations, taken(number, p.threads)...), p.threads+1
	}
	choose(p.operations)
	return p
}

// stop draws one of the ways in which a client stops a request.
func stop(r *rand.Rand, claims func(capability string) bool) kind {
	if !claims(needs[cancel]) {
		return leave
	}
	return campaign.Pick(r, cancel, race, leave)
}

// unvaried lists the kinds of operations that are performed in one way only.
var unvaried = []kind{next, finish, leave, tryCancel, cancelEnded, heed, kill, fall, move, expire, repeat, afresh}

// choose gives each operation one of the ways in which it may be performed: each way of a request has its turn, and each of
// a cancellation. The first request without a right credential is made in all ways.
func choose(operations []Operation) {
	requests, cancels, first := 0, 0, true
	for i := range operations {
		o := &operations[i]
		switch {
		case slices.Contains(unvaried, o.kind), o.kind == unauthorized && first:
			first = first && o.kind != unauthorized
		case slices.Contains([]kind{cancel, race, later}, o.kind):
			cancels++
			o.choice = cancels
		default:
			requests++
			if o.choice = requests; o.kind != makeRequest {
				requests += o.count
			}
		}
	}
}

// chances returns the kinds of operations, and how often each is drawn in the nth program.
func (s subject) chances(number int, claims func(capability string) bool) (kinds []kind, of []int) {
	kinds = slices.Sorted(maps.Keys(weights))
	of = make([]int, len(kinds))
	for i, k := range kinds {
		of[i] = weights[k]
		if w, own := s.weights[k]; own {
			of[i] = w
		}
		if c := needs[k]; c != "" && !claims(c) || k == tryCancel && !claims("auth") {
			of[i] = 0
		}
	}
	if len(s.often) > 0 {
		of[slices.Index(kinds, s.often[number%len(s.often)])] *= 4
	}
	return kinds, of
}

// taken returns a thread on which another user sends requests while its first request is active, and after its end without a
// text.
func taken(number, thread int) []Operation {
	acts := [][]step{{{"tool", ascii, 3}, {name: "await"}}, {{name: "await"}, {"thinking", words, 2}}}[number]
	return []Operation{
		{kind: makeRequest, thread: thread, count: 1, class: ascii, size: 2, steps: acts}, {kind: intrude, thread: thread},
		{kind: finish, thread: thread}, {kind: intrude, thread: thread},
	}
}

// draw makes a request.
func (s subject) draw(r *rand.Rand, o *Operation, acts bool) {
	o.count, o.class, o.size, o.stalled = campaign.Size(r, s.messages), s.class(r), campaign.Size(r, min(s.bytes, 2000)), r.IntN(8) == 0
	if r.IntN(3) == 0 {
		o.over = campaign.Pick(r, transports()...)
	}
	brings, asks := 4, 4 // one in as many
	if s.needs == "actions" {
		brings, asks = 1, 2
	}
	if acts && r.IntN(brings) == 0 {
		o.brings = campaign.Pick(r, append(outcomes(), one, one, one, failed, all, again, withRepeated)...)
		if r.IntN(8) == 0 {
			o.count = 0
		}
	}
	if o.brings != none && r.IntN(2) == 0 {
		o.class = sample
	}
	if o.class == sample || o.class == every {
		o.size = r.IntN(2 * campaign.Texts())
	}
	if r.IntN(8) == 0 {
		o.steps = []step{{"only", sample, o.size + r.IntN(2)}}
		return
	}
	short := s
	n := r.IntN(campaign.Size(r, s.steps) + 1)
	if n > 8 { // many short ones
		short.words, short.bytes, short.varied = 5, 40, true
	}
	for i := range n {
		if i > 0 && r.IntN(5) == 0 && o.steps[i-1].name != "await" { // the same once more
			o.steps = append(o.steps, o.steps[i-1])
			if last := &o.steps[i]; last.name == "tool" && r.IntN(2) == 0 {
				last.name = "failing"
			}
			continue
		}
		o.steps = append(o.steps, short.step(r))
	}
	if s.waits > 1 && r.IntN(2) == 0 { // does a little each time that it goes on: whatever it does last, it may be stopped after that
		o.steps = nil
		for range s.waits {
			o.steps = append(o.steps, s.step(r), step{name: "await"})
		}
		o.steps = append(o.steps, step{"text", words, 2})
	}
	for range r.IntN(s.waits + 1) {
		o.steps = slices.Insert(o.steps, r.IntN(len(o.steps)+1), step{name: "await"})
	}
	for _, what := range []string{"messages", "history", "results", "context"} {
		if r.IntN(3) == 0 || what == "results" && o.brings != none || what == "history" && r.IntN(2) == 0 {
			o.steps = append(o.steps, step{name: "echo", class: what})
		}
	}
	s.end(r, o, acts && r.IntN(asks) == 0)
}

// end adds the end of a script: actions for the client, or a failure.
func (s subject) end(r *rand.Rand, o *Operation, asks bool) {
	switch {
	case asks:
		for i := range campaign.Pick(r, 1, 1, 2, 2, 3, 5, 12) {
			if i > 0 && r.IntN(5) == 0 {
				o.steps = append(o.steps, o.steps[len(o.steps)-1])
				continue
			}
			asks := step{name: "continue", class: s.class(r), size: campaign.Size(r, min(s.bytes, 4000))}
			if r.IntN(2) == 0 {
				asks.class = sample
			}
			o.steps = append(o.steps, s.sized(r, asks))
		}
	case r.IntN(7) == 0:
		if r.IntN(3) == 0 {
			o.steps = slices.Insert(o.steps, 0, step{"failing", ascii, 1})
		}
		o.steps = append(o.steps, step{name: "fail", class: campaign.Pick(r, "agent_error", "tool_error", "internal_error")})
	}
}

func (s subject) class(r *rand.Rand) string {
	if !s.varied && r.IntN(3) > 0 {
		return ascii
	}
	return campaign.Pick(r, append(campaign.Classes(), values, values, sample, sample, sample, sample)...)
}

// sized numbers a sample, and chooses where the complete catalogue begins.
func (s subject) sized(r *rand.Rand, a step) step {
	if a.class == sample || a.class == every {
		a.size = r.IntN(2 * campaign.Texts())
	}
	return a
}

// step returns one instruction of a script.
func (s subject) step(r *rand.Rand) step {
	switch name := campaign.Pick(r, "text", "text", "text", "thinking", "tool", "tool", "failing", "await", "await"); name {
	case "await":
		return step{name: name}
	case "text", "thinking":
		if !s.varied && r.IntN(3) > 0 || s.words > 100 && r.IntN(2) == 0 {
			return step{name, words, campaign.Size(r, s.words)}
		}
		if s.bytes > 1<<12 {
			return step{name, campaign.Pick(r, unbroken...), campaign.Size(r, s.bytes)}
		}
		return s.sized(r, step{name, s.class(r), campaign.Size(r, s.bytes)})
	default:
		return s.sized(r, step{name, s.class(r), campaign.Size(r, min(s.bytes, 6000))})
	}
}
