package aep

import (
	"math/rand/v2"

	"github.com/streamcert/streamcert/runner/campaign"
)

// crashHistories begins a conversation whose server is killed after each durable change, in a different order in each program.
func crashHistories(r *rand.Rand, number int, claims func(string) bool) []Operation {
	blocks := lasting(r, claims, Operation{kind: meet}, func() Operation {
		return Operation{kind: campaign.Pick(r, kill, kill, kill, fall), thread: 0}
	})
	out, ends := burdened(r, number, claims)
	for i := range 3 {
		out = append(out, blocks[(number+2*i+r.IntN(2))%len(blocks)]...)
		out = append(out, Operation{kind: finish})
	}
	if out = append(out, ends...); claims("auth") {
		out = append(out, Operation{kind: intrude})
	}
	return out
}

// burdened returns threads that begin with an error in every other program, and of which one then contains large and
// unusual data and an action that first fails: all of it must be durable. ends are the results sent last.
func burdened(r *rand.Rand, number int, claims func(string) bool) (begins, ends []Operation) {
	if number%2 > 0 {
		return nil, nil
	}
	fails := Operation{kind: makeRequest, thread: 3, count: 1, class: ascii, size: 2, steps: []step{{"text", words, 2}, {name: "fail", class: failures[number%len(failures)]}}}
	begins = []Operation{fails}
	if number == 0 {
		holds := Operation{kind: makeRequest, thread: 2, count: 2, class: every, size: r.IntN(campaign.Texts()), steps: []step{{"text", campaign.Pick(r, unbroken...), 66_000}}}
		begins = append(begins, holds)
	}
	if !acting(claims) {
		return begins, nil
	}
	on := func(o Operation) Operation {
		o.thread = 2
		return o
	}
	vain := on(answers(r, one))
	vain.steps = append(vain.steps, fails.steps[1])
	stray := answers(r, withOtherThread) // a result of another thread's action
	stray.brings = campaign.Pick(r, withOtherThread, elsewhere)
	return append(begins, on(inquires()), vain, on(answers(r, retried))), []Operation{inquires(), stray, on(answers(r, again))}
}

// lasting returns conversations in which between happens after each durable change. tries sends a result that fails.
func lasting(r *rand.Rand, claims func(string) bool, tries Operation, between func() Operation) [][]Operation {
	says := Operation{kind: makeRequest, count: 1 + r.IntN(2), class: ascii, size: 3, steps: []step{{"text", words, 3}, {"tool", ascii, 4}, {"text", words, 2}}}
	other := recalls()
	other.thread = 1
	blocks := [][]Operation{
		{says, between(), recalls(), between(), recalls(), between(), recalls()}, {pauses(), between(), recalls(), pauses(), {kind: next}, between(), recalls()},
		{says, other, between(), recalls(), other, between(), other},
	}
	if !acting(claims) {
		return blocks
	}
	stops := answers(r, one)
	stops.steps = []step{{"text", words, 1}, {name: "await"}, {"text", words, 1}}
	twice := answers(r, again)
	return append(blocks, []Operation{inquires(), between(), answers(r, one), between(), answers(r, again), answers(r, withRepeated), answers(r, one), between(), twice, twice},
		[]Operation{inquires(), between(), tries, answers(r, one), answers(r, failed), between(), answers(r, again)},
		[]Operation{inquires(), stops, between(), answers(r, retried), answers(r, one), between(), answers(r, mixed), between(), twice, twice},
		[]Operation{inquires(), answers(r, all), between(), inquires(), between(), answers(r, all), between(), twice, twice})
}

// recalls returns a request whose agent repeats the history.
func recalls() Operation {
	return Operation{kind: makeRequest, count: 1, class: ascii, size: 2, steps: []step{{"text", words, 2}, {name: "echo", class: "history"}}}
}

// pauses returns a request whose agent waits in the midst of its answer.
func pauses() Operation {
	return Operation{kind: makeRequest, count: 1, class: ascii, size: 2, steps: []step{{"text", words, 2}, {name: "await"}, {"text", words, 2}}}
}

// inquires returns a request whose agent asks for three things.
func inquires() Operation {
	return Operation{kind: makeRequest, count: 1, class: ascii, size: 1, steps: []step{{"text", words, 1}, {"continue", ascii, 2}, {"continue", sample, 3}, {"continue", ascii, 4}}}
}

// answers returns a request that brings results, and repeats them.
func answers(r *rand.Rand, what outcome) Operation {
	return Operation{kind: makeRequest, count: 1, class: ascii, size: 1 + r.IntN(3), brings: what, steps: []step{{"text", words, 1}, {name: "echo", class: "results"}}}
}

// moving returns a conversation whose next request goes to another replica after each change that all must know, in a
// different order in each program.
func moving(r *rand.Rand, number int, claims func(string) bool) []Operation {
	turns := Operation{kind: move}
	end := Operation{kind: cancel}
	if !claims(needs[cancel]) {
		end.kind = leave
	}
	blocks := [][]Operation{
		// Two concurrent requests, of which the second ends first; and one whose replica changes before it is cancelled.
		{pauses(), turns, recalls(), {kind: heed}, {kind: finish}, recalls(), turns, recalls()},
		{pauses(), turns, end, recalls(), pauses(), turns, {kind: leave}, recalls()},
	}
	if acting(claims) {
		more := answers(r, one)
		more.steps = append(more.steps, step{"continue", ascii, 3}, step{"continue", ascii, 5})
		stops := answers(r, one)
		stops.steps = []step{{"text", words, 1}, {name: "await"}, {"text", words, 1}}
		blocks = append(blocks, [][]Operation{
			{inquires(), turns, answers(r, one), turns, more, turns, answers(r, all), answers(r, again), turns, answers(r, again)},
			{inquires(), turns, {kind: concurrentResults}, {kind: concurrentResults}, answers(r, again), turns, answers(r, again)},
			{inquires(), stops, turns, answers(r, again), answers(r, withRepeated), {kind: finish}, answers(r, again)},
		}...)
	}
	blocks = append(blocks, lasting(r, claims, Operation{kind: concurrentResults}, func() Operation { return turns })...)
	out, ends := burdened(r, number, claims)
	for i := range 4 {
		out = append(out, blocks[(4*number+i)%len(blocks)]...)
		out = append(out, Operation{kind: finish})
	}
	if out = append(out, ends...); claims("auth") {
		out = append(out, turns, Operation{kind: intrude})
	}
	return out
}

// overdue returns requests that time out, and later requests on their thread.
func overdue(r *rand.Rand, number int, claims func(string) bool) []Operation {
	late := Operation{kind: expire}
	if number > 0 && acting(claims) {
		stops := answers(r, one)
		stops.steps = []step{{"text", words, 1}, {name: "await"}, {"text", words, 1}}
		return []Operation{inquires(), stops, late, answers(r, one), answers(r, retried), answers(r, again), stops, late, answers(r, all), answers(r, again)}
	}
	hangs := pauses()
	hangs.steps = []step{{"text", words, 1}, {"tool", ascii, 2}, {name: "await"}, {"text", words, 1}} // after a tool's result
	return []Operation{recalls(), pauses(), late, recalls(), hangs, late, {kind: repeat}, {kind: finish}, recalls()}
}
