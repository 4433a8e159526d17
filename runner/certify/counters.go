package certify

import (
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
	"github.com/streamcert/streamcert/steps"
)

// counters counts the checks of a run's rows, and what they proved. The run's lock guards it.
type counters struct {
	occasions map[string]int    // by requirement
	proofs    map[string]string // the least tier by which each had an occasion
	counted   map[string]int    // those of the judge alone
	proven    map[string]int    // the largest number of each kind
	unplayed  []report.Unplayed // campaigns that time ended, in the order in which their rows ended
	silence   time.Duration     // the longest that a probe has outlasted
}

func newCounters() counters {
	return counters{occasions: map[string]int{}, proofs: map[string]string{}, counted: map[string]int{}, proven: map[string]int{}}
}

// saw takes in how often a requirement had something to judge that a tier provoked.
func (t *counters) saw(id, tier string, occasions int) {
	if occasions == 0 {
		return
	}
	t.occasions[id] += occasions
	tiers := []string{spec.TierObserve, spec.TierModelled, spec.TierScripted}
	if before, known := t.proofs[id]; !known || slices.Index(tiers, tier) < slices.Index(tiers, before) {
		t.proofs[id] = tier
	}
}

// passed adds what a row proved in addition to its requirement.
func (t *counters) passed(row *report.Scenario, w *steps.World, tier string) {
	t.silence = max(t.silence, w.Silence())
	row.Others = w.Others()
	for id, n := range row.Others {
		t.saw(id, tier, n)
	}
	for what, n := range w.Proven() {
		t.proven[what] = max(t.proven[what], n)
	}
	for _, u := range w.Unplayed() {
		t.unplayed = append(t.unplayed, report.Unplayed{What: u.What, Played: u.Played, Of: u.Of})
	}
}

// proof returns the least tier by which a pass was proven, "" for every other verdict.
func (t *counters) proof(id string, v report.Verdict) string {
	if v != report.Pass {
		return ""
	}
	return t.proofs[id]
}

// tierOf returns the tier by which a session has provoked the server.
func tierOf(s *target.Session) string {
	switch modelled, scripted := s.Provoked(); {
	case scripted:
		return spec.TierScripted
	case modelled:
		return spec.TierModelled
	}
	return spec.TierObserve
}
