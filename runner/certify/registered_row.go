package certify

import (
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/crosscheck"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// registeredRow is a row of the run whose ids are compared with those of all other scenarios.
type registeredRow struct {
	*crosscheck.Row
	of       *running            // shared with all other rows
	scenario crosscheck.Scenario // names the row in findings
	openRow  *openRow            // its entry in the outages, set before its first step

	mu    sync.Mutex       // guards found
	found []record.Finding // in the exchanges of campaigns, whose sessions aren't the row's
}

// registerRow registers a row for comparison with all others, including the exchanges that a campaign passes to the judge.
func (r *running) registerRow(sc features.Scenario, title string, env *steps.Env) *registeredRow {
	s := crosscheck.Scenario{Title: title, Location: "features/" + sc.Location()}
	b := &registeredRow{Row: r.registry.Row(s), of: r, scenario: s}
	if judge := env.Judge; sc.Campaign {
		env.Judge = func(e *record.Exchange) ([]record.Finding, map[string]int) {
			if found := b.Repeated(e); len(found) > 0 {
				b.mu.Lock()
				b.found = append(b.found, found[:min(len(found), max(0, maxRegistryFindings-len(b.found)))]...)
				b.mu.Unlock()
			}
			return judge(e)
		}
	}
	return b
}

// maxRegistryFindings limits the stored findings of a campaign.
const maxRegistryFindings = 32

// compares passes the exchanges of the row to the comparison and returns the findings.
func (b *registeredRow) compares(served, exchanges []*target.Exchange) []record.Finding {
	for _, e := range exchanges {
		b.AddRequest(e.Record())
	}
	var found []record.Finding
	distinct := record.Distinct{}
	for _, f := range b.found {
		found = append(found, b.reportFinding(f))
	}
	for _, e := range served {
		seen := e.Record()
		for _, f := range b.Repeated(seen) {
			if distinct.Take(f) {
				found = append(found, b.shown(f, e, exchanges))
			}
		}
		for _, s := range b.Strays(seen) {
			s.Finding = b.shown(s.Finding, e, exchanges)
			b.of.registry.Await(s)
		}
	}
	return found
}

// compared is the Step of findings that come from comparing scenarios.
const compared = "all scenarios of the run are compared"

// reportFinding converts a finding of the comparison for reports. Its scenario alone doesn't reproduce it.
func (b *registeredRow) reportFinding(f record.Finding) record.Finding {
	f.Step, f.Rerun = compared, b.of.everything(b.of.concurrency())
	f.Alone = fmt.Sprintf("%s: run with --seed %d --concurrency %d, and all scenarios", record.NeedsNeighbours, b.of.options.Seed, b.of.concurrency())
	return b.of.recorder().Finding(f, b.scenario.Title, b.scenario.Location)
}

// shown is reportFinding with the exchange.
func (b *registeredRow) shown(f record.Finding, e *target.Exchange, exchanges []*target.Exchange) record.Finding {
	told := b.reportFinding(f)
	b.of.recorder().show(&told, e, b.of.options.Target.URL(), f.Frame, exchanges)
	return told
}

// collectStrays reports the content that reached a scenario and belongs to another one, once all scenarios have registered
// theirs.
func (r *running) collectStrays() {
	for _, f := range r.registry.Leaks() {
		r.findings[f.Requirement] = append(r.findings[f.Requirement], r.budget.Finding(f))
	}
}
