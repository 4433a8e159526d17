package certify

import (
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/ledger"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// booked is what the ledger of the run knows of a row.
type booked struct {
	*ledger.Row
	scenario ledger.Scenario

	mu    sync.Mutex
	found []record.Finding // in what campaigns play, who have sessions of their own
}

// entered begins a row in the ledger. What a campaign shows to the judge, the ledger sees too.
func (r *running) entered(sc features.Scenario, title string, env *steps.Env) *booked {
	s := ledger.Scenario{Title: title, Place: "features/" + sc.Place()}
	b := &booked{Row: r.ledger.Row(s), scenario: s}
	if judge := env.Judge; sc.Campaign {
		env.Judge = func(e *record.Exchange) ([]record.Finding, map[string]int) {
			if found := b.Repeated(e); len(found) > 0 {
				b.mu.Lock()
				b.found = append(b.found, found[:min(len(found), max(0, mostBooked-len(b.found)))]...)
				b.mu.Unlock()
			}
			return judge(e)
		}
	}
	return b
}

// mostBooked is how many findings of a campaign are kept.
const mostBooked = 32

// book shows a row's exchanges to the ledger and returns what it found.
func (r *running) book(own *booked, served, exchanges []*target.Exchange) []record.Finding {
	for _, e := range exchanges {
		own.Asked(e.Record())
	}
	var found []record.Finding
	distinct := record.Distinct{}
	for _, f := range own.found {
		found = append(found, r.told(f, own.scenario))
	}
	for _, e := range served {
		seen := e.Record()
		for _, f := range own.Repeated(seen) {
			if distinct.Take(f) {
				found = append(found, r.shown(f, own.scenario, e, exchanges))
			}
		}
		for _, s := range own.Strays(seen) {
			s.Finding = r.shown(s.Finding, own.scenario, e, exchanges)
			r.ledger.Await(s)
		}
	}
	return found
}

// compared stands in the place of the step that found something.
const compared = "all scenarios of the run are compared"

// told is a finding of the ledger as reports show it. Its scenario alone doesn't bring it about again.
func (r *running) told(f record.Finding, s ledger.Scenario) record.Finding {
	f.Step, f.Rerun = compared, r.everything()
	f.Alone = fmt.Sprintf("%s: run with --seed %d --concurrency %d, and all scenarios", record.NeedsNeighbours, r.options.Seed, r.concurrency())
	return r.recorder().Finding(f, s.Title, s.Place)
}

// shown is told, with the exchange.
func (r *running) shown(f record.Finding, s ledger.Scenario, e *target.Exchange, exchanges []*target.Exchange) record.Finding {
	told := r.told(f, s)
	r.recorder().show(&told, e, r.options.Target.URL(), f.Frame, exchanges)
	return told
}

// strayed takes in what came to a scenario and belongs to another, now that all have said what is theirs.
func (r *running) strayed() {
	for _, f := range r.ledger.Strayed() {
		r.findings[f.Requirement] = append(r.findings[f.Requirement], r.budget.Finding(f))
	}
}
