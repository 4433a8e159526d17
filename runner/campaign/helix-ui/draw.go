package helixui

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// subject describes the programs of one scenario.
type subject struct {
	programs int                                   // at standard effort
	make     func(r *rand.Rand, number int) []turn // draws the turns of the program of a number
}

// subjects are the histories that there are, by the words of the step that plays them.
var subjects = map[string]subject{
	"short turns":       {programs: 5, make: short},
	"long turns":        {programs: 1, make: long},
	"large values":      {programs: 2, make: large},
	"pages and readers": {programs: 2, make: read},
	"several chats":     {programs: 1, make: concurrent},
	"long chats":        {programs: 1, make: talk},
	"similar names":     {programs: 1, make: named},
}

// Subjects lists the subjects of programs, sorted.
func Subjects() []string { return slices.Sorted(maps.Keys(subjects)) }

// Programs returns the number of programs of a subject at standard effort.
func Programs(about string) int { return subjects[about].programs }

// Draw makes a program for a target with the abilities of [Offers]: the same seed and number give the same.
func Draw(seed int64, number int, about string, offers func(string) bool) Program {
	r := campaign.NewDraw(seed, uint64(number)<<8|uint64(slices.Index(Subjects(), about)))
	p := Program{turns: subjects[about].make(r, number)}
	if about == "several chats" && offers("seven streams") {
		p.turns = append(p.turns, crowd(r)...)
	}
	for i := range p.turns {
		t := &p.turns[i]
		for n, o := range t.operations {
			if offers("model") {
				t.operations[n] = byModel(o)
			}
		}
		t.operations = slices.DeleteFunc(t.operations, func(o Operation) bool {
			return slices.ContainsFunc(kinds[o.Kind].needs, func(capability string) bool { return !offers(capability) })
		})
	}
	p.choose(r)
	return p
}

// choose draws how the program's turns are requested, and how its operations are performed except those that have a choice.
func (p Program) choose(r *rand.Rand) {
	choices := campaign.NewChoices(r)
	for i := range p.turns {
		p.turns[i].choice = choices.Next("turns", 1)
		operations := p.turns[i].operations
		for n, o := range operations {
			if !kinds[o.Kind].unvaried && o.Choice == 0 {
				operations[n].Choice = choices.Next(o.Kind, o.Count)
			}
		}
	}
}

// names returns the kinds of operations that of matches, sorted.
func names(of func(kind) bool) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if of(kinds[name]) {
			out = append(out, name)
		}
	}
	return out
}

var (
	stepKinds = names(func(k kind) bool { return !k.ends && !k.waits && !k.once && !k.alone() })
	requests  = names(kind.asks)
	ends      = names(func(k kind) bool { return k.ends && !k.alone() })
	moments   = slices.DeleteFunc(names(func(k kind) bool { return k.waits }), func(name string) bool { return name == "intrusions" }) // a turn can end at any of them
)

func class(r *rand.Rand) string {
	all := slices.DeleteFunc(campaign.Classes(), func(name string) bool { return name == "nul" })
	return campaign.Pick(r, append(all, campaign.Every, campaign.Every, campaign.Every)...)
}

// operation draws one of a kind.
func operation(r *rand.Rand, name string, times, bytes int) Operation {
	o := Operation{Kind: name, Count: campaign.Size(r, times)}
	switch k := kinds[name]; {
	case name == "refusals":
		o.Count = 1 + r.IntN(9)
	case k.ends || name == "barriers" || name == "absences" || name == "stalls" || name == "halved thoughts":
		o.Count = 1
	case k.waits:
		o.Count = 1 + r.IntN(3)
	case name == "user texts":
		o.Count = 1 + r.IntN(3)
	case k.once:
		o.Count = 1
	case k.equal != "":
		o.Count++
	}
	if kinds[name].data {
		o.Class, o.Size = class(r), campaign.Size(r, bytes)
	}
	return o
}

// about returns operations that concern a complete turn, each drawn or not.
func about(r *rand.Rand) (out []Operation) {
	names := []string{"user texts", "user members", "start metadata", "finish metadata"}
	if r.IntN(4) == 0 {
		names[0] = "user repeats"
	}
	for _, name := range names {
		if r.IntN(2) == 0 {
			out = append(out, operation(r, name, 1, 60))
		}
	}
	return out
}

// some returns n operations of any kind.
func some(r *rand.Rand, n int) (out []Operation) {
	for range n {
		out = append(out, operation(r, campaign.Pick(r, stepKinds...), 4, 40))
	}
	return out
}

// words returns a text for the end of a turn or before a barrier.
func words(r *rand.Rand) Operation { return operation(r, "texts", 3, 20) }

// short returns a few turns of a chat or two, of a few operations of any kind.
func short(r *rand.Rand, number int) (out []turn) {
	for n := range 1 + r.IntN(3) {
		t := turn{chat: 1 + r.IntN(2), operations: about(r)}
		if number < 3 && n == 0 || r.IntN(6) == 0 {
			t.operations = append(t.operations, Operation{Kind: []string{"compressed answers", "multiplexed answers"}[(number+n)%2], Count: 1})
		}
		t.concurrent = n > 0 && out[n-1].chat != t.chat && !out[n-1].concurrent && r.IntN(2) == 0
		t.operations = append(t.operations, some(r, 6)...)
		t.operations = append(t.operations, words(r), operation(r, campaign.Pick(r, moments...), 1, 1))
		t.operations = append(t.operations, some(r, 4)...)
		if r.IntN(3) == 0 {
			t.operations = append(t.operations, operation(r, campaign.Pick(r, ends...), 1, 1), Operation{Kind: "sweeps", Count: 2})
		}
		out = append(out, t)
	}
	return out
}

// long has every kind several times in any order, and some of them very often.
func long(r *rand.Rand, _ int) []turn {
	var out []Operation
	for _, name := range stepKinds {
		if name != "halved thoughts" && name != "calls with long names" {
			times := 8
			if strings.HasPrefix(name, "own parts") { // each has a text or two
				times = 2
			}
			out = append(out, operation(r, name, times, 24))
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	out = append(pairs(r), out...)
	out = append([]Operation{
		{Kind: "texts", Count: 110 + r.IntN(20), Class: campaign.Every, Size: 1}, {Kind: "texts", Count: 3, Class: "nul", Size: 8},
		{Kind: "thoughts", Count: 60 + r.IntN(20), Class: campaign.Every, Size: 5},
	}, append(commits(24+r.IntN(8)), out...)...)
	out = append(out,
		Operation{Kind: "long outputs", Count: 3, Class: "nul", Size: 8}, Operation{Kind: "equal texts", Count: 20, Class: "plain", Size: 5}, Operation{Kind: "equal calls", Count: 3, Class: "plain", Size: 5},
		Operation{Kind: "calls", Count: 34 + r.IntN(9), Class: campaign.Every, Size: 9}, Operation{Kind: "calls side by side", Count: 8, Class: campaign.Every, Size: 9},
		Operation{Kind: "calls with long names", Count: 5, Class: class(r), Size: 9}, Operation{Kind: "subagents", Count: 4, Class: "plain", Size: 5},
		Operation{Kind: "customs", Count: 62, Class: campaign.Every, Size: 9}, Operation{Kind: "patches", Count: 5, Class: class(r), Size: 9},
		Operation{Kind: "passing errors", Count: 4, Class: "plain", Size: 9}, Operation{Kind: "strangers", Count: 6, Class: class(r), Size: 9},
		words(r), Operation{Kind: "refreshes", Count: 1}, Operation{Kind: "returns", Count: 3}, words(r), Operation{Kind: "pauses", Count: 1}, Operation{Kind: "sweeps", Count: 3},
	)
	return []turn{{chat: 1, operations: out}}
}

// rows are the rows of the mapping that end no turn, without those of calls.
var rows = []string{"texts in chunks", "whole thoughts", "customs", "patches", "outputs", "subagents", "passing errors", "resumptions", "resyncs", "commits", "checkpoints"}

// pairs returns rows of the mapping such that each directly follows each, itself too. Calls come last: the model requires the
// end of a committed step only before the first call.
func pairs(r *rand.Rand) (out []Operation) {
	order := slices.Clone(rows)
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	order = append(order, "calls side by side")
	add := func(name string) {
		o := operation(r, name, 1, 5)
		o.Count = 1
		out = append(out, o)
	}
	for j, name := range order {
		add(name)
		for _, earlier := range order[:j] {
			add(name)
			add(earlier)
		}
		add(name)
	}
	return out
}

// commits are steps that are committed one after the other, each with a text.
func commits(n int) (out []Operation) {
	for range n {
		out = append(out, Operation{Kind: "texts", Count: 1, Class: "plain", Size: 5}, Operation{Kind: "commits", Count: 1})
	}
	return out
}

// wide are the classes whose texts may be large, since JSON writes them about as they are, and whose characters have several
// bytes, so that whatever cuts them cuts one.
var wide = []string{"astral", "accents"}

// large returns turns with large values: those of the user and the model are divided between two programs, since a server
// may send each character in a separate part, to each reader.
func large(r *rand.Rand, number int) []turn {
	big := func(name string, size int) Operation {
		return Operation{Kind: name, Count: 1, Class: campaign.Pick(r, wide...), Size: size}
	}
	between := 66_000 + r.IntN(9000)
	metadata := func(name string) Operation { // by a choice that takes no empty object instead
		o := big(name, between)
		o.Choice = 2
		return o
	}
	slow := Operation{Kind: "slow readers", Count: 1}
	out := []Operation{slow, big("user texts", between), metadata("start metadata"), metadata("finish metadata"), big("thoughts", between)}
	if number%2 == 1 {
		out = []Operation{
			slow, big("texts in chunks", between), {Kind: "calls", Count: 4, Class: campaign.Pick(r, wide...), Size: between}, big("customs", between),
			big("long outputs", 1<<20+r.IntN(1<<10)), big("patches", 5000+r.IntN(5000)),
		}
	}
	if number%2 == 1 { // a client that doesn't read meanwhile lacks a large part, and many after it: no page reads all of them again
		out = append(append([]Operation{words(r), {Kind: "stalls", Count: 1}, words(r), {Kind: "barriers", Count: 1}}, out...), Operation{Kind: "texts", Count: 280 + r.IntN(20), Class: "plain", Size: 1})
		return []turn{{chat: 1, operations: append(out, words(r))}}
	}
	return []turn{{chat: 1, operations: append(out, words(r), Operation{Kind: "refreshes", Count: 1}, words(r))}}
}

// read makes the agent wait after most of its steps, while pages are refreshed and readers attach and leave.
func read(r *rand.Rand, _ int) (out []turn) {
	for n := range 3 {
		t := turn{chat: 1}
		t.operations = append(t.operations, Operation{Kind: "texts", Count: 30 + r.IntN(10), Class: "plain", Size: 5})
		for i := range 9 {
			step := campaign.Pick(r, stepKinds...)
			if r.IntN(3) == 0 { // a message of several responses: the page has to show all of them
				step = campaign.Pick(r, requests...)
			}
			t.operations = append(t.operations, operation(r, step, 4, 20))
			if i%3 == 0 {
				t.operations = append(t.operations, Operation{Kind: "halved thoughts", Count: 1, Class: "plain", Size: 9})
			}
			name := campaign.Pick(r, moments...)
			if leaves := name == "departures" || name == "absences"; leaves && n != 1 { // of the second turn only: a reader that left has no complete answer to compare with
				name = campaign.Pick(r, "refreshes", "returns", "twins")
			}
			t.operations = append(t.operations, words(r), operation(r, name, 1, 1))
		}
		if n > 0 {
			t.operations = append(t.operations, words(r), Operation{Kind: "latecomers", Count: 1})
		}
		if n != 1 {
			t.operations = append(t.operations, words(r), Operation{Kind: "twins", Count: 5 + r.IntN(3)}, Operation{Kind: "refreshes", Count: 10})
		} else {
			t.operations = append(t.operations, words(r), Operation{Kind: "departures", Count: manyLeave}, words(r), Operation{Kind: "absences", Count: 1}, Operation{Kind: "texts", Count: 20, Class: "plain", Size: 5},
				Operation{Kind: "barriers", Count: 1}, words(r))
		}
		out = append(out, turn{chat: 1, operations: append(t.operations, words(r), Operation{Kind: "sweeps", Count: 4})})
	}
	return out
}

// manyLeave is the number of times that a reader disconnects and resumes at once: a server has to release its resources for
// each.
const manyLeave = 66

// talk returns many turns of one chat, with a page load after each, and one of another chat whose name differs in case.
func talk(r *rand.Rand, _ int) (out []turn) {
	for n := range 27 {
		t := turn{chat: 1, operations: []Operation{{Kind: "quiet ends", Count: 1}, operation(r, campaign.Pick(r, stepKinds...), 2, 9), {Kind: "texts", Count: 1, Class: "plain", Size: 5}}}
		if n%9 == 5 {
			t.operations = append(t.operations, Operation{Kind: "user repeats", Count: 1})
		}
		if n%8 == 3 { // each is configured for its own turn
			t.operations = append(t.operations, Operation{Kind: "finish metadata", Count: 1, Class: "plain", Size: 5})
		}
		switch n {
		case 12:
			t.chat = 2
		case 14: // no other reader reads it
			t.operations = append(t.operations, Operation{Kind: "absences", Count: 1}, Operation{Kind: "texts", Count: 140 + r.IntN(130), Class: "plain", Size: 5})
		}
		if n > 23 {
			t.operations = append(t.operations, Operation{Kind: "calls side by side", Count: 2, Class: class(r), Size: 9})
		}
		out = append(out, t)
	}
	return out
}

// named returns turns of chats whose names a server may confuse, one each, which are configured alike. The first has an
// ASCII name.
func named(r *rand.Rand, _ int) (out []turn) {
	order := r.Perm(len(refusableSuffixes))
	for _, n := range append([]int{-1}, order...) {
		out = append(out, turn{chat: len(suffixes) + 1 + n, operations: []Operation{
			{Kind: "quiet ends", Count: 1}, {Kind: "finish metadata", Count: 1, Class: "plain", Size: 1}, {Kind: "texts", Count: 1, Class: "plain", Size: 5},
		}})
	}
	return out
}

// concurrent returns turns of three concurrent chats, of which some fail. The last one fails before any output, twice.
func concurrent(r *rand.Rand, _ int) (out []turn) {
	for round := range 4 {
		for n := range 3 {
			t := turn{chat: 2*n + 1, concurrent: n > 0, operations: about(r)}
			if n == 1 { // the configuration of a turn doesn't affect the next
				t.operations = []Operation{operation(r, "finish metadata", 1, 60)}
			}
			if n == 2 && (round == 1 || round == 2) {
				t.operations = append(t.operations, Operation{Kind: "failures", Count: 1})
				out = append(out, t)
				continue
			}
			t.operations = append(t.operations, some(r, 2)...)
			t.operations = append(t.operations, words(r), operation(r, campaign.Pick(r, "refusals", "barriers", "refreshes"), 1, 1))
			t.operations = append(t.operations, some(r, 1)...)
			t.operations = append(t.operations, words(r))
			switch {
			case n == 0:
				t.operations = append(t.operations, operation(r, campaign.Pick(r, ends...), 1, 1))
			case n == 1 && r.IntN(2) == 0:
				t.operations = append(t.operations, Operation{Kind: "failures", Count: 1})
			}
			out = append(out, t)
		}
	}
	return append(out, interrupted(r)...)
}

// crowd returns turns of seven concurrent chats, each of which waits once: a server may answer fewer concurrently, and
// others later.
func crowd(r *rand.Rand) (out []turn) {
	for n := range 7 {
		out = append(out, turn{chat: n + 1, concurrent: n > 0, operations: append(some(r, 2), words(r), Operation{Kind: "barriers", Count: 1}, words(r))})
	}
	return out
}

// interrupted returns turns of one chat: during the second, other messages are sent. The third is interrupted, and read
// again.
func interrupted(r *rand.Rand) (out []turn) {
	for n := range 4 {
		t := turn{chat: 7, operations: []Operation{words(r)}}
		if n != 2 {
			t.operations = append([]Operation{{Kind: "quiet ends", Count: 1}}, t.operations...)
		}
		switch n {
		case 1:
			for range 2 {
				t.operations = append(t.operations, Operation{Kind: "intrusions", Count: 1}, words(r))
			}
		case 2:
			t.operations = append(t.operations, Operation{Kind: "interruptions", Count: 1}, Operation{Kind: "sweeps", Count: 2})
		}
		out = append(out, t)
	}
	return out
}
