package prove

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
)

// DeepOptions are how a catalogue of deep mutants is run.
type DeepOptions struct {
	Config   target.Config // headers and tokens that every server of the catalogue expects
	Only     []string      // names, ids or globs of either; all when empty
	Seed     int64         // the first
	Seeds    int           // how many; 0 means 1
	Effort   campaign.Effort
	Progress func(done, total, missed int) // after each mutant: with how many seeds it was missed
}

// DeepResult is how often one deep mutant was found.
type DeepResult struct {
	Name, Requirement, Summary string
	Found                      int      // with so many seeds
	By                         []string // requirements of which anything was found
}

// DeepReport is the result of playing campaigns against a catalogue of deep mutants.
type DeepReport struct {
	Seeds   int
	Results []DeepResult
	Seconds float64
}

// Enough is the part of deep mutants that campaigns have to find, as a mean over seeds, in percent.
const Enough = 95

// Percent is how many were found, as a mean over seeds.
func (r *DeepReport) Percent() float64 {
	found := 0
	for _, m := range r.Results {
		found += m.Found
	}
	return 100 * float64(found) / float64(max(1, len(r.Results)*r.Seeds))
}

// OK reports whether enough were found, and each with at least one seed.
func (r *DeepReport) OK() bool {
	never := slices.ContainsFunc(r.Results, func(m DeepResult) bool { return m.Found == 0 })
	return r.Percent() >= Enough && !never
}

// Deep plays campaigns, and no other scenario, against each mutant with each seed, until the first finding. The error is
// a *pack.SelectionError, or says that a server can't be run.
func Deep(ctx context.Context, s *pack.Suite, catalogue []Mutant, o DeepOptions) (*DeepReport, error) {
	began := time.Now()
	chosen, err := choose(catalogue, o.Only)
	if err != nil {
		return nil, err
	}
	rep := &DeepReport{Seeds: max(1, o.Seeds), Results: make([]DeepResult, len(chosen))}
	order := make([]int, len(chosen))
	for i := range order {
		order[i] = i
	}
	errs := inPool(order, 2, func(i int) (err error) {
		rep.Results[i], err = plumb(ctx, s, chosen[i], o)
		return err
	}, func(i, done int) {
		if o.Progress != nil {
			o.Progress(done, len(chosen), rep.Seeds-rep.Results[i].Found)
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	rep.Seconds = time.Since(began).Seconds()
	return rep, ctx.Err()
}

// plumb plays the campaigns of each seed against one mutant.
func plumb(ctx context.Context, s *pack.Suite, m Mutant, o DeepOptions) (DeepResult, error) {
	r := DeepResult{Name: m.Name, Requirement: m.Requirement, Summary: m.Summary}
	cfg := o.Config
	cfg.Timing.Deadline = 4 * minDeadlineAll
	for n := range max(1, o.Seeds) {
		res, err := against(ctx, s, m.Start, cfg, certify.Options{
			NoPreflight: true, Seed: o.Seed + int64(n), Effort: cmp.Or(o.Effort, campaign.Standard), Concurrency: 2,
			Rows:  func(sc features.Scenario, _ string) bool { return sc.Campaign && !sc.Probe },
			Until: func(string) bool { return true },
		})
		if err != nil {
			return r, fmt.Errorf("running mutant %s: %w", m.Name, err)
		}
		if len(res.Broken) > 0 {
			r.Found++
		}
		for _, id := range res.Broken {
			if !slices.Contains(r.By, id) {
				r.By = append(r.By, id)
			}
		}
	}
	return r, nil
}

// WriteConsole lists the mutants that were not found with every seed, and counts.
func (r *DeepReport) WriteConsole(w io.Writer) error {
	var b []byte
	for _, m := range r.Results {
		if m.Found < r.Seeds {
			b = fmt.Appendf(b, "missed: %s\n  breaks %s; found with %d of %d seeds\n  %s\n", m.Name, m.Requirement, m.Found, r.Seeds, m.Summary)
		}
	}
	b = fmt.Appendf(b, "%d deep mutants, %d seeds: %.1f %% found, expected %d, in %.0f s\n", len(r.Results), r.Seeds, r.Percent(), Enough, r.Seconds)
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
