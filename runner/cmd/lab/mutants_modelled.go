package lab

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/prove/killreport"
	"github.com/streamcert/streamcert/runner/report/progress"
	"github.com/streamcert/streamcert/spec"
)

// byModel counts the mutants of one pack that are found by scenarios of the model. It leaves out those of requirements that
// no model provokes.
func (m *mutants) byModel(ctx context.Context, suite *pack.Suite, own *embedded) error {
	only := m.only
	if len(only) == 0 {
		for _, one := range own.mutants(suite.Pack.Name) {
			if q, _ := suite.Book.Get(one.Requirement); q.Tier == spec.TierObserve || q.Tier == spec.TierModelled {
				only = append(only, one.Name)
			}
		}
	}
	bar := progress.New(m.app.Errs(), command.Terminal(m.app.Errs()), time.Now, "mutants")
	rep, err := prove.Mutants(ctx, suite, own.mutants(suite.Pack.Name), prove.MutantOptions{
		Config: own.Config, Healthy: own.Reference, Only: only,
		Progress: func(done, total int, r killreport.Result) { bar.Step(done, total, 0) },
	})
	bar.Finish()
	if err != nil {
		return command.Misused(err)
	}
	var missed []string
	for _, r := range rep.Results {
		if r.Outcome != killreport.Killed {
			missed = append(missed, fmt.Sprintf("  %s (%s) of %s\n", r.Name, r.Outcome, r.Requirement))
		}
	}
	_, err = fmt.Fprintf(m.app.Out(), "%s by the model: %d of %d mutants found by the requirement that they break, in %.1f s\n%s",
		suite.Pack.Name, len(rep.Results)-len(missed), len(rep.Results), rep.Seconds, strings.Join(missed, ""))
	return err
}
