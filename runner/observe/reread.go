package observe

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/wire"
)

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
