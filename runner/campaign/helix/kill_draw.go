package helix

import (
	"math/rand/v2"

	"github.com/streamcert/streamcert/runner/campaign"
)

// crashing begins a history in which the server is killed: in a race of its own kind in each program, and then again and again
// behind what may be forgotten.
func (s subject) crashing(r *rand.Rand, number int, claims func(capability string) bool) []Operation {
	out := []Operation{{kind: attach, who: 1}, {kind: write, who: 1, count: 4 + r.IntN(9), each: 1 + r.IntN(3), step: mixed, class: asciiText, size: 9},
		{kind: write, who: 2, count: 1, each: 1, step: stepless, class: asciiText, size: 9}, {kind: closeWriter, who: 2}}
	if number%3 == 0 { // before anything is written, but for the state that it begins with
		out = append([]Operation{{kind: kill}}, append(out, Operation{kind: snapshot})...)
	}
	amid := [...]kind{"", cleanup, reset, end}[number%4]
	for range 2 {
		o := s.draw(r, race, 1)
		if o.amid = amid; o.amid == cleanup {
			o.step = r.IntN(2)
		}
		if amid != "" { // it comes in the middle of what the first writer writes
			o.killed = max(1, o.killed/2+o.who*o.count/o.each/3-1+r.IntN(3))
		}
		if amid == "" {
			o.each, o.killed = 2, min(o.killed, o.who*o.count/2)
		}
		out = append(out, o)
	}
	blocks := [][]kind{ // between two kills nothing is written in some
		{end, kill, attach, reset, kill}, {pause, kill, info, activate}, {cleanup, kill, resume}, {fail, kill, snapshot, attach, reset}, {pause, cleanup, kill, activate, kill}, {leave, kill, resume},
		{end, reset, kill, kill, resume}, {cleanup, kill, kill, resume}, {closeWriter, kill}, {pause, end, kill, attach, reset}, {pause, write, kill, activate},
	}
	for i := range 2 {
		block := blocks[(2*number+i+r.IntN(2)*5)%len(blocks)]
		for range 2 + r.IntN(2) {
			out = append(out, s.draw(r, attach, 2))
			for _, k := range append([]kind{write, write}, block...) {
				if c := needs[k]; c != "" && !claims(c) {
					continue
				}
				o := s.draw(r, k, 2)
				switch k {
				case write:
					o.count, o.each, o.step, o.class = 1+r.IntN(6), campaign.Pick(r, 1, 6), campaign.Pick(r, mixed, mixed, 3), mixedChunks
				case cleanup:
					o.step = r.IntN(2)
				}
				out = append(out, o)
				if k == kill && claims("info") && r.IntN(2) == 0 {
					out = append(out, Operation{kind: info})
				}
			}
		}
	}
	return out
}

// death is after how many answers of a race the server is killed, 0 for never.
func (s subject) death(r *rand.Rand, race Operation) int {
	if !s.kills {
		return 0
	}
	return 1 + r.IntN(race.who*race.count/race.each)
}
