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
	fails := Operation{kind: ask, thread: 3, count: 1, class: plain, size: 2, acts: []act{{"text", words, 2}, {name: "fail", class: failures[number%len(failures)]}}}
	begins = []Operation{fails}
	if number == 0 {
		holds := Operation{kind: ask, thread: 2, count: 2, class: every, size: r.IntN(campaign.Texts()), acts: []act{{"text", campaign.Pick(r, unbroken...), 66_000}}}
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
	vain.acts = append(vain.acts, fails.acts[1])
	stray := answers(r, besideMore) // a result of another thread's action
	stray.brings = campaign.Pick(r, besideMore, elsewhere)
	return append(begins, on(inquires()), vain, on(answers(r, retried))), []Operation{inquires(), stray, on(answers(r, again))}
}

// lasting returns conversations in which between happens after each durable change. tries sends a result that fails.
func lasting(r *rand.Rand, claims func(string) bool, tries Operation, between func() Operation) [][]Operation {
	says := Operation{kind: ask, count: 1 + r.IntN(2), class: plain, size: 3, acts: []act{{"text", words, 3}, {"tool", plain, 4}, {"text", words, 2}}}
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
	stops.acts = []act{{"text", words, 1}, {name: "await"}, {"text", words, 1}}
	twice := answers(r, again)
	return append(blocks, []Operation{inquires(), between(), answers(r, one), between(), answers(r, again), answers(r, besideOld), answers(r, one), between(), twice, twice},
		[]Operation{inquires(), between(), tries, answers(r, one), answers(r, failed), between(), answers(r, again)},
		[]Operation{inquires(), stops, between(), answers(r, retried), answers(r, one), between(), answers(r, mixed), between(), twice, twice},
		[]Operation{inquires(), answers(r, all), between(), inquires(), between(), answers(r, all), between(), twice, twice})
}

// recalls returns a request whose agent repeats the history.
func recalls() Operation {
	return Operation{kind: ask, count: 1, class: plain, size: 2, acts: []act{{"text", words, 2}, {name: "echo", class: "history"}}}
}

// pauses returns a request whose agent waits in the midst of its answer.
func pauses() Operation {
	return Operation{kind: ask, count: 1, class: plain, size: 2, acts: []act{{"text", words, 2}, {name: "await"}, {"text", words, 2}}}
}

// inquires returns a request whose agent asks for three things.
func inquires() Operation {
	return Operation{kind: ask, count: 1, class: plain, size: 1, acts: []act{{"text", words, 1}, {"continue", plain, 2}, {"continue", sample, 3}, {"continue", plain, 4}}}
}

// answers returns a request that brings results, and repeats them.
func answers(r *rand.Rand, what outcome) Operation {
	return Operation{kind: ask, count: 1, class: plain, size: 1 + r.IntN(3), brings: what, acts: []act{{"text", words, 1}, {name: "echo", class: "results"}}}
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
		more.acts = append(more.acts, act{"continue", plain, 3}, act{"continue", plain, 5})
		stops := answers(r, one)
		stops.acts = []act{{"text", words, 1}, {name: "await"}, {"text", words, 1}}
		blocks = append(blocks, [][]Operation{
			{inquires(), turns, answers(r, one), turns, more, turns, answers(r, all), answers(r, again), turns, answers(r, again)},
			{inquires(), turns, {kind: rivals}, {kind: rivals}, answers(r, again), turns, answers(r, again)},
			{inquires(), stops, turns, answers(r, again), answers(r, besideOld), {kind: finish}, answers(r, again)},
		}...)
	}
	blocks = append(blocks, lasting(r, claims, Operation{kind: rivals}, func() Operation { return turns })...)
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
		stops.acts = []act{{"text", words, 1}, {name: "await"}, {"text", words, 1}}
		return []Operation{inquires(), stops, late, answers(r, one), answers(r, retried), answers(r, again), stops, late, answers(r, all), answers(r, again)}
	}
	hangs := pauses()
	hangs.acts = []act{{"text", words, 1}, {"tool", plain, 2}, {name: "await"}, {"text", words, 1}} // after a tool's result
	return []Operation{recalls(), pauses(), late, recalls(), hangs, late, {kind: repeat}, {kind: finish}, recalls()}
}
