package observe

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/wire"
)

// mostBytes is the approximate limit of the bytes that a sweep of a large stream reads.
const mostBytes = 512 << 20

// The plans with several disconnects, which a sweep plays in addition to those with one.
const (
	chains     = 12 // readers that disconnect repeatedly
	chainCuts  = 6  // how often, at most
	allOfShort = 4  // a body of so many times the disconnects gets one at every byte
)

// plans returns the readers of a sweep: after every event, at and after the end, with one disconnect
// in the middle of frames, and with several. The same seed makes the same plans.
func (s *sweep) plans() []plan {
	o := s.o.Sweep
	if o.After != "" {
		return []plan{{after: o.After}}
	}
	if len(o.At) > 0 {
		return []plan{{cuts: o.At}}
	}
	random := rand.New(rand.NewPCG(uint64(o.Seed), 1)) //nolint:gosec // a sample, not a secret
	total := s.total()
	most := max(8, min(o.Cuts, int(mostBytes/max(total, 1))))
	var out []plan
	for _, i := range s.cursors(most, random) {
		out = append(out, plan{after: s.base.events[i].id})
	}
	if end := s.base.terminal; end != nil && end.id != "" {
		out = append(out, plan{after: end.id})
		if n, err := strconv.ParseInt(end.id, 10, 62); err == nil && digits(end.id) {
			out = append(out, plan{after: strconv.FormatInt(n+1, 10)})
		}
	}
	for _, at := range s.positions(total, most, random) {
		out = append(out, plan{cuts: []int64{at}})
	}
	for range min(chains, most/8) {
		var cuts []int64
		for range 2 + random.IntN(chainCuts-1) {
			cuts = append(cuts, 1+random.Int64N(total))
		}
		slices.Sort(cuts)
		if cuts = slices.Compact(cuts); len(cuts) > 1 {
			out = append(out, plan{cuts: cuts})
		}
	}
	return out
}

// total returns the length of the body that is swept.
func (s *sweep) total() int64 {
	if s.base.terminal != nil {
		return s.base.terminal.end
	}
	return s.base.events[len(s.base.events)-1].end
}

// cursors are indexes of events: all, or a sample with both ends and
// the positions at which ids grow by a digit.
func (s *sweep) cursors(most int, random *rand.Rand) []int {
	n := len(s.base.events)
	var out []int
	if n <= most {
		for i := range n {
			out = append(out, i)
		}
		return out
	}
	out = append(out, 0, n-1)
	for i := 1; i < n; i++ {
		if len(s.base.events[i].id) != len(s.base.events[i-1].id) {
			out = append(out, i-1, i)
		}
	}
	for len(out) < most {
		out = append(out, random.IntN(n))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// positions are offsets to disconnect at: every one of a short body, of a long one
// a sample with some inside of characters and some between the lines of a frame.
func (s *sweep) positions(total int64, most int, random *rand.Rand) []int64 {
	var out []int64
	if total <= int64(allOfShort*most) {
		for at := int64(1); at < total; at++ {
			out = append(out, at)
		}
		return out
	}
	within, between := s.tender(total)
	for _, some := range [][]int64{within, between} {
		random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		out = append(out, some[:min(len(some), most/3)]...)
	}
	for len(out) < most {
		out = append(out, 1+random.Int64N(total-1))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// tender lists the offsets inside of characters, and those at ends of lines.
func (s *sweep) tender(total int64) (within, between []int64) {
	for _, f := range s.rd.excerpt.frames {
		for _, seam := range client.SplitPoints(f.Raw) {
			switch at := f.Offset + int64(seam.At); {
			case at >= total:
			case seam.InCharacter:
				within = append(within, at)
			default:
				between = append(between, at)
			}
		}
	}
	return within, between
}

// frameAt returns the frame of the first read that contains the byte before an offset, nil for none.
func (s *sweep) frameAt(at int64) (f *wire.Frame, inCharacter bool) {
	for _, f := range s.rd.excerpt.frames {
		if at > f.Offset && at < f.End {
			return f, f.Raw[at-f.Offset]&0xC0 == 0x80
		}
	}
	return nil, false
}
