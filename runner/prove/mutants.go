package prove

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove/generated"
	"github.com/streamcert/streamcert/runner/prove/killreport"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/similar"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// Mutant is a server that breaks one requirement. The runner knows it as data:
// where it comes from is not its business.
type Mutant struct {
	Name            string
	Requirement     string   // the one that it breaks
	Summary         string   // the bug, in a sentence
	Also            []string // requirements that it breaks by necessity
	Stateful        bool     // it misbehaves only in some state
	AcrossScenarios bool     // only a run of every scenario shows it
	Holdout         bool     // it is a campaignOnly mutant of the holdout
	// Start serves it on a new socket.
	Start Start
}

// Start serves a server on a loopback socket and returns its URL and a function that stops it.
type Start func() (url string, stop func(), err error)

// MutantOptions configure a run of a catalogue.
type MutantOptions struct {
	Config  target.Config // headers and tokens that every server of the catalogue expects
	Healthy Start         // the server without a fault, whose waits determine the deadlines
	Only    []string      // names, ids or globs of either; all when empty
	// All runs every scenario against every mutant and doesn't stop at the first
	// kill, so that the report shows all that each breaks.
	All bool
	// Dominators runs every scenario of each mutant's requirement, past the first kill, and compares the mutants by what
	// killed them. No mutants are generated then.
	Dominators  bool
	Concurrency int // mutants at a time; 0 means 4, and 2 with All
	Progress    func(done, total int, r killreport.Result)
}

// minDeadline bounds waits for a mutant from below: a healthy server answers in
// less than a millisecond, a busy machine may not.
const (
	minDeadline = 250 * time.Millisecond
	// With every scenario running, the machine is busy, and a deadline that is too short would fail a correct server.
	minDeadlineAll = 4 * minDeadline
)

// mostTries is the number of runs that a mutant must survive. Some faults show only when the server has noticed an event in
// time that isn't observable, such as a disconnected reader; a busy machine may delay that.
const mostTries = 3

// Mutants runs the scenarios of the requirement that a mutant names against it and stops at the first kill. The error is a
// *pack.SelectionError, or that of a healthy server that can't be run or doesn't pass.
func Mutants(ctx context.Context, s *pack.Suite, catalogue []Mutant, o MutantOptions) (*killreport.Report, error) {
	began := time.Now()
	chosen, err := choose(catalogue, o.Only)
	if err != nil {
		return nil, err
	}
	deadline, err := healthy(ctx, s, chosen, o)
	if err != nil {
		return nil, err
	}
	results, err := meetAll(ctx, s, chosen, o, deadline)
	if err != nil {
		return nil, err
	}
	whole := len(o.Only) == 0
	rep := count(s, results, whole)
	rep.All = o.All
	if o.Dominators {
		rep.Dominators = killreport.Dominate(results)
	} else if whole {
		more, err := Generated(s)
		if err != nil {
			return nil, fmt.Errorf("generating mutants: %w", err)
		}
		rep.Generated = *more
	}
	rep.Seconds = time.Since(began).Seconds()
	return rep, nil
}

// meetAll runs the mutants, a few at a time.
func meetAll(ctx context.Context, s *pack.Suite, chosen []Mutant, o MutantOptions, deadline time.Duration) ([]killreport.Result, error) {
	results := make([]killreport.Result, len(chosen))
	atOnce := 4
	if o.All { // each run is eight scenarios wide then
		atOnce = 2
	}
	order := make([]int, len(chosen))
	for i := range order {
		order[i] = i
	}
	errs := inPool(order, cmp.Or(o.Concurrency, atOnce), func(i int) (err error) {
		results[i], err = tryMutant(ctx, s, chosen[i], o, deadline)
		return err
	}, func(i, done int) {
		if o.Progress != nil {
			o.Progress(done, len(chosen), results[i])
		}
	})
	for i, err := range errs {
		if err != nil {
			return nil, err
		}
		for results[i].Outcome == killreport.Survived && results[i].Tries < mostTries && ctx.Err() == nil {
			tries := results[i].Tries
			if results[i], err = tryMutant(ctx, s, chosen[i], o, deadline); err != nil {
				return nil, err
			}
			results[i].Tries += tries
		}
		if results[i].Outcome == killreport.Survived && ctx.Err() == nil {
			if results[i].Alike, err = alike(ctx, s, chosen[i], o); err != nil {
				return nil, err
			}
		}
	}
	return results, ctx.Err()
}

// Generated judges the mutants that are generated from the schemas and goldens of a suite.
func Generated(s *pack.Suite) (*killreport.Generated, error) {
	return generated.Run(generated.Options{
		Pack: s.Pack, Schemas: s.Schemas, Files: s.Files.Schemas, Golden: s.Files.Golden,
		Counts: func(id string) bool {
			r, known := s.Book.Get(id)
			return known && r.Level != spec.May
		},
	})
}

// Selects reports by a *SelectionError whether a selection finds nothing in a
// catalogue.
func Selects(catalogue []Mutant, only []string) error {
	_, err := choose(catalogue, only)
	return err
}

// choose selects mutants by name or by requirement.
func choose(catalogue []Mutant, only []string) ([]Mutant, error) {
	if len(only) == 0 {
		return catalogue, nil
	}
	var out []Mutant
	for _, pattern := range only {
		n := len(out)
		best, at := "", min(8, len(pattern))
		for _, m := range catalogue {
			byName, err := path.Match(pattern, m.Name)
			if err != nil {
				return nil, &pack.SelectionError{Message: fmt.Sprintf("%q is not a pattern: a [ is not closed", pattern)}
			}
			if byName || pack.Matches(pattern, m.Requirement) {
				out = append(out, m)
			}
			if d := similar.Distance(pattern, m.Name, at); d < at {
				best, at = m.Name, d
			}
		}
		if len(out) == n {
			hint := ""
			if best != "" {
				hint = fmt.Sprintf("; did you mean %s?", best)
			}
			return nil, &pack.SelectionError{Message: fmt.Sprintf("no mutant is named %q or breaks a requirement of that id%s", pattern, hint)}
		}
	}
	slices.SortFunc(out, func(a, b Mutant) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(out, func(a, b Mutant) bool { return a.Name == b.Name }), nil
}

// healthy runs the same scenarios against the server without a fault. It must pass, or a kill would mean nothing; and its
// waits bound the waits for the mutants: ten times the 99th percentile.
func healthy(ctx context.Context, s *pack.Suite, chosen []Mutant, o MutantOptions) (time.Duration, error) {
	var only []string
	for _, m := range chosen {
		if !slices.Contains(only, m.Requirement) {
			only = append(only, m.Requirement)
		}
	}
	if o.All {
		only = nil
	}
	res, err := against(ctx, s, o.Healthy, o.Config, certify.Options{Only: only})
	if err != nil {
		return 0, err
	}
	for _, q := range res.Report.Requirements {
		if q.Verdict == report.Fail || q.Verdict == report.Warn || q.Verdict == report.Error {
			return 0, fmt.Errorf("the server without a fault does not pass: %s is %s %s; run `streamcert certify --reference --only %s`", q.ID, q.Verdict, q.Reason, q.ID)
		}
	}
	if res.Report.Fault != "" {
		return 0, fmt.Errorf("the server without a fault can't be run: %s", res.Report.Fault)
	}
	deadline := minDeadline
	if o.All || o.Dominators {
		deadline = minDeadlineAll
	}
	return max(deadline, 10*res.Usual), nil
}

func against(ctx context.Context, s *pack.Suite, start Start, cfg target.Config, o certify.Options) (*certify.Result, error) {
	url, stop, err := start()
	if err != nil {
		return nil, err
	}
	defer stop()
	cfg.URL = url
	t, err := target.New(cfg, target.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	o.Target = t
	return certify.Run(ctx, s, o)
}

func tryMutant(ctx context.Context, s *pack.Suite, m Mutant, o MutantOptions, deadline time.Duration) (killreport.Result, error) {
	began := time.Now()
	r := killreport.Result{
		Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Stateful: m.Stateful, Outcome: killreport.Survived,
		Also: append([]string{}, m.Also...), Tries: 1,
	}
	cfg := o.Config
	cfg.Timing.Deadline = deadline
	run := certify.Options{NoPreflight: true}
	if !o.All {
		if run.Concurrency = 4; m.AcrossScenarios {
			run.Slow = time.Nanosecond // with probes
		} else {
			run.Only = []string{m.Requirement}
		}
		if !o.Dominators {
			run.Until = func(id string) bool { return id == m.Requirement }
		}
	}
	res, err := against(ctx, s, m.Start, cfg, run)
	if err != nil {
		return r, fmt.Errorf("running mutant %s: %w", m.Name, err)
	}
	r.By, r.Seconds = res.Broken, time.Since(began).Seconds()
	if o.Dominators {
		r.Kills = kills(res.Report, m.Requirement)
	}
	switch {
	case slices.Contains(res.Broken, m.Requirement):
		r.Outcome = killreport.Killed
	case len(res.Broken) > 0:
		r.Outcome = killreport.KilledByOther
	}
	if r.By == nil {
		r.By = []string{}
	}
	if r.Outcome == killreport.Survived {
		for _, row := range res.Report.Scenarios {
			if row.Requirement == m.Requirement && row.Outcome != report.Pass {
				r.Unproven = append(r.Unproven, fmt.Sprintf("%s: %s: %s", row.Title, row.Outcome, row.Reason))
			}
		}
	}
	return r, nil
}

// kills lists what was found of a requirement.
func kills(rep *report.Report, requirement string) []killreport.Kill {
	var out []killreport.Kill
	for _, q := range rep.Requirements {
		for _, f := range q.Findings {
			if q.ID == requirement {
				out = append(out, killreport.Kill{Scenario: f.Location + " " + f.Scenario, Step: f.Step, Message: f.Message})
			}
		}
	}
	return out
}

// count counts results. Of a selection, only the requirements that were meant can be without a kill.
func count(s *pack.Suite, results []killreport.Result, whole bool) *killreport.Report {
	rep := &killreport.Report{Mutants: len(results), Survived: []string{}, Results: results, Notes: []string{}}
	rep.Generated.Survived, rep.Generated.Excluded = []killreport.Survivor{}, []killreport.Exclusion{}
	rep.Requirements.Without = []string{}
	killed, meant := map[string]bool{}, map[string]bool{}
	for _, r := range results {
		meant[r.Requirement] = true
		for _, id := range r.Unexpected() {
			rep.Notes = append(rep.Notes, fmt.Sprintf("%s breaks %s too, which its catalogue doesn't say", r.Name, id))
		}
		switch r.Outcome {
		case killreport.Killed:
			rep.Killed++
			killed[r.Requirement] = true
		case killreport.KilledByOther:
			rep.KilledByOther++
		default:
			rep.Survived = append(rep.Survived, r.Name)
		}
	}
	for _, q := range s.Book.Pack(s.Pack.Name) {
		if !q.Testable() || q.Level == spec.May || (!whole && !meant[q.ID]) {
			continue
		}
		rep.Requirements.Testable++
		if killed[q.ID] {
			rep.Requirements.Killed++
		} else {
			rep.Requirements.Without = append(rep.Requirements.Without, q.ID)
		}
	}
	return rep
}
