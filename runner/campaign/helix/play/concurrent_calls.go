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

// attempt is one of two calls that are made at once.
type attempt struct {
	call     *target.Exchange
	id       string // of the run that was begun
	accepted bool
	err      error
}

// atOnce makes two calls at once and returns one that was accepted, if there is one, and whether both were.
func atOnce(try func() attempt) (one attempt, both bool, err error) {
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

// pair says whether two clients make the next call that only one of them may: one of three is made so.
func (p concurrent) pair() bool {
	p.pairs++
	return p.pairs%3 == 2 && p.target.Model() == nil
}

// startOne starts a run, or has two clients start it, of which one is refused.
func (p concurrent) startOne(s *stream, o program.Operation, script runmodel.Script) (a attempt, err error) {
	if s.runProgress == nil && p.pair() {
		return p.startTwice(s, o, script)
	}
	a.id, a.call, a.accepted, err = p.runs.startRun(s, o)
	return a, err
}

// startTwice has two clients start a run at once. One of them must be refused as long as the run of the other isn't over:
// helix.runs.refused.
func (p concurrent) startTwice(s *stream, o program.Operation, script runmodel.Script) (attempt, error) {
	one, both, err := atOnce(func() (a attempt) {
		a.id, a.call, a.accepted, a.err = p.runs.startRun(s, o)
		return a
	})
	if err != nil || !both {
		return one, err
	}
	run := runmodel.New(model.Ledger{}, script)
	if err := run.Begin(s.initialState, o.Schema); err != nil || run.Over() {
		return one, campaign.ErrUnknown
	}
	return one, campaign.Broken(one.call, "helix.runs.refused", "one of them refused", fmt.Sprint(one.call.Now().Status), "two clients began a run on a stream at once")
}

// resumeAtOnce has two clients resume an interrupted run at once. One of them comes second, and must be refused if the run
// runs by then: helix.runs.refused.
func (p concurrent) resumeAtOnce(s *stream, body any, then func()) error {
	const rule = "helix.runs.refused"
	p.session.Removed(s.id)
	c := s.runProgress
	one, both, err := atOnce(func() (a attempt) {
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
		return campaign.ErrUnknown // the second may have come when the run rested again, of which nothing is said
	}
	p.ledger.Saw(rule)
	return p.outputs.inspect(s, false)
}

// hurry ends a stream while n clients pause it, all at once. It is over then, whoever came first, and says so:
// helix.status.final.
func (p concurrent) hurry(s *stream, n int) error {
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
	s.SetStatus(streammodel.Paused) // which changes nothing
	if err := p.inspections.info(s); err != nil {
		return err
	}
	return p.readerOps.readerSlot(s, program.Operation{Who: 1}, streammodel.Position{}, target.ReadRequest{})
}

// tidy has two clients clean a stream up at once, each to another step, and then one clean it up while another one resets it.
// Whoever came first, what either of them removes is gone: helix.truncation.removes, helix.truncation.reset-empties.
func (p concurrent) tidy(s *stream) error {
	if !p.target.Claims("truncation") {
		return nil
	}
	one, other := 3, 1 // either may come first
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

// removeAtOnce writes some chunks, has two clients remove some of them at once, and looks at what is left. false is returned
// where one of them was refused, as may be while another one works.
func (p concurrent) removeAtOnce(s *stream, two ...program.Operation) (both bool, err error) {
	if err := p.write(s, program.Operation{Who: 1, Count: 15, Each: 15, Step: program.MixedSteps, Class: program.ASCIIText, Size: 1}); err != nil {
		return false, err
	}
	p.session.Removed(s.id)
	next := make(chan program.Operation, len(two))
	for _, o := range two {
		next <- o
	}
	_, both, err = atOnce(func() (a attempt) {
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
