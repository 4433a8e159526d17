package certify

import (
	"cmp"
	"context"
	"io"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/steps"
)

// streamsEach is the largest number of streams that a scenario needs.
const streamsEach = 2

// concurrency returns the number of concurrent scenarios.
func (r *running) concurrency() int {
	n := cmp.Or(r.options.Concurrency, 8)
	if most := r.options.Target.Limits().Streams; most > 0 {
		n = min(n, max(1, (most-r.waiting.probes)/streamsEach))
	}
	return n
}

// godog runs the rows of scenarios in order, with limited concurrency. Each row is a suite: godog stores every result of a
// suite in a database whose cost grows with it, and which nothing reads here.
func (r *running) godog(caller context.Context, scenarios []features.Scenario, concurrency int) {
	ctx, stop := context.WithCancel(caller)
	defer stop()
	rows := make(chan turn)
	var workers sync.WaitGroup
	for range concurrency {
		workers.Go(func() {
			for t := range rows {
				if !r.hasStopped() && caller.Err() == nil && r.takes(t.scenario, t.row.Title) && r.served(caller) {
					t.take(ctx, caller, stop)
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() { workers.Wait(); close(ended) }()
feeding:
	for _, sc := range scenarios {
		for _, row := range sc.Rows {
			select {
			case rows <- turn{r, sc, row}:
			case <-caller.Done():
				break feeding
			}
		}
	}
	close(rows)
	select {
	case <-ended:
	case <-caller.Done():
		r.leave(ended)
	}
}

// rowEndTimeout is the time for rows to end once their run is over.
const rowEndTimeout = time.Second

// leave waits for rows of a run that is over, and takes nothing from those that are too busy to end with it.
func (r *running) leave(ended <-chan struct{}) {
	select {
	case <-ended:
	case <-time.After(rowEndTimeout):
		r.mu.Lock()
		defer r.mu.Unlock()
		r.left = true
	}
}

// turn is the run of one row.
type turn struct {
	of       *running
	scenario features.Scenario
	row      features.Row
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
		ctx, own, arrived = t.of.startRow(ctx, t.scenario, t.row.Title)
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
			t.of.finished(t.scenario, t.row.Title, w, own, err, step, time.Since(began))
			if t.of.hasStopped() {
				stop()
			}
		}
		return ctx, nil
	})
}

// startRow prepares the state for a row's steps: a new session, and its entry in the registry.
func (r *running) startRow(ctx context.Context, sc features.Scenario, title string) (_ context.Context, own *registeredRow, arrived func()) {
	ctx, openRow := r.outages.opened(ctx, report.Open{Title: title, Location: "features/" + sc.Location()})
	session := r.options.Target.Session(ctx)
	session.Expects(refusalsOf(sc, title)...)
	env := r.env(sc.Requirement)
	own, arrived = r.registerRow(sc, title, &env), r.waiting.awaits(sc, &env)
	own.openRow = openRow
	r.outages.asks(openRow, session)
	return steps.With(ctx, steps.NewWorld(env, session, sc.Requirement)), own, arrived
}

// rowKey names a row of a scenario.
type rowKey struct{ location, title string }
