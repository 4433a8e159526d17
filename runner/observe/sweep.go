package observe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// SweepOptions say where a sweep cuts.
type SweepOptions struct {
	Seed        int64
	Cuts        int    // most cuts at a byte, and most cursors; 500
	Concurrency int    // readers at a time; 8
	After       string // only a resume after this event
	At          []int64
}

const (
	readers = 8 // at a time
	// mostBytes is the approximate limit of the bytes that a sweep of a large stream reads.
	mostBytes = 512 << 20
	// mostFailed and mostSlow end a sweep that has seen enough.
	mostFailed = 40
	mostSlow   = 6
	// sweepFor limits the time of a sweep, as a multiple of the first read.
	sweepFor = 5
)

// sweep is the proof that a stream resumes.
type sweep struct {
	request     Request
	o           Options
	rd          *reading
	resume      *pack.Resume // nil where there is nothing to sweep
	base        *baseline
	connections atomic.Int64
	out         *Sweep
	rested      bool // a reader that was alone was refused to the end

	mu        sync.Mutex
	failures  []*failure
	slow      int
	undecided map[string]int // by reason
}

// sweep tests resumes of the stream that was read.
func (rd *reading) sweep(ctx context.Context) {
	began := time.Now()
	s := &sweep{request: rd.out.Request, o: rd.o, rd: rd, resume: rd.kind.resume(), base: newBaseline(rd.kind.resume(), rd.excerpt.frames), undecided: map[string]int{}}
	s.out = &Sweep{Seed: rd.o.Sweep.Seed}
	if rd.excerpt.left > 0 {
		rd.note("only the first %s are swept; %d more came", count(len(s.base.events), "event"), rd.excerpt.left)
	}
	rd.out.Sweep = s.out
	if s.out.Unproven = s.hopeless(); s.out.Unproven == "" {
		s.out.Unproven = s.run(ctx)
	}
	s.out.Events, s.out.Finished = len(s.base.events), s.base.terminal != nil
	s.out.Connections = int(s.connections.Load())
	for _, why := range slices.Sorted(maps.Keys(s.undecided)) {
		s.out.Undecided += s.undecided[why]
		rd.note("no verdict on %s: %s", count(s.undecided[why], "resume"), why)
	}
	s.out.Took = time.Since(began)
}

func (rd *reading) note(format string, args ...any) {
	rd.out.Notes = append(rd.out.Notes, fmt.Sprintf(format, args...))
}

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

func (s *sweep) decided() int {
	return s.rd.counters.occasions[s.resume.Complete] + s.rd.counters.occasions[s.resume.AfterCursor]
}

// reread reads the stream from its start again: a resume can only repeat events that the server still has.
func (s *sweep) reread(ctx context.Context) string {
	again, why := s.again(ctx)
	if why != "" {
		return "the stream could be read only once: " + why
	}
	s.rd.counters.count(map[string]int{s.resume.Stable: 1})
	missing, differs := map[string]bool{}, 0
	var first *failure
	for _, e := range s.base.events {
		i, there := again.index[e.id]
		if !there {
			missing[e.id] = true
			continue
		}
		if same(e.data, again.events[i].data, s.resume.EventMembers) {
			continue
		}
		differs++
		if first == nil {
			first = &failure{requirement: s.resume.Stable,
				message: "event " + e.id + " isn't the same when the stream is read again from its start",
				want:    shown(e.id, e.data), got: shown(e.id, again.events[i].data)}
		}
	}
	if first != nil {
		if differs == len(s.base.events) && differs > 1 {
			first.message = "every event is another one when the stream is read again from its start; a URL that " +
				"starts a new run at each request can't be resumed"
		}
		s.failures = append(s.failures, first)
		return ""
	}
	if len(missing) == len(s.base.events) {
		return "none of its events is there when it is read again"
	}
	if len(missing) > 0 {
		s.rd.note("%s of the first read not there on the next: removed meanwhile, or not kept; they are left out",
			count(len(missing), "event"))
		s.base.drop(missing)
	}
	return ""
}

// again reads the stream from its start as far as the first read went.
func (s *sweep) again(ctx context.Context) (b *baseline, why string) {
	s.connections.Add(1)
	res, err := s.request.Send(ctx, nil, s.o.Grace)
	if err != nil {
		return nil, err.Error()
	}
	defer res.Close()
	if err := res.Refused(); err != nil {
		return nil, err.Error()
	}
	timer := time.AfterFunc(s.o.Grace, func() { res.Cancel(errGrace) })
	defer timer.Stop()
	frames := wire.NewReader(&capped{src: res.Stream, left: 2*s.o.Limit + 1}, wire.Options{})
	var all excerpt
	for {
		f, err := frames.Next()
		if err != nil && !errors.Is(err, io.EOF) && len(all.frames) == 0 {
			return nil, res.Why(err).Error()
		}
		if err != nil {
			return newBaseline(s.resume, all.frames), ""
		}
		if !f.Terminated {
			continue
		}
		switch all.add(s.resume, f) {
		case pack.Terminal:
			return newBaseline(s.resume, all.frames), ""
		case pack.Event:
			timer.Reset(s.o.Grace)
			if s.base.terminal == nil && f.ID == s.base.latest() {
				return newBaseline(s.resume, all.frames), ""
			}
		}
	}
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

// found adds the judge's findings on a resumed response, without those that were found before.
func (s *sweep) found(c *session, f *wire.Frame, findings []record.Finding) {
	for _, found := range findings {
		if s.rd.counters.found[found.Requirement] > 0 {
			continue
		}
		out := findingOf(found, f, "resumed after event "+*c.requestCursor)
		out.Rerun, out.Curl = s.rerun(c.plan), s.request.Curl(c.requestCursor)
		s.rd.counters.add(out, 1)
	}
}

// spectators is the number of readers that stay attached to an open stream while others resume: some servers replay
// differently then.
const spectators = 2

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

// count returns a number of things, in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
