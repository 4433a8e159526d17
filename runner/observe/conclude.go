package observe

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/record"
)

// conclude makes findings of failures: one for each rule, the simplest that shows
// it.
func (s *sweep) conclude(ctx context.Context) {
	broken := map[string]bool{} // cursors at which a resume fails without any cut
	for _, f := range s.failures {
		if len(f.plan.cuts) == 0 && f.cursor != nil {
			broken[*f.cursor] = true
		}
	}
	byRule := map[string][]*failure{}
	for _, f := range s.failures {
		if len(f.plan.cuts) > 0 && f.cursor != nil {
			if broken[*f.cursor] {
				continue // the same again
			}
			f.requirement = s.resume.Cycles
		}
		byRule[f.requirement] = append(byRule[f.requirement], f)
	}
	current := s.stillThere(ctx)
	for rule, all := range byRule {
		slices.SortStableFunc(all, s.simpler)
		f, again := all[0], true
		if f.plan.after != "" && !f.fromStart || len(f.plan.cuts) > 0 {
			f, again = s.shrink(ctx, all[0])
		}
		switch {
		case !again && !current:
			s.undecided["events were removed meanwhile"] += len(all)
			continue
		case !again && (f.slow || f.refused): // in company only: it may be a limit
			s.undecided[fmt.Sprintf("%s (%s) beside %d other readers, but not alone; try --concurrency 1",
				f.message, f.got, s.o.Sweep.Concurrency-1)] += len(all)
			continue
		}
		if len(f.plan.cuts) == 0 {
			rule = f.requirement // a resume alone shows it
		}
		out := s.finding(f, rule, len(all))
		if !again {
			out.Message += "; it didn't happen again when that was repeated"
		}
		s.rd.counters.add(out, len(all))
	}
}

// simpler orders failures: few cuts, early ones.
func (s *sweep) simpler(a, b *failure) int {
	return cmp.Or(cmp.Compare(len(a.plan.cuts), len(b.plan.cuts)),
		cmp.Compare(s.base.after(a.cursor), s.base.after(b.cursor)), slices.Compare(a.plan.cuts, b.plan.cuts))
}

// stillThere reads the stream once more; events that went meanwhile are left out
// from here on.
func (s *sweep) stillThere(ctx context.Context) bool {
	if len(s.failures) == 0 || s.failures[0].plan.after == "" && len(s.failures[0].plan.cuts) == 0 {
		return true
	}
	again, why := s.again(ctx)
	if why != "" {
		return false
	}
	missing := map[string]bool{}
	for _, e := range s.base.events {
		if _, there := again.index[e.id]; !there {
			missing[e.id] = true
		}
	}
	if len(missing) > 0 && len(missing) < len(s.base.events) {
		s.base.drop(missing)
	}
	return len(missing) == 0
}

// mostShrunk bounds how many plans with fewer cuts are tried.
const mostShrunk = 50

// The rests of a reader that is refused, each twice as long as the one before.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 1600 * time.Millisecond
)

// alone plays a plan without others. A refused reader pauses and tries again: a server that limits its readers may not have
// noticed yet that the others left. One that still refuses gets no pauses from then on.
func (s *sweep) alone(ctx context.Context, p plan) (*failure, error) {
	for rest := firstPause; ; rest *= 2 {
		f, err := s.play(ctx, p, nil)
		if err != nil || f == nil || !f.refused || s.rested {
			return f, err
		}
		if rest > lastPause {
			s.rested = true
			return f, nil
		}
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return f, nil
		}
	}
}

// shrink searches for a simpler plan that also fails. again is false if the plan itself doesn't fail any more.
func (s *sweep) shrink(ctx context.Context, f *failure) (simplest *failure, again bool) {
	try := func(p plan) (*failure, bool) {
		found, err := s.alone(ctx, p)
		return found, err == nil && found != nil
	}
	play := func(cuts []int64) (*failure, bool) { return try(plan{after: f.plan.after, cuts: cuts}) }
	all := client.Simplest[int64, *failure]{Cuts: f.plan.cuts, Play: play, Most: mostShrunk}
	if len(all.Cuts) > 0 && f.cursor != nil {
		all.Simpler = append(all.Simpler, func() (*failure, bool) {
			// Twice: the first try may be affected by the connection before it.
			alone := plan{after: *f.cursor}
			if _, failed := try(alone); !failed {
				return nil, false
			}
			return try(alone)
		})
	}
	if len(all.Cuts) > 1 {
		for _, at := range all.Cuts {
			all.Simpler = append(all.Simpler, func() (*failure, bool) { return play([]int64{at}) })
		}
	}
	if simplest, again = all.Find(); !again {
		return f, false
	}
	return simplest, true
}

// finding converts a failure for reports. n is the number of plans with the same failure.
func (s *sweep) finding(f *failure, rule string, n int) Finding {
	out := Finding{Finding: record.Finding{
		Requirement: rule, Message: f.message, Want: f.want, Got: f.got, Frame: -1, Offset: -1,
	}}
	if f.frame != nil {
		found := record.Finding{Frame: f.frame.Index, Offset: f.frame.Offset, Line: f.frame.Line}
		shown := findingOf(found, f.frame, "")
		out.Data, out.Label = shown.Data, shown.Label
		out.Frame, out.Offset, out.Line = found.Frame, found.Offset, found.Line
	}
	out.Where = s.where(f)
	if n > 1 {
		out.Message += fmt.Sprintf(" (and %d more like it)", n-1)
	}
	out.Rerun, out.Curl = s.rerun(f.plan), s.request.Curl(f.cursor)
	return out
}

// where describes the reader's connections.
func (s *sweep) where(f *failure) string {
	var parts []string
	for _, at := range f.plan.cuts {
		part := "cut after " + count(int(at), "byte")
		if frame, within := s.frameAt(at); frame != nil {
			part += " in the middle of a frame"
			if frame.HasID {
				part = fmt.Sprintf("cut after %s, in the middle of event %s", count(int(at), "byte"), frame.ID)
			}
			if within {
				part += ", inside a character"
			}
		}
		parts = append(parts, part)
	}
	if f.cursor != nil {
		parts = append(parts, "resumed after event "+*f.cursor)
	}
	if len(parts) == 0 {
		return "read again from the start"
	}
	return strings.Join(parts, ", ")
}
