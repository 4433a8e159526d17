package play

import (
	"cmp"
	"sync"

	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
)

// concurrentEnd ends a stream while n clients pause it. In any order the stream has ended afterwards, and StreamInfo reports
// that: helix.status.final.
func (p *changes) concurrentEnd(s *stream, n int) error {
	if !p.env.target.Claims("status") || !p.env.target.Claims("info") {
		return nil
	}
	var group sync.WaitGroup
	errs := make([]error, n+1)
	for i := range n {
		group.Go(func() {
			_, _, errs[i] = p.calls.call(s, "helix.status.transitions", "POST", "/status", map[string]any{"status": streammodel.Paused})
		})
	}
	group.Go(func() { _, errs[n] = p.calls.must(s, "helix.lifecycle.end", "POST", "/end", map[string]any{}) })
	group.Wait()
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	s.End("")
	s.SetStatus(streammodel.Paused) // changes nothing
	if err := p.calls.info(s); err != nil {
		return err
	}
	return p.readers.readerSlot(s, program.Operation{Who: 1}, streammodel.Position{}, target.ReadRequest{})
}

// concurrentRemovals has two clients clean up a stream concurrently, each to another step, and then one clean it up while another one
// resets it. In any order the chunks that either call removes are gone: helix.truncation.removes,
// helix.truncation.reset-empties.
func (p *changes) concurrentRemovals(s *stream, lowerFirst bool) error {
	if !p.env.target.Claims("truncation") {
		return nil
	}
	one, other := 3, 1
	if lowerFirst {
		one, other = other, one
	}
	both, err := p.removeAtOnce(s, program.Operation{Kind: program.Cleanup, Step: one}, program.Operation{Kind: program.Cleanup, Step: other})
	if err != nil || !both || !p.env.target.Claims("reset") {
		return err
	}
	_, err = p.removeAtOnce(s, program.Operation{Kind: program.Cleanup, Step: 2}, program.Operation{Kind: program.Reset})
	return err
}

// removeAtOnce writes some chunks, has two clients remove some of them concurrently, and compares the others with the
// model. It returns false if one call was refused, as it may be during the other.
func (p *changes) removeAtOnce(s *stream, two ...program.Operation) (both bool, err error) {
	if err := p.writers.write(s, program.Operation{Who: 1, Count: 15, Each: 15, Step: program.MixedSteps, Class: program.ASCIIText, Size: 1}); err != nil {
		return false, err
	}
	p.env.session.Removed(s.id)
	next := make(chan program.Operation, len(two))
	for _, o := range two {
		next <- o
	}
	_, both, err = twice(func() (a attempt) {
		o := <-next
		body := map[string]any{}
		if o.Kind == program.Cleanup {
			body["stepCount"] = o.Step
		}
		a.call, a.accepted, a.err = p.calls.call(s, "helix.truncation.removes", "POST", "/"+string(o.Kind), body)
		return a
	})
	if err != nil || !both {
		return false, err
	}
	for _, o := range two {
		if o.Kind == program.Reset {
			s.Reset()
		} else {
			s.Cleanup(o.Step)
		}
	}
	if err := p.calls.info(s); err != nil {
		return true, err
	}
	return true, p.readers.readAll(s)
}

// concurrentOpen has n clients open a writer of a new stream concurrently. They must open one stream, which accepts
// later chunks of each: helix.lifecycle.writer-creates, helix.lifecycle.many-writers. Then concurrent calls clean it up
// and end it.
func (p *changes) concurrentOpen(n int) error {
	id := p.env.session.NewStream()
	s := &stream{
		Stream: streammodel.New(p.env.counts, streammodel.FamilyOf(id), "1"), id: id, writers: map[int]string{}, readers: map[int]*reader{},
	}
	var group sync.WaitGroup
	writers, errs := make([]string, n), make([]error, n)
	for i := range n {
		group.Go(func() { writers[i], errs[i] = p.calls.openWriter(s, data.Agent) })
	}
	group.Wait()
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	for i, writer := range writers {
		s.writers[i+1] = writer
	}
	for i := range n {
		if err := p.writers.write(s, program.Operation{Who: i + 1, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 1}); err != nil {
			return err
		}
	}
	if err := p.calls.info(s); err != nil {
		return err
	}
	if err := p.readers.readAll(s); err != nil {
		return err
	}
	if err := p.concurrentRemovals(s, n%2 == 0); err != nil {
		return err
	}
	return p.concurrentEnd(s, n)
}
