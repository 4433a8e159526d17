package play

import (
	"errors"
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/model"

	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
)

// attempt is one of two concurrent calls.
type attempt struct {
	call     *target.Exchange
	id       string // id of the run that it started
	accepted bool
	err      error
}

// twice makes two concurrent calls and returns an accepted one, if there is one, and whether both were accepted.
func twice(try func() attempt) (one attempt, both bool, err error) {
	var all [2]attempt
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i] = try() })
	}
	group.Wait()
	for _, a := range all {
		if a.err != nil {
			return a, false, a.err
		}
	}
	if one = all[0]; !one.accepted {
		one = all[1]
	}
	return one, all[0].accepted && all[1].accepted, nil
}

// duplicates reports whether two clients make the next call, of which one may be accepted: every third time.
func (p concurrent) duplicates() bool {
	p.duplicated++
	return p.duplicated%3 == 2 && p.target.Model() == nil
}

// startOne starts a run, sometimes by two clients of which one must be refused.
func (p concurrent) startOne(s *stream, o program.Operation, script runmodel.Script) (a attempt, err error) {
	if s.runProgress == nil && p.duplicates() {
		return p.startTwice(s, o, script)
	}
	a.id, a.call, a.accepted, err = p.runs.startRun(s, o)
	return a, err
}

// startTwice has two clients start a run concurrently. One must be refused until the run is over: helix.runs.refused.
func (p concurrent) startTwice(s *stream, o program.Operation, script runmodel.Script) (attempt, error) {
	one, both, err := twice(func() (a attempt) {
		a.id, a.call, a.accepted, a.err = p.runs.startRun(s, o)
		return a
	})
	if err != nil || !both {
		return one, err
	}
	run := runmodel.New(model.OccasionCounts{}, script)
	if err := run.Begin(s.initialState, o.Schema); err != nil || run.Over() {
		return one, campaign.ErrUnknown
	}
	return one, campaign.Broken(one.call, "helix.runs.refused", "one of them refused", fmt.Sprint(one.call.Now().Status), "two clients began a run on a stream at once")
}

// resumeAtOnce has two clients resume an interrupted run concurrently. The second must be refused if the run is running
// by then: helix.runs.refused.
func (p concurrent) resumeAtOnce(s *stream, body any, then func()) error {
	const rule = "helix.runs.refused"
	p.session.Removed(s.id)
	c := s.runProgress
	one, both, err := twice(func() (a attempt) {
		a.call, a.accepted, a.err = p.calls.control(rule, "POST", c.path("resume"), body, false)
		return a
	})
	switch {
	case err != nil:
		return err
	case !one.accepted:
		return campaign.Broken(one.call, "helix.runs.resumed", "2xx", fmt.Sprint(one.call.Now().Status), "a run that is %s refused to be resumed, by two clients at once", c.Status())
	}
	then()
	switch {
	case both && c.Status() == runmodel.Running:
		return campaign.Broken(one.call, rule, "one of them refused", fmt.Sprint(one.call.Now().Status), "two clients resumed a run at once")
	case both:
		return campaign.ErrUnknown // the second may have come when the run was settled again, for which no rule exists
	}
	p.occasionCounts.Saw(rule)
	return p.outputs.inspect(s, false)
}

// concurrentEnd ends a stream while n clients pause it. In any order the stream has ended afterwards, and StreamInfo reports
// that: helix.status.final.
func (p concurrent) concurrentEnd(s *stream, n int) error {
	if !p.target.Claims("status") || !p.target.Claims("info") {
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
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	s.End("")
	s.SetStatus(streammodel.Paused) // changes nothing
	if err := p.inspections.info(s); err != nil {
		return err
	}
	return p.readerOps.readerSlot(s, program.Operation{Who: 1}, streammodel.Position{}, target.ReadRequest{})
}

// concurrentRemovals has two clients clean up a stream concurrently, each to another step, and then one clean it up while another one
// resets it. In any order the chunks that either call removes are gone: helix.truncation.removes,
// helix.truncation.reset-empties.
func (p concurrent) concurrentRemovals(s *stream) error {
	if !p.target.Claims("truncation") {
		return nil
	}
	one, other := 3, 1 // either may be the higher
	if s.Written()%2 == 0 {
		one, other = other, one
	}
	both, err := p.removeAtOnce(s, program.Operation{Kind: program.Cleanup, Step: one}, program.Operation{Kind: program.Cleanup, Step: other})
	if err != nil || !both || !p.target.Claims("reset") {
		return err
	}
	_, err = p.removeAtOnce(s, program.Operation{Kind: program.Cleanup, Step: 2}, program.Operation{Kind: program.Reset})
	return err
}

// removeAtOnce writes some chunks, has two clients remove some of them concurrently, and compares the others with the
// model. It returns false if one call was refused, as it may be during the other.
func (p concurrent) removeAtOnce(s *stream, two ...program.Operation) (both bool, err error) {
	if err := p.write(s, program.Operation{Who: 1, Count: 15, Each: 15, Step: program.MixedSteps, Class: program.ASCIIText, Size: 1}); err != nil {
		return false, err
	}
	p.session.Removed(s.id)
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
	if err := p.inspections.info(s); err != nil {
		return true, err
	}
	if err := p.readerOps.readerSlot(s, program.Operation{Who: 1}, streammodel.Position{}, target.ReadRequest{}); err != nil {
		return true, err
	}
	return true, errors.Join(p.readerOps.drain(s.readers[1]), p.readerOps.disconnect(s.readers[1]))
}
