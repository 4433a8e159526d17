package certify

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/record"
)

const (
	// longestConfirm bounds the time in which failed scenarios are run once more.
	longestConfirm = 8 * time.Second
)

// confirmation repeats the failed scenarios of a run, to find out whether they also fail alone.
type confirmation struct{ of *running }

// run runs the failed scenarios once more, each alone, and adds the results to their findings. It treats the first
// Options.Confirm findings, those of the first headings of the report before others, for a limited time.
func (c *confirmation) run(ctx context.Context) {
	if c.of.options.Confirm == 0 || ctx.Err() != nil || c.of.ended != "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, longestConfirm)
	defer cancel()
	left := c.of.options.Confirm
	rows, why := c.failedRows(), fmt.Sprintf("the first %d findings were", left)
	for _, row := range rows {
		found := c.foundIn(row)
		found = found[:min(left, len(found))]
		left -= len(found)
		if len(found) > 0 && !c.alone(ctx, row, found) {
			if why = "the server ended"; ctx.Err() != nil {
				why = fmt.Sprintf("the %v for it were over", longestConfirm)
			}
			break
		}
	}
	for _, row := range rows {
		for _, f := range c.foundIn(row) {
			f.Alone = cmp.Or(f.Alone, record.AloneUntried+why)
		}
	}
}

// foundIn returns the findings of a row that it may bring about again, in the order of their requirements.
func (c *confirmation) foundIn(row *rowResult) []*record.Finding {
	var out []*record.Finding
	for _, id := range slices.Sorted(maps.Keys(c.of.findings)) {
		for i, f := range c.of.findings[id] {
			if f.Location == row.report.Location && f.Scenario == row.report.Title && f.Step != compared {
				out = append(out, &c.of.findings[id][i])
			}
		}
	}
	return out
}

// alone plays a row alone, reduced to the part that reproduces the findings, and those that it doesn't reproduce
// concurrently with other rows. It returns false when the time is over.
func (c *confirmation) alone(ctx context.Context, row *rowResult, found []*record.Finding) bool {
	if row.scenario.Campaign && !c.of.options.Effort.Plays() { // a probe that --slow plays
		for _, f := range found {
			f.Alone = record.AloneUntried + "it takes long"
		}
		return true
	}
	efforts := []campaign.Effort{c.of.options.Effort}
	if c.of.options.Effort.Plays() && !row.scenario.Campaign {
		efforts = []campaign.Effort{campaign.Quick, c.of.options.Effort}
	}
	ends := c.of.outages.count()
	for _, effort := range efforts {
		again := c.replayed(ctx, 1, effort, row)
		if ctx.Err() != nil || c.of.outages.count() > ends { // it may not have come to its end
			return false
		}
		found = slices.DeleteFunc(found, func(f *record.Finding) bool {
			if !recurs(again, *f) {
				return false
			}
			f.Alone, f.Rerun = record.AloneFails, c.of.rerun(effort == campaign.Quick, row.report.Location)
			return true
		})
		if len(found) == 0 {
			return true
		}
	}
	return c.concurrently(ctx, row, found)
}

// concurrently plays a row concurrently with the others of its requirement, and then with those that ran at the same time, and
// records in the findings which of them it needs. It returns false when the time is over.
func (c *confirmation) concurrently(ctx context.Context, row *rowResult, found []*record.Finding) bool {
	for _, f := range found { // until it is known better
		f.Rerun = c.of.everything(c.of.concurrency())
		f.Alone = fmt.Sprintf("%s: passes alone; it fails in the whole run, with --seed %d --concurrency %d", record.NeedsNeighbours, c.of.options.Seed, c.of.concurrency())
	}
	missing := func(rows ...*rowResult) []*record.Finding {
		again := c.replayed(ctx, c.of.concurrency(), c.of.options.Effort, append(rows, row)...)
		return slices.DeleteFunc(slices.Clone(found), func(f *record.Finding) bool { return recurs(again, *f) })
	}
	siblings, neighbours := c.of.siblings(row), c.of.besides(row)
	if len(siblings) > 0 {
		left := missing(siblings...)
		for _, f := range found {
			if !slices.Contains(left, f) {
				f.Alone = fmt.Sprintf("%s: passes alone, fails with the other scenarios of %s", record.NeedsNeighbours, row.report.Requirement)
				f.Rerun = c.withSiblings(row, f.Requirement)
			}
		}
		found = left
	}
	if len(found) == 0 || len(neighbours) == 0 || ctx.Err() != nil {
		return ctx.Err() == nil
	}
	left := missing(neighbours...)
	if len(left) == len(found) || ctx.Err() != nil {
		return ctx.Err() == nil
	}
	// Half of the neighbours are left out for as long as the same findings come without them.
	for len(neighbours) > 1 && ctx.Err() == nil {
		first, second := neighbours[:len(neighbours)/2], neighbours[len(neighbours)/2:]
		if len(missing(first...)) == len(left) && ctx.Err() == nil {
			neighbours = first
		} else if ctx.Err() == nil && len(missing(second...)) == len(left) && ctx.Err() == nil {
			neighbours = second
		} else {
			break
		}
	}
	for _, f := range found {
		if !slices.Contains(left, f) {
			f.Alone, f.Rerun = c.neighboursOf(neighbours), c.concurrentCommand(row, neighbours)
		}
	}
	return ctx.Err() == nil
}

// failedRows returns the rows in which something was found: of each requirement that of its first finding, in the order of
// the report's headings, and then the others in the order in which they ended.
func (c *confirmation) failedRows() []*rowResult {
	var out, others []*rowResult
	take := func(list *[]*rowResult, f record.Finding) {
		row := c.of.rows[strings.TrimPrefix(f.Location, "features/")+" "+f.Scenario]
		if row != nil && f.Step != compared && !slices.Contains(out, row) && !slices.Contains(*list, row) {
			*list = append(*list, row)
		}
	}
	for _, q := range c.of.report(time.Now()).InOrder() {
		for _, f := range q.Findings[:min(1, len(q.Findings))] {
			take(&out, f)
		}
	}
	for _, findings := range c.of.findings {
		for _, f := range findings {
			take(&others, f)
		}
	}
	slices.SortFunc(others, func(a, b *rowResult) int {
		return cmp.Or(a.over.Compare(b.over), cmp.Compare(a.report.Location, b.report.Location), cmp.Compare(a.report.Title, b.report.Title))
	})
	return append(out, others...)
}

// recurs reports whether one of the findings, by requirement, is the same violation of the same row.
func recurs(findings map[string][]record.Finding, f record.Finding) bool {
	return slices.ContainsFunc(findings[f.Requirement], func(g record.Finding) bool {
		return g.Location == f.Location && g.Scenario == f.Scenario && (g.Message == f.Message || g.Step != "" && g.Step == f.Step)
	})
}

// replayed runs rows once more and returns the new findings by requirement.
func (c *confirmation) replayed(ctx context.Context, concurrency int, effort campaign.Effort, rows ...*rowResult) map[string][]record.Finding {
	wanted := map[rowKey]bool{}
	var plan Plan
	for _, row := range rows {
		key := rowKey{row.scenario.Location(), row.report.Title}
		if !slices.ContainsFunc(plan.Scenarios, func(sc features.Scenario) bool { return sc.Location() == key.location }) {
			plan.Scenarios = append(plan.Scenarios, row.scenario)
		}
		wanted[key] = true
	}
	once := newRunning(c.of.suite, Options{
		Target: c.of.options.Target, Seed: c.of.options.Seed, Effort: effort, Concurrency: concurrency, Unshrunk: true,
		Rows: func(sc features.Scenario, title string) bool { return wanted[rowKey{sc.Location(), title}] },
	}, plan, c.of.skips)
	once.offer, once.outages = c.of.offer, c.of.outages
	once.godog(ctx, plan.Scenarios, concurrency)
	return once.findings
}

// neighboursOf describes the rows that must run concurrently for a row to fail.
func (c *confirmation) neighboursOf(rows []*rowResult) string {
	var names []string
	for _, other := range rows {
		names = append(names, fmt.Sprintf("%q (%s)", other.report.Title, other.report.Location))
	}
	return fmt.Sprintf("%s: passes alone, fails with --seed %d%s beside %s", record.NeedsNeighbours, c.of.options.Seed, c.atOnce(), strings.Join(names, ", "))
}

// withSiblings returns the command that plays the scenarios of a row's requirement, and reports on another requirement that
// was found violated in it.
func (c *confirmation) withSiblings(row *rowResult, found string) string {
	ids := []string{row.report.Requirement, found}
	if line := c.of.rerun(false, slices.Compact(ids)...); line != "" {
		return line + c.atOnce()
	}
	return ""
}

// concurrentCommand returns the command that plays a row with some that ran at the same time.
func (c *confirmation) concurrentCommand(row *rowResult, rows []*rowResult) string {
	locations := []string{row.report.Location}
	for _, other := range rows {
		if !slices.Contains(locations, other.report.Location) {
			locations = append(locations, other.report.Location)
		}
	}
	if line := c.of.rerun(false, locations...); line != "" {
		return line + c.atOnce()
	}
	return ""
}

func (c *confirmation) atOnce() string { return fmt.Sprintf(" --concurrency %d", c.of.concurrency()) }
