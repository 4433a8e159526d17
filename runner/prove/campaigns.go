package prove

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// CampaignOptions configure a run of a catalogue of campaign-only mutants.
type CampaignOptions struct {
	Config target.Config   // headers and tokens that every server of the catalogue expects
	Only   []string        // names, ids or globs of either; all when empty
	Seed   int64           // the first
	Seeds  int             // how many; 0 means 1
	Effort campaign.Effort // Standard if empty; Quick plays every scenario and no campaign
	// Several reports for each mutant whether at least two rows of campaigns find it with every seed: then it measures little.
	Several bool
	// Progress is called after each mutant, wrong with how many seeds it was missed, or found by scenarios.
	Progress func(done, total, wrong int, r CampaignResult)
}

// CampaignResult is the result for one campaign-only mutant: how often it was found.
type CampaignResult struct {
	Name, Requirement, Summary string
	Found                      int      // with so many seeds
	By                         []string // requirements with findings
	Several                    bool     // with each seed at least two rows found it, if that was to be seen
}

// CampaignReport is the result of playing campaigns against a catalogue of campaignOnly mutants.
type CampaignReport struct {
	Seeds     int
	Scenarios bool // scenarios were played instead of campaigns
	Several   bool // it was to be seen which mutants several rows find
	Results   []CampaignResult
	Seconds   float64
}

// Enough is the share of campaignOnly mutants that campaigns have to find, as a mean over seeds, in percent.
const Enough = 95

// Percent returns the percentage of found mutants, as a mean over seeds.
func (r *CampaignReport) Percent() float64 {
	found := 0
	for _, m := range r.Results {
		found += m.Found
	}
	return 100 * float64(found) / float64(max(1, len(r.Results)*r.Seeds))
}

// OK reports whether campaigns found enough, and each mutant with at least one seed, or whether scenarios found none.
func (r *CampaignReport) OK() bool {
	if r.Scenarios {
		return r.Percent() == 0
	}
	never := slices.ContainsFunc(r.Results, func(m CampaignResult) bool { return m.Found == 0 })
	return r.Percent() >= Enough && !never
}

// Campaigns plays campaigns, and no other scenario, against each mutant with each seed, until the first finding. With the
// effort Quick it plays the scenarios instead: a mutant that one of them finds isn't campaignOnly. The error is a
// *pack.SelectionError, or that of a server that can't be run.
func Campaigns(ctx context.Context, s *pack.Suite, catalogue []Mutant, o CampaignOptions) (*CampaignReport, error) {
	began := time.Now()
	chosen, err := choose(catalogue, o.Only)
	if err != nil {
		return nil, err
	}
	o.Effort = cmp.Or(o.Effort, campaign.Standard)
	rep := &CampaignReport{Seeds: max(1, o.Seeds), Scenarios: o.Effort == campaign.Quick, Several: o.Several, Results: make([]CampaignResult, len(chosen))}
	order := make([]int, len(chosen))
	for i := range order {
		order[i] = i
	}
	errs := inPool(order, 2, func(i int) (err error) {
		rep.Results[i], err = runMutant(ctx, s, chosen[i], o)
		return err
	}, func(i, done int) {
		wrong := rep.Results[i].Found
		if !rep.Scenarios {
			wrong = rep.Seeds - wrong
		}
		if o.Progress != nil {
			o.Progress(done, len(chosen), wrong, rep.Results[i])
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

// runMutant plays the campaigns of each seed, or the scenarios, against one mutant. Rows that found it with one seed come
// first with the next: each row has its random numbers, so that the order changes the time of a run and not its findings.
func runMutant(ctx context.Context, s *pack.Suite, m Mutant, o CampaignOptions) (CampaignResult, error) {
	r := CampaignResult{Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Several: o.Several}
	firstRows := rows{}
	for n := range max(1, o.Seeds) {
		found := rows{}
		for len(found) == 0 || r.Several && len(found) == 1 {
			more, by, err := nextRows(ctx, s, m, o, o.Seed+int64(n), firstRows, found)
			if err != nil {
				return r, fmt.Errorf("running mutant %s: %w", m.Name, err)
			}
			r.By = append(r.By, by...)
			if len(more) == 0 {
				r.Several = false
				break
			}
			maps.Copy(found, more)
		}
		maps.Copy(firstRows, found)
		if len(found) > 0 {
			r.Found++
		}
	}
	slices.Sort(r.By)
	r.By = slices.Compact(r.By)
	return r, nil
}

// nextRows plays rows with one seed until the first finding, those of firstRows before the others and none of found. It
// returns the rows in which something was found, and the requirements with findings.
func nextRows(ctx context.Context, s *pack.Suite, m Mutant, o CampaignOptions, seed int64, firstRows, found rows) (rows, []string, error) {
	for _, first := range []bool{true, false} {
		if first && len(firstRows) == 0 {
			continue
		}
		res, err := playRows(ctx, s, m, o, seed, func(row [2]string) bool { return firstRows[row] == first && !found[row] })
		if err != nil {
			return nil, nil, err
		}
		if len(res.Broken) > 0 {
			more := rows{}
			more.add(res.Report)
			return more, res.Broken, nil
		}
	}
	return nil, nil, nil
}

// playRows plays those rows of campaigns, or of scenarios, that are chosen, until the first finding.
func playRows(ctx context.Context, s *pack.Suite, m Mutant, o CampaignOptions, seed int64, chosen func(row [2]string) bool) (*certify.Result, error) {
	cfg := o.Config
	cfg.Timing.Deadline = 4 * minDeadlineAll
	return against(ctx, s, m.Start, cfg, certify.Options{
		NoPreflight: true, Seed: seed, Effort: o.Effort, Concurrency: 2,
		Rows: func(sc features.Scenario, title string) bool {
			return !sc.Probe && sc.Campaign == (o.Effort != campaign.Quick) && chosen([2]string{"features/" + sc.Location(), title})
		},
		Until: func(string) bool { return true }, Unshrunk: true,
	})
}

// rows are rows of scenarios, by position and title as a report has them.
type rows map[[2]string]bool

// add adds those in which something was found.
func (r rows) add(rep *report.Report) {
	for _, q := range rep.Requirements {
		for _, f := range q.Findings {
			r[[2]string{f.Location, f.Scenario}] = true
		}
	}
}

// WriteConsole lists the mutants that campaigns did not find with every seed, or those that scenarios found, and counts.
func (r *CampaignReport) WriteConsole(w io.Writer) error {
	var b []byte
	expected := fmt.Sprint(Enough)
	if r.Scenarios {
		expected = "0 by scenarios"
	}
	for _, m := range r.Results {
		switch {
		case r.Several && m.Several:
			b = fmt.Appendf(b, "found by several subjects: %s\n  breaks %s\n", m.Name, m.Requirement)
		case r.Scenarios && m.Found > 0:
			b = fmt.Appendf(b, "found by a scenario: %s\n  breaks %s; scenarios of %s found it\n  %s\n", m.Name, m.Requirement, strings.Join(m.By, ", "), m.Summary)
		case !r.Scenarios && m.Found < r.Seeds:
			b = fmt.Appendf(b, "missed: %s\n  breaks %s; found with %d of %d seeds\n  %s\n", m.Name, m.Requirement, m.Found, r.Seeds, m.Summary)
		}
	}
	b = fmt.Appendf(b, "%d deep mutants, %d seeds: %.1f %% found, expected %s, in %.0f s\n", len(r.Results), r.Seeds, r.Percent(), expected, r.Seconds)
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
