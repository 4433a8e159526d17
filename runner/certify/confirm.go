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
	"github.com/streamcert/streamcert/runner/record"
)

const (
	// longestConfirm bounds the time in which failed scenarios are run once more.
	longestConfirm = 5 * time.Second
	// mostNeighbours is how many scenarios are named that ran beside one.
	mostNeighbours = 8
)

// confirmation looks at what a run has found: whether it comes again when its scenario is by itself.
type confirmation struct{ of *running }

// run runs the failed scenarios once more, each by itself, and says in their
// findings what came of it. It looks at the first Options.Confirm findings, of
// whatever requirement, for a bounded time.
func (c *confirmation) run(ctx context.Context) {
	if c.of.options.Confirm == 0 || ctx.Err() != nil || c.of.ended != "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, longestConfirm)
	defer cancel()
	left := c.of.options.Confirm
	for _, row := range c.failedRows() {
		if left <= 0 || ctx.Err() != nil {
			return
		}
		ends := c.of.outages.count()
		again := c.replayed(ctx, 1, row)
		var beside map[string][]record.Finding
		if ctx.Err() != nil || c.of.outages.count() > ends { // it may not have come to its end
			return
		}
		for _, id := range slices.Sorted(maps.Keys(c.of.findings)) {
			for i := range c.of.findings[id] {
				f := &c.of.findings[id][i]
				if f.Place != row.report.Place || f.Scenario != row.report.Title || f.Step == compared || left <= 0 {
					continue
				}
				left--
				f.Alone = record.AloneFails
				if recurs(again[id], *f) {
					continue
				}
				if beside == nil {
					beside = c.replayed(ctx, c.of.concurrency(), append(c.besides(row), row)...)
				}
				f.Alone, f.Rerun = c.neighboursOf(row), c.of.everything(c.of.concurrency())
				if recurs(beside[id], *f) {
					f.Rerun = c.together(row, id)
				}
			}
		}
	}
}

// failedRows are the rows in which something was found, in the order in which they
// ended.
func (c *confirmation) failedRows() []*rowResult {
	failed := map[[2]string]bool{}
	for _, findings := range c.of.findings {
		for _, f := range findings {
			failed[[2]string{f.Place, f.Scenario}] = failed[[2]string{f.Place, f.Scenario}] || f.Step != compared
		}
	}
	var out []*rowResult
	for _, row := range c.of.rows {
		if failed[[2]string{row.report.Place, row.report.Title}] {
			out = append(out, row)
		}
	}
	slices.SortFunc(out, func(a, b *rowResult) int {
		return cmp.Or(a.over.Compare(b.over), cmp.Compare(a.report.Place, b.report.Place), cmp.Compare(a.report.Title, b.report.Title))
	})
	return out
}

// recurs reports whether one of the findings is the same breach of the same row.
func recurs(findings []record.Finding, f record.Finding) bool {
	return slices.ContainsFunc(findings, func(g record.Finding) bool {
		return g.Place == f.Place && g.Scenario == f.Scenario && (g.Message == f.Message || g.Step != "" && g.Step == f.Step)
	})
}

// replayed runs rows once more and returns what was found then, by requirement.
func (c *confirmation) replayed(ctx context.Context, concurrency int, rows ...*rowResult) map[string][]record.Finding {
	wanted := map[rowKey]bool{}
	var plan Plan
	for _, row := range rows {
		key := rowKey{row.scenario.Place(), row.report.Title}
		if !slices.ContainsFunc(plan.Scenarios, func(sc features.Scenario) bool { return sc.Place() == key.place }) {
			plan.Scenarios = append(plan.Scenarios, row.scenario)
		}
		wanted[key] = true
	}
	once := newRunning(c.of.suite, Options{
		Target: c.of.options.Target, Seed: c.of.options.Seed, Effort: c.of.options.Effort, Concurrency: concurrency,
		Rows: func(sc features.Scenario, title string) bool { return wanted[rowKey{sc.Place(), title}] },
	}, plan, c.of.skips)
	once.offer, once.outages = c.of.offer, c.of.outages
	once.godog(ctx, plan.Scenarios, concurrency)
	return once.findings
}

// besides are the rows that ran while one did.
func (c *confirmation) besides(row *rowResult) []*rowResult {
	var out []*rowResult
	for _, other := range c.of.rows {
		if other != row && other.began.Before(row.over) && row.began.Before(other.over) {
			out = append(out, other)
		}
	}
	slices.SortFunc(out, func(a, b *rowResult) int {
		return cmp.Or(a.began.Compare(b.began), cmp.Compare(a.report.Place, b.report.Place), cmp.Compare(a.report.Title, b.report.Title))
	})
	return out[:min(len(out), mostNeighbours)]
}

// neighboursOf says what has to run beside a row, so that it fails.
func (c *confirmation) neighboursOf(row *rowResult) string {
	var names []string
	for _, other := range c.besides(row) {
		names = append(names, fmt.Sprintf("%q (%s)", other.report.Title, other.report.Place))
	}
	text := fmt.Sprintf("%s: run with --seed %d --concurrency %d", record.NeedsNeighbours, c.of.options.Seed, c.of.concurrency())
	if len(names) == 0 {
		return text + ", what ran before it"
	}
	return text + ", scenarios " + strings.Join(names, ", ")
}

// together is the command that runs a requirement with all that ran beside it.
func (c *confirmation) together(row *rowResult, id string) string {
	if !strings.Contains(c.of.options.Rerun, "--only %s") {
		return ""
	}
	ids := []string{id}
	for _, other := range c.besides(row) {
		if !slices.Contains(ids, other.report.Requirement) {
			ids = append(ids, other.report.Requirement)
		}
	}
	only := "--only " + strings.Join(ids, " --only ")
	return strings.ReplaceAll(c.of.options.Rerun, "--only %s", only) + fmt.Sprintf(" --concurrency %d", c.of.concurrency())
}
