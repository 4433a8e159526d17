package aep

import (
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
)

// longest returns an answer of many blocks, one of many pieces and large ones, requests that are large themselves, and long
// answers that end badly.
func longest(r *rand.Rand, _ int, claims func(string) bool) []Operation {
	many := Operation{kind: makeRequest, count: 11, class: ascii, size: 600}
	for i := range 340 + r.IntN(60) { // more than 1,000 blocks
		if i%43 == 42 { // even a server that gathers output has sent the earlier text
			many.steps = append(many.steps, step{name: "await"})
		}
		between := step{"tool", ascii, 1 + r.IntN(20)}
		if i%20 == 3 {
			between = step{"thinking", words, 1 + r.IntN(5)}
		}
		many.steps = append(many.steps, between, step{"text", campaign.Pick(r, campaign.Classes()...), 1 + r.IntN(40)})
	}
	of := func(kibibytes ...int) int { return campaign.Pick(r, kibibytes...)<<10 + r.IntN(3000) }
	pairs := func(name string, size int) []step { // wherever a server cuts them, it cuts one of them within a pair
		return slices.Repeat([]step{{name, "astral", size}}, 4)
	}
	large := Operation{kind: makeRequest, count: 3, class: ascii, size: 24_000, stalled: true, over: campaign.Pick(r, "", "HTTP/2"), steps: []step{
		{"thinking", campaign.Pick(r, unbroken...), of(129, 161)}, {"text", words, 1030 + r.IntN(70)}, {name: "await"},
		{"thinking", words, 257 + r.IntN(20)}, {"tool", ascii, of(65)}, {name: "await"}, {"text", campaign.Pick(r, unbroken...), 262_144 + r.IntN(40_000)}, {name: "await"},
	}}
	large.steps = slices.Concat(pairs("thinking", 300+r.IntN(7)), pairs("tool", 1300+r.IntN(300)), large.steps)
	asked := Operation{kind: makeRequest, count: 1, class: campaign.Pick(r, unbroken...), size: 34_000 + 3*r.IntN(3000), over: "gzip", steps: []step{
		{"text", campaign.Pick(r, unbroken...), of(17)}, {name: "await"}, {name: "echo", class: "messages"}, {name: "echo", class: "context"},
	}}
	page := 4200 + r.IntN(800) // larger than a buffer of a server, and no later text waits
	alone := Operation{kind: makeRequest, thread: 1, count: 1, class: ascii, size: 2, steps: []step{
		{"text", campaign.Pick(r, unbroken...), page}, {name: "await"}, {"tool", ascii, page}, {name: "await"}, {"thinking", campaign.Pick(r, unbroken...), page}, {name: "await"},
	}}
	turns := slices.Repeat([]Operation{{kind: next, thread: 1}}, 3)
	ends := Operation{kind: makeRequest, thread: 1, count: 1, class: ascii, size: 2, steps: []step{
		{"text", words, 515 + r.IntN(20)}, {"tool", ascii, 5}, {"thinking", words, 2}, {"failing", ascii, 5}, {"text", words, 2}, {name: "fail", class: campaign.Pick(r, failures...)},
	}}
	stops := ends
	stops.steps = []step{ends.steps[0], {name: "await"}, {"text", words, 2}}
	stop := Operation{kind: cancel, thread: 1}
	if !claims(needs[cancel]) {
		stop.kind = leave
	}
	if !acting(claims) {
		return slices.Concat([]Operation{many, large, alone}, turns, []Operation{asked, ends, stops, stop})
	}
	brings := asked
	brings.brings, brings.steps = mixed, []step{{name: "echo", class: "results"}}
	brings.size = 32_002 // a large error and a large result
	asked.steps = append(asked.steps, step{"continue", ascii, of(65)}, step{"continue", ascii, 2})
	return slices.Concat([]Operation{many, large, alone}, turns, []Operation{asked, {kind: finish}, brings, ends, stops, stop}) // the action was requested before
}

// catalogued returns requests and answers with all data of the catalogues: combined, and each alone.
func catalogued(r *rand.Rand, number int, claims func(string) bool) []Operation {
	if number > 0 {
		return nil
	}
	from := r.IntN(campaign.Texts())
	same := step{"tool", sample, 4*r.IntN(campaign.Texts()/4) + 2}
	before, after := step{"text", sample, numbered("x ")}, step{"text", sample, numbered(" x")} // white space where blocks meet
	held := []step{
		{"text", every, from}, before, {"tool", every, from}, after, {"thinking", every, from}, {"failing", every, from + 1}, {"failing", ascii, 3}, after,
		{"thinking", words, 3}, same, same, {"text", every, from + 1},
		{"tool", sample, 4}, {"tool", sample, 12}, {"tool", ascii, 5}, {"text", sample, numbered("null")}, // as the summary of the call
		{"thinking", sample, numbered("null")}, {"text", sample, numbered("null")}, {"thinking", words, 3}, after,
	}
	repeats := func(of Operation, what ...string) Operation {
		for _, class := range what {
			of.steps = append(of.steps, step{name: "echo", class: class})
		}
		return of
	}
	out := []Operation{
		repeats(Operation{kind: makeRequest, count: 1, class: every, size: from, over: campaign.Pick(r, append(transports(), "")...), steps: held}, "messages", "context"),
		repeats(Operation{kind: makeRequest, count: mostMessages, class: sample, size: from}, "messages"),
	}
	for _, n := range []int{numbered("false"), numbered("null"), numbered("null"), numbered("x "), zero(), r.IntN(campaign.Texts())} { // one of them says what the agent said
		out = append(out, Operation{kind: makeRequest, count: 1, class: sample, size: n, steps: []step{{"tool", sample, n}, {"only", sample, n}}})
	}
	if !acting(claims) {
		return out
	}
	for i := range bareValues {
		out[0].steps = append(out[0].steps, step{"continue", sample, 3 * (i + from)})
	}
	for range manyActions { // more than a page of a table
		out[0].steps = append(out[0].steps, step{"continue", ascii, 2})
	}
	brought := repeats(Operation{kind: makeRequest, count: 1, class: sample, size: campaign.Pick(r, 3, 9, 15), brings: all, steps: held[1:5]}, "results", "history")
	brought.steps = append(brought.steps, step{"continue", every, from})
	last := repeats(Operation{kind: makeRequest, count: 1, class: every, size: from, brings: one}, "results")
	return append([]Operation{out[0], brought, last}, out[1:]...)
}

// manyActions is the number of small actions that are requested at once.
const manyActions = 120

// crowded returns a request that is active while so many others are, each on a separate thread, that a server with a
// bounded memory of requests or threads has dropped it. It is cancelled then.
func crowded(over string) []Operation {
	waits := Operation{kind: makeRequest, count: 1, class: ascii, size: 3, over: over, steps: []step{{"text", words, 2}, {name: "await"}, {"text", words, 2}}}
	idle := Operation{kind: makeRequest, thread: 1, count: 1, class: ascii, size: 3, steps: waits.steps[:1]}
	return []Operation{idle, waits, {kind: cancel}, waits, {kind: brief, count: maxConcurrent}, {kind: cancel}}
}

// deserted returns requests whose clients leave, more of them than a server has capacity for. It has to free it each time.
func deserted() (out []Operation) {
	waits := Operation{kind: makeRequest, thread: 1, count: 1, class: ascii, size: 2, steps: []step{{"text", words, 2}, {name: "await"}}}
	for range mostLeft {
		out = append(out, waits, Operation{kind: leave, thread: 1})
	}
	return out
}

// failing are requests that fail, one after the other, more of them than a server puts up with that takes its agent for
// broken; and then one that doesn't.
func failing(fails Operation) []Operation {
	fails.thread = 1
	once := fails
	once.steps = fails.steps[:1]
	fails.steps = fails.steps[len(fails.steps)-1:]
	return append(slices.Repeat([]Operation{fails}, mostFailing), once)
}

// mostFailing is the number of requests that fail in a row.
const mostFailing = 11

// mostLeft is the number of clients that disconnect in a row.
const mostLeft = 66

// maxConcurrent is the number of requests that are answered while another one waits.
const maxConcurrent = 130

// mostShort is the number of requests with short messages on one thread.
const mostShort = 105

// recalled returns a conversation of more messages than a page of a store, one of more requests, and some that fill their
// pages exactly. The end of each repeats all.
func recalled(*rand.Rand, int, func(string) bool) (out []Operation) {
	for n := range 9 {
		out = append(out, Operation{kind: makeRequest, count: mostMessages - n, class: ascii, size: 3, steps: []step{{"text", words, 2}}})
	}
	out = append(out, Operation{kind: short, thread: 1, count: mostShort})
	for i, page := range []int{100, 128} { // with the answer
		out = append(out, Operation{kind: makeRequest, thread: 2 + i, count: page - 1, class: ascii, size: 3, steps: []step{{"text", words, 2}}})
	}
	return out
}

// stoppedAt returns the steps of an agent before it is stopped or fails. They alternate with number: half have no text.
func stoppedAt(number int) []step {
	at := [][]step{
		{{"thinking", words, 3}}, {{"tool", ascii, 5}}, {{"text", words, 2}, {"text", words, 3}, {"thinking", words, 3}},
		{{"text", words, 2}, {"text", words, 3}, {"failing", ascii, 5}, {"text", words, 2}},
	}
	return at[number%len(at)]
}

// stopped returns requests that are stopped and repeated, one in each program for each state that the agent may be in.
func stopped(r *rand.Rand, number int, claims func(string) bool) []Operation {
	once := Operation{kind: makeRequest, count: 1, class: ascii, size: 3, steps: append(stoppedAt(number), step{name: "await"}, step{"text", words, 2}), over: campaign.Pick(r, append(transports(), "")...)}
	if !claims("cancel") {
		return []Operation{once, {kind: leave}, once}
	}
	fails := once
	before := stoppedAt(number + 1)
	broken := func(n int) step { return step{name: "fail", class: failures[(number+n)%len(failures)]} }
	fails.steps = append(slices.Clone(before), broken(0))
	other, another := fails, fails // on the same thread, in the other ways
	other.steps = append(slices.Clone(before), broken(1))
	another.steps = slices.Concat([]step{{"failing", ascii, 1}}, before, []step{broken(2)}) // of a tool it had gone on
	beside, knows := once, once
	// Failures and empty results of one tool, each in its own call.
	beside.over, knows.steps = "", []step{{"text", words, 2}, {"failing", ascii, 5}, {"failing", ascii, 5}, {"tool", ascii, 5}, {"failing", ascii, 5}, {name: "echo", class: "history"}}
	var out []Operation
	switch number {
	case 0:
		out = deserted()
	case 2:
		out = crowded(once.over)
	}
	if number == 1 {
		out = failing(fails)
	}
	if number == 3 { // meanwhile a thread is begun, others are used, and some clients disconnect early
		out = []Operation{
			once, {kind: makeRequest, thread: 1, count: 1, class: ascii, size: 2, steps: []step{{"text", words, 2}}}, {kind: cancel},
			once, {kind: crowd}, {kind: later}, {kind: finish}, once, {kind: connectAndLeave, count: 2}, {kind: finish},
		}
	}
	return append(out, []Operation{
		once, {kind: tryCancel}, {kind: cancel}, {kind: repeat}, {kind: finish}, fails, {kind: repeat}, other, another,
		once, beside, {kind: later}, {kind: finish}, once, {kind: tryCancel}, {kind: leave},
		once, {kind: cancelEnded}, {kind: finish}, // of those that are over the client of one has left
		once, {kind: cancel}, once, {kind: cancel}, // in a row
		knows, {kind: repeat}, {kind: repeat}, // three equal requests have three equal histories
	}...)
}

// tried returns requests with actions of which one is tried, in a run that ends differently in each program, and then the
// others.
func tried(r *rand.Rand, number int, claims func(string) bool) []Operation {
	if !acting(claims) {
		return nil
	}
	asks := Operation{kind: makeRequest, count: 1, class: ascii, size: 1, steps: []step{
		{"continue", ascii, 2}, {"continue", sample, 3 * r.IntN(bareValues)}, {"continue", ascii, 2}, {"continue", ascii, 4},
	}}
	bring := func(what outcome, acts ...step) Operation {
		over := campaign.Pick(r, append(transports(), "")...)
		acts = append([]step{{name: "echo", class: "results"}}, acts...)
		return Operation{kind: makeRequest, count: 1, class: sample, size: r.IntN(campaign.Texts()), brings: what, over: over, steps: acts}
	}
	stray := bring(elsewhere) // of a request that begins a thread of its own
	stray.thread = 2
	others := asks // of the same user
	others.thread, others.steps = 2, asks.steps[1:3]
	out := []Operation{asks, stray, others, bring(withOtherThread), bring(withOtherUser), {kind: concurrentResults, thread: 2}, {kind: []kind{noForm, unauthorized, early, beyond}[number%4]}}
	if number%2 > 0 && claims(needs[cancelEnded]) { // which withdraws nothing of a request that is over
		out = append(out, Operation{kind: cancelEnded})
	}
	switch number % 4 {
	case 0, 1:
		out = append(out, bring(one, step{name: "fail", class: []string{"agent_error", "tool_error"}[number%2]}))
	default:
		waits := bring(one)
		waits.steps = []step{{"text", words, 2}, {name: "await"}, {"text", words, 2}}
		end := []kind{cancel, leave}[number%2]
		if !claims(needs[end]) && needs[end] != "" {
			end = leave
		}
		out = append(out, waits, Operation{kind: end})
	}
	waits := bring(one)
	waits.steps = []step{{"text", words, 2}, {name: "await"}, {name: "echo", class: "results"}, {"continue", ascii, 3}} // while others are open
	never := bring(never)
	never.size = 1 + number%4
	beside := bring(withRepeated) // of two that are taken, the one and the other
	further := beside
	further.size++
	old := bring(withRepeated) // a refused result has no effect
	alone := old
	alone.brings = again
	out = append(out, never, bring([]outcome{doubled, nameless}[number%2]), bring(retried), bring(again), waits, Operation{kind: tryCancel}, bring(again), Operation{kind: heed}, beside, Operation{kind: heed}, further, Operation{kind: heed}, Operation{kind: finish},
		others, bring(elsewhere), // on a thread that has answered some of its own
		old, alone, Operation{kind: []kind{early, noForm, badForm}[number%3]})
	mute := bring(mixed)
	mute.count = number % 2 // without a word of the user
	mute.steps = append([]step{{name: "echo", class: "messages"}, {name: "echo", class: "history"}}, mute.steps...)
	vain := bring(one, step{name: "fail", class: failures[number%len(failures)]})
	vain.count = 0
	out = append(out, vain, mute, bring(again))
	out = append(out, answeredAtOnce(r, number, asks, others, bring)...)
	end := []kind{next, cancel, leave}[number%3]
	if !claims(needs[end]) && needs[end] != "" {
		end = next
	}
	return append(parallel(end), out...)
}

// answeredAtOnce returns actions that are answered at once: some, each of which is answered again then, or more than a batch,
// with an invalid one first. An action whose first run fails without a text is tried twice.
func answeredAtOnce(r *rand.Rand, number int, asks, others Operation, bring func(what outcome, acts ...step) Operation) []Operation {
	silent := bring(one)
	silent.count, silent.steps = 0, []step{{name: "fail", class: failures[number%len(failures)]}}
	out := []Operation{asks, silent, silent}
	switch number {
	case 0:
		out = append(out, asks, bring(all))
		again := bring(again)
		for again.size = range asks.steps {
			out = append(out, again)
		}
	case 1:
		many := asks
		many.steps = slices.Repeat([]step{{"continue", ascii, 2}}, 9+r.IntN(9))
		out = append(out, others, many, bring(allWithOtherThread), bring(all))
	}
	return out
}

// parallel returns requests that are answered concurrently, of which the first fails or is stopped: one that requests an
// action while it is active, and then one with another result. Neither depends on that end. Each gets its time: the next
// request could arrive before it.
func parallel(end kind) []Operation {
	once := Operation{kind: makeRequest, thread: 1, count: 1, class: ascii, size: 2}
	fails, asks, works := once, once, once
	fails.steps = []step{{"text", words, 2}, {name: "await"}, {name: "fail", class: "agent_error"}}
	asks.steps = []step{{"text", words, 1}, {"continue", ascii, 2}, {"continue", ascii, 3}, {"continue", ascii, 4}}
	tries := fails
	tries.brings, works.brings = one, one
	works.steps = []step{{"text", words, 2}, {name: "await"}, {name: "echo", class: "results"}}
	brings, repeats := works, works
	brings.steps, repeats.steps, repeats.brings = works.steps[2:], works.steps[2:], again
	return []Operation{
		fails, asks, {kind: heed, thread: 1}, {kind: end, thread: 1}, brings, {kind: finish, thread: 1},
		tries, works, {kind: heed, thread: 1}, {kind: end, thread: 1}, repeats, {kind: heed, thread: 1}, {kind: finish, thread: 1}, repeats,
	}
}
