package observe

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
)

// The limits of a sweep.
const (
	// mostFailed and mostSlow end a sweep that has seen enough.
	mostFailed = 40
	mostSlow   = 6
	// sweepFor limits the time of a sweep, as a multiple of the first read.
	sweepFor = 5
)

// hopeless returns why the stream can't be swept, "" if it can.
func (s *sweep) hopeless() string {
	switch k := s.rd.kind; {
	case k.pack.Stream.Resume == nil:
		return "streams of pack " + k.pack.Name + " aren't resumed; there is nothing to sweep"
	case k.profile == judge.BareChunks:
		return "a stream of bare chunks has no ids, so it can't be resumed; there is nothing to sweep"
	case cmp.Or(s.request.Method, http.MethodGet) != http.MethodGet:
		return "only a stream that is read with GET can be resumed; there is nothing to sweep"
	case s.rd.out.Events == 0:
		return "no event came, so there is none to resume after"
	case len(s.base.events) == 0:
		return "no event with a chunk and an id came, so there is nothing to resume after"
	}
	return ""
}

// run returns why nothing could be proven, "" if something was.
func (s *sweep) run(ctx context.Context) string {
	if why := s.reread(ctx); why != "" || len(s.failures) > 0 {
		s.conclude(ctx)
		return why
	}
	if why := s.probe(ctx); why != "" || len(s.failures) > 0 && s.failures[0].fromStart {
		s.conclude(ctx)
		return why
	}
	limited, cancel := context.WithTimeout(ctx, s.o.For*sweepFor)
	defer cancel()
	stop := s.spectate(limited)
	s.playAll(limited, s.plans())
	stop()
	s.conclude(ctx)
	if s.connections.Load() > 0 && len(s.failures) == 0 && s.decided() == 0 {
		return "no resume could be looked at; see the notes"
	}
	return ""
}

// decided counts the occasions of the rules that resumes are about; 0 if no resume had a verdict.
func (s *sweep) decided() int {
	return s.rd.counters.occasions[s.resume.Complete] + s.rd.counters.occasions[s.resume.AfterCursor]
}

// probe resumes at a few positions, one after the other, and judges every frame.
func (s *sweep) probe(ctx context.Context) string {
	events := s.base.events
	places := []int{0, len(events) / 2, len(events) - 1}
	fromStart, refused := 0, map[string]int{}
	for _, i := range slices.Compact(places) {
		p := plan{after: events[i].id}
		machine := s.rd.out.Pack.Machine(judge.Options{Origin: record.Produced})
		f, err := s.play(ctx, p, machine)
		s.rd.counters.count(machine.Occasions())
		if err != nil {
			refused[err.Error()]++
		}
		if f != nil && f.fromStart {
			fromStart++
			f.message = "the stream can't be resumed: whatever the cursor, it comes from its first event"
			f.want, f.got = "an id above "+p.after, "id "+events[0].id+", at each of the cursors that were tried"
			s.failures = []*failure{f}
		}
	}
	if fromStart < 2 && len(events) > 2 || fromStart == 0 {
		s.failures = nil // each plan is played again with the others
	}
	for why, n := range refused {
		if n == len(slices.Compact(places)) {
			return "no resume could be looked at: " + why
		}
	}
	return ""
}

// spectators is the number of readers that stay attached to an open stream while others resume: some servers replay
// differently then.
const spectators = 2

// spectate attaches the spectators. stop closes their connections, and returns when their goroutines have ended.
func (s *sweep) spectate(ctx context.Context) (stop func()) {
	var group sync.WaitGroup
	var attached []*client.Response
	for range spectators {
		if s.base.terminal != nil {
			break
		}
		s.connections.Add(1)
		res, err := s.request.Send(ctx, nil, s.o.Grace)
		if err != nil {
			break // the resuming reader finds out why
		}
		attached = append(attached, res)
		group.Add(1)
		go func() {
			defer group.Done()
			_, _ = io.Copy(io.Discard, res.Stream) // it ends when it is closed
		}()
	}
	return func() {
		for _, res := range attached {
			res.Close()
		}
		group.Wait()
	}
}

// playAll plays plans side by side until enough has failed.
func (s *sweep) playAll(ctx context.Context, plans []plan) {
	begun := client.Each(plans, s.o.Sweep.Concurrency, func() bool { return s.enough(ctx) }, func(p plan) {
		f, err := s.play(ctx, p, nil)
		s.count(p, f, err)
	})
	if begun < len(plans) {
		why := "enough has failed"
		if ctx.Err() != nil {
			why = "its time was over, or it was interrupted"
		}
		s.rd.note("the sweep was left after %d of %s: %s", begun, count(len(plans), "reader"), why)
	}
}

// enough reports whether the sweep ends: its time is over, or so much has failed that more shows nothing new.
func (s *sweep) enough(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ctx.Err() != nil || len(s.failures) >= mostFailed || s.slow >= mostSlow
}

// count records the outcome of a plan, and the rules for which it was an occasion.
func (s *sweep) count(p plan, f *failure, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(p.cuts) == 0:
		s.out.Cursors++
	case len(p.cuts) == 1:
		s.out.Cuts++
	default:
		s.out.Chains++
	}
	if err != nil {
		s.undecided[err.Error()]++
		return
	}
	for _, id := range s.asks(p) {
		s.rd.counters.occasions[id]++
	}
	if f == nil {
		return
	}
	s.failures = append(s.failures, f)
	if f.slow {
		s.slow++
	}
}

// asks lists the rules that a plan is an occasion of.
func (s *sweep) asks(p plan) []string {
	switch {
	case len(p.cuts) > 0:
		return []string{s.resume.Cycles}
	case s.base.ends(&p.after):
		return []string{s.resume.NoContent}
	case p.after == s.base.latest() && s.base.terminal != nil:
		return []string{s.resume.FinishedTail, s.resume.Complete}
	case p.after == s.base.latest():
		return nil // delivery of later events can't be provoked
	}
	return []string{s.resume.AfterCursor, s.resume.Complete, s.resume.Stable}
}
