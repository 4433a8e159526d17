package draw

import (
	"math/rand/v2"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// crashing returns a beginning in which the server is killed: in races, with another concurrent call in each program,
// and then several times after changes that a server may forget.
func (s subject) crashing(r *rand.Rand, number int, claims func(capability string) bool) []program.Operation {
	out := []program.Operation{{Kind: program.Attach, Who: 1}, {Kind: program.Write, Who: 1, Count: 4 + r.IntN(9), Each: 1 + r.IntN(3), Step: program.MixedSteps, Class: program.ASCIIText, Size: 9},
		{Kind: program.Write, Who: 2, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 9}, {Kind: program.CloseWriter, Who: 2}}
	if number%3 == 0 { // before any write, but after the initial state
		out = append([]program.Operation{{Kind: program.Kill}}, append(out, program.Operation{Kind: program.Snapshot})...)
	}
	amid := [...]program.Kind{"", program.Cleanup, program.Reset, program.End}[number%4]
	for range 2 {
		o := s.draw(r, program.Race, 1)
		if o.Amid = amid; o.Amid == program.Cleanup {
			o.Step = r.IntN(2)
		}
		if amid != "" { // the kill comes while the first writer writes
			o.Killed = max(1, o.Killed/2+o.Who*o.Count/o.Each/3-1+r.IntN(3))
		}
		if amid == "" {
			o.Each, o.Killed = 2, min(o.Killed, o.Who*o.Count/2)
		}
		out = append(out, o)
	}
	blocks := [][]program.Kind{ // some blocks write nothing between two kills
		{program.End, program.Kill, program.Attach, program.Reset, program.Kill}, {program.Pause, program.Kill, program.Info, program.Activate}, {program.Cleanup, program.Kill, program.Resume}, {program.Fail, program.Kill, program.Snapshot, program.Attach, program.Reset}, {program.Pause, program.Cleanup, program.Kill, program.Activate, program.Kill}, {program.Leave, program.Kill, program.Resume},
		{program.End, program.Reset, program.Kill, program.Kill, program.Resume}, {program.Cleanup, program.Kill, program.Kill, program.Resume}, {program.CloseWriter, program.Kill}, {program.Pause, program.End, program.Kill, program.Attach, program.Reset}, {program.Pause, program.Write, program.Kill, program.Activate},
	}
	for i := range 2 {
		block := blocks[(2*number+i+r.IntN(2)*5)%len(blocks)]
		for range 2 + r.IntN(2) {
			out = append(out, s.draw(r, program.Attach, 2))
			for _, k := range append([]program.Kind{program.Write, program.Write}, block...) {
				if c := program.Needs[k]; c != "" && !claims(c) {
					continue
				}
				o := s.draw(r, k, 2)
				switch k {
				case program.Write:
					o.Count, o.Each, o.Step, o.Class = 1+r.IntN(6), campaign.Pick(r, 1, 6), campaign.Pick(r, program.MixedSteps, program.MixedSteps, 3), program.MixedChunks
				case program.Cleanup:
					o.Step = r.IntN(2)
				}
				out = append(out, o)
				if k == program.Kill && claims("info") && r.IntN(2) == 0 {
					out = append(out, program.Operation{Kind: program.Info})
				}
			}
		}
	}
	return out
}

// death returns after how many answers of a race the server is killed, 0 for never.
func (s subject) death(r *rand.Rand, race program.Operation) int {
	if !s.kills {
		return 0
	}
	return 1 + r.IntN(race.Who*race.Count/race.Each)
}
