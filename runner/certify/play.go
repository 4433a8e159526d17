package certify

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/cucumber/godog"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

// streamsEach is how many streams a scenario needs at most.
const streamsEach = 2

// concurrency is how many scenarios run at a time.
func (r *running) concurrency() int {
	n := cmp.Or(r.options.Concurrency, 8)
	if most := r.options.Target.Limits().Streams; most > 0 {
		n = min(n, max(1, (most-r.probes)/streamsEach))
	}
	return n
}

// godog runs scenarios, so many at a time. Of none there is nothing to run: godog would look for a folder "features"
// where the command was typed.
func (r *running) godog(caller context.Context, scenarios []features.Scenario, concurrency int) {
	if len(scenarios) == 0 {
		return
	}
	ctx, stop := context.WithCancel(caller)
	defer stop()
	byPlace := map[string]features.Scenario{}
	var sources []godog.Feature
	for _, sc := range scenarios {
		byPlace[sc.Place()] = sc
		sources = append(sources, godog.Feature{Name: sc.Place(), Contents: sc.Source()})
	}
	used := r.used(scenarios)
	suite := godog.TestSuite{
		Name: "streamcert",
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			var step string
			var own *booked
			arrived := func() {}
			sc.Before(func(ctx context.Context, p *godog.Scenario) (context.Context, error) {
				planned := byPlace[p.Uri]
				if r.hasStopped() || caller.Err() != nil || !r.wanted(planned, p.Name) {
					return ctx, godog.ErrSkip
				}
				steps.Bind(sc, used[rowKey{p.Uri, p.Name}])
				ctx, own, arrived = r.begun(ctx, planned, p.Name)
				return ctx, nil
			})
			sc.StepContext().Before(func(ctx context.Context, st *godog.Step) (context.Context, error) {
				if w := steps.From(ctx); w != nil && w.Err() == nil {
					step = st.Text
					w.Heading(st.Text)
				}
				return ctx, nil
			})
			began := time.Now()
			sc.After(func(ctx context.Context, p *godog.Scenario, err error) (context.Context, error) {
				w := steps.From(ctx)
				arrived()
				switch {
				case w == nil:
				case caller.Err() != nil || r.hasStopped(): // what a step saw of that is no fault of the server
					w.Finish()
					w.Session().Close()
				default:
					r.finished(byPlace[p.Uri], p.Name, w, own, err, step, time.Since(began))
					if r.hasStopped() {
						stop()
					}
				}
				return ctx, nil
			})
		},
		Options: &godog.Options{
			FeatureContents: sources, Concurrency: concurrency, Strict: true,
			Format: silent, Output: io.Discard, NoColors: true, DefaultContext: ctx,
		},
	}
	suite.Run()
}

// begun gives a row what its steps work on: a session of its own, and its page in the book.
func (r *running) begun(ctx context.Context, sc features.Scenario, title string) (_ context.Context, own *booked, arrived func()) {
	session := r.options.Target.Session(ctx)
	session.Expects(refusalsOf(sc, title)...)
	env := r.env(sc.Requirement)
	own, arrived = r.entered(sc, title, &env), r.awaits(sc, &env)
	return steps.With(ctx, steps.NewWorld(env, session, sc.Requirement)), own, arrived
}

// rowKey names a row of a scenario.
type rowKey struct{ place, title string }

// used says which definitions each row uses, so that godog need not try the whole
// vocabulary on each step.
func (r *running) used(scenarios []features.Scenario) map[rowKey][]steps.Definition {
	out := map[rowKey][]steps.Definition{}
	for _, sc := range scenarios {
		for _, each := range sc.Rows {
			out[rowKey{sc.Place(), each.Title}] = r.suite.Vocabulary.Used(each.Steps)
		}
	}
	return out
}
