package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// Observe reads a stream once and judges it, then sweeps it on request. The error reports that no stream came; other problems
// are in the result.
func Observe(ctx context.Context, r Request, o Options) (*Result, error) {
	o = o.withDefaults()
	began := time.Now()
	limited, cancel := context.WithTimeoutCause(ctx, o.For, errFor)
	defer cancel()
	res, err := r.Send(limited, nil, o.For)
	if err != nil {
		if context.Cause(limited) == errFor {
			err = fmt.Errorf("no answer came within %v", o.For)
		}
		return nil, err
	}
	defer res.Close()
	if err := res.Refused(); err != nil {
		return nil, err
	}
	rd := &reading{
		o: o, out: &Result{Request: r, Status: res.StatusCode}, counters: newCounters(), res: res, head: headOf(r, res, nil),
	}
	body := io.Reader(&capped{src: res.Stream, left: o.Limit})
	saved := func() error { return nil }
	if o.Save != nil {
		c := newCapture(o.Save, r, res)
		body, saved = io.TeeReader(body, c), c.close
	}
	err = errors.Join(rd.all(body), saved())
	rd.out.Took = time.Since(began)
	res.Close()
	if err != nil {
		return nil, err
	}
	if o.Sweep != nil {
		rd.sweep(ctx)
	}
	rd.out.Requirements = rd.counters.requirements(rd.out.Pack)
	return rd.out, nil
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
