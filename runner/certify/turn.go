package certify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"time"

	"github.com/cucumber/godog"
	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// turn is one play of a row; a row that is repeated has two.
type turn struct {
	of       *running          // the run, shared with other turns
	scenario features.Scenario // of which row is one
	row      features.Row      // one of scenario
}

// take plays the row through godog until the context ends. caller is the context of the run, and stop ends all of its rows.
func (t turn) take(ctx, caller context.Context, stop func()) {
	suite := godog.TestSuite{
		Name:                "streamcert",
		ScenarioInitializer: func(sc *godog.ScenarioContext) { t.hook(sc, caller, stop) },
		Options: &godog.Options{
			FeatureContents: []godog.Feature{{Name: t.scenario.Location(), Contents: t.row.Source()}},
			Concurrency:     1, Strict: true, Format: silent, Output: io.Discard, NoColors: true, DefaultContext: ctx,
		},
	}
	suite.Run()
}

// hook binds the steps of the row and collects their results.
func (t turn) hook(sc *godog.ScenarioContext, caller context.Context, stop func()) {
	step := &godog.Step{}
	var own *registeredRow
	arrived := func() {}
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		steps.Bind(sc, t.of.suite.Vocabulary.Used(t.row.Steps))
		ctx, own, arrived = t.start(ctx)
		return ctx, nil
	})
	sc.StepContext().Before(func(ctx context.Context, st *godog.Step) (context.Context, error) {
		if w := steps.From(ctx); w != nil && w.Err() == nil {
			step = st
			w.Heading(st.Text)
		}
		return ctx, nil
	})
	began := time.Now()
	sc.After(func(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
		w := steps.From(ctx)
		arrived()
		switch {
		case w == nil:
		case caller.Err() != nil || t.of.hasStopped(): // steps that fail because of the cancellation aren't the server's fault
			t.of.outages.over(own.openRow, false, false)
			w.Finish()
			w.Session().Close()
			own.openRow.cancel()
		default:
			t.finished(w, own, err, step, time.Since(began))
			if t.of.hasStopped() {
				stop()
			}
		}
		return ctx, nil
	})
}

// start prepares the state for a row's steps: a new session, and its entry in the registry.
func (t turn) start(ctx context.Context) (_ context.Context, own *registeredRow, arrived func()) {
	r, sc, title := t.of, t.scenario, t.row.Title
	ctx, openRow := r.outages.opened(ctx, report.Open{Title: title, Location: "features/" + sc.Location()})
	session := r.options.Target.Session(ctx)
	session.Expects(refusalsOf(sc, title)...)
	env := r.env(sc.Requirement)
	own, arrived = r.registerRow(sc, title, &env), r.waiting.awaits(sc, &env)
	own.openRow = openRow
	r.outages.asks(openRow, session)
	return steps.With(ctx, steps.NewWorld(env, session, sc.Requirement)), own, arrived
}

// finished takes in the outcome of one row.
func (t turn) finished(w *steps.World, own *registeredRow, err error, step *godog.Step, took time.Duration) {
	r, sc, title := t.of, t.scenario, t.row.Title
	w.Finish()
	defer own.openRow.cancel()
	session := w.Session()
	gone := r.outages.over(own.openRow, err != nil || w.Err() != nil, hungUp(session))
	if (gone != "" || session.Lost()) && r.repeats.puts(rowKey{sc.Location(), title}) {
		session.Close()
		return
	}
	defer session.Hold()()
	row := passed(sc, title, w.Occasions(), took)
	if err != nil && w.Err() == nil {
		err = &steps.Fault{Reason: err.Error()} // an undefined or ambiguous step
	} else {
		err = w.Err()
	}
	if gone != "" {
		err = &steps.Fault{Reason: gone}
	}
	compare := func() {}
	if err == nil && sc.NoTranscript == "" {
		row.transcript, compare = r.transcripts.written(sc, title, w)
	}
	if after := r.suite.Pack.Afterwards; after != nil && err == nil && !sc.Campaign && r.options.Effort.Plays() {
		after(session, drawn(r.options.Seed, sc.Location(), title))
	}
	exchanges := session.Exchanges()
	served := unrefused(session, exchanges)
	if gone != "" {
		served = nil // responses of a server that ended don't count as evidence
	}
	session.Close()

	if r.options.Record {
		row.report.Exchanges = r.recorder().all(session, exchanges)
	}
	tier := tierOf(session)
	found := append(t.judged(tier, served, exchanges), own.compares(served, exchanges)...)
	if len(found) == 0 || r.options.Transcripts { // otherwise a finding describes the difference
		compare()
	}
	if err != nil { // if one step could judge nothing, the others prove nothing
		row.report.Occasions = 0
	}
	if gone != "" {
		row.report.Outcome, row.report.Reason = report.Error, gone
	} else if len(served) < len(exchanges) {
		row.report.Outcome, row.report.Reason, row.report.Occasions = busyOutcome(session, exchanges), busyReason, 0
	} else if f := t.outcome(row, err, step, exchanges); f != nil {
		found = append(found, *f)
	}
	r.counted(row, w, tier, exchanges, found)
}

// passed returns a row that has just ended well, after a time.
func passed(sc features.Scenario, title string, occasions int, took time.Duration) *rowResult {
	row := &rowResult{scenario: sc, over: time.Now(), report: report.Scenario{
		Title: title, Location: "features/" + sc.Location(), Requirement: sc.Requirement, Outcome: report.Pass, Occasions: occasions, Seconds: took.Seconds(),
	}}
	row.began = row.over.Add(-took)
	return row
}

// outcome sets the outcome of the steps and returns the finding of a failure.
func (t turn) outcome(row *rowResult, err error, step *godog.Step, exchanges []*target.Exchange) *record.Finding {
	var failure *steps.Failure
	var unprovable *steps.Unprovable
	redact := t.of.options.Target.Redact
	switch {
	case err == nil:
		return nil
	case errors.As(err, &failure) && losesRefusal(row.scenario, row.report.Title, failure.Exchange):
		row.report.Outcome, row.report.Reason = report.Unprovable, lostRefusal
	case errors.As(err, &failure) && endsAsDeclared(t.of.options.Target.Timing().MaxConnection, exchanges):
		row.report.Outcome, row.report.Reason = report.Unprovable, declaredEnd
	case errors.As(err, &failure):
		row.report.Outcome, row.report.Reason = report.Fail, redact(failure.Error())
		f := t.of.recorder().Finding(failure.Finding, row.report.Title, row.report.Location)
		f.Requirement = cmp.Or(failure.Finding.Requirement, row.report.Requirement) // a campaign checks several
		f.Step, f.Setup = step.Text, step.Type == "Context"
		if failure.Exchange != nil {
			t.of.recorder().show(&f, failure.Exchange, t.of.options.Target.URL(), failure.Frame, exchanges)
		}
		return &f
	case errors.As(err, &unprovable):
		row.report.Outcome, row.report.Reason = report.Unprovable, inWords(redact(unprovable.Reason))
	default:
		row.report.Outcome, row.report.Reason = report.Error, redact(fmt.Sprintf("%v (at %q)", err, step.Text))
	}
	return nil
}

// judged passes the served exchanges to the judge. Findings refer to calls among all exchanges.
func (t turn) judged(tier string, served, exchanges []*target.Exchange) []record.Finding {
	r := t.of
	var found []record.Finding
	occasions := map[string]int{}
	distinct := record.Distinct{}
	var recorded []*record.Exchange
	for _, e := range served {
		came := e.Record()
		recorded = append(recorded, came)
		findings, seen := r.suite.Judge(came, r.names)
		for id, n := range seen {
			occasions[id] += n
		}
		for _, j := range findings {
			if !distinct.Take(j) { // one mistake in a thousand frames is one finding
				continue
			}
			f := r.recorder().Finding(j, t.row.Title, "features/"+t.scenario.Location())
			r.recorder().show(&f, e, r.options.Target.URL(), j.Frame, exchanges)
			found = append(found, f)
		}
	}
	found = append(found, t.sideBySide(recorded, served, exchanges)...)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left { // the report is being written already
		return nil
	}
	for id, n := range occasions {
		r.counts.saw(id, tier, n)
		r.counts.counted[id] += n
	}
	return found
}

// drawn returns a random number for a row that depends only on the seed, the location and the title.
func drawn(seed int64, location, title string) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintln(h, seed, location, title) // writing to a hash never fails
	return h.Sum64()
}

// sideBySide compares the exchanges of a row with each other. recorded are the records of served.
func (t turn) sideBySide(recorded []*record.Exchange, served, exchanges []*target.Exchange) (found []record.Finding) {
	r := t.of
	if r.suite.Pack.SideBySide == nil {
		return nil
	}
	findings, of := r.suite.Pack.SideBySide(recorded)
	for i, f := range findings {
		f.Step = "the responses to the readers of this scenario are compared"
		told := r.recorder().Finding(f, t.row.Title, "features/"+t.scenario.Location())
		r.recorder().show(&told, served[of[i]], r.options.Target.URL(), f.Frame, exchanges)
		found = append(found, told)
	}
	return found
}
