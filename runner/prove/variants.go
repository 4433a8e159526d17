package prove

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/similar"
	"github.com/streamcert/streamcert/runner/target"
)

// Variant is a server that is right but not like the reference. The runner knows
// it as data: where it comes from is not its business.
type Variant struct {
	Name    string
	Freedom string   // the part of the spec that allows its difference
	Summary string   // its difference, in a sentence
	Warns   []string // ids of the SHOULDs that it doesn't follow
	HTTP2   bool     // it is spoken to over HTTP/2 only
	Slow    bool     // a run against it takes long, so it is started first
	// MaxConnection is the longest duration of a response that the variant's config declares; 0 declares none.
	MaxConnection time.Duration
	// Limits are the sizes and rates that the variant's config declares.
	Limits target.Limits
	// Without are the capabilities that its config leaves out.
	Without []string
	// Sections are the pack's sections of the variant's config.
	Sections []any
	// Start serves it on a new socket.
	Start Start
}

// VariantOptions configure a run of a catalogue.
type VariantOptions struct {
	Config      target.Config // headers and tokens that every server of the catalogue expects
	Only        []string      // names or globs; all when empty
	Concurrency int           // variants at a time; 0 means 6
	// All runs every row of every scenario. Otherwise each variant meets a fifth
	// of the scenarios, drawn by the seed, and of an outline one row: so every
	// scenario meets many variants each time, and all of them in time.
	All      bool
	Seed     int64
	Progress func(done, total int, r VariantResult)
}

// Accusation is one accusation of a variant by the suite.
type Accusation struct {
	Requirement string         `json:"requirement,omitempty"`
	Verdict     report.Verdict `json:"verdict,omitempty"`
	Message     string         `json:"message"`
	Scenario    string         `json:"scenario,omitempty"`
	Position    string         `json:"place,omitempty"` // of the scenario, or of the golden
}

// VariantResult is the result of certifying one variant.
type VariantResult struct {
	Name        string       `json:"name"`
	Freedom     string       `json:"freedom"`
	Summary     string       `json:"summary"`
	Warns       []string     `json:"warns"` // SHOULDs on which it has the verdict warn, as its catalogue entry declares
	Accusations []Accusation `json:"held"`  // accusations; empty for one that passes
	Seconds     float64      `json:"seconds"`
}

// VariantReport is the result of running a catalogue. Its JSON form is described
// by schemas/variants.json.
type VariantReport struct {
	Variants int             `json:"variants"`
	Accused  []string        `json:"accused"` // names of accused variants
	Seconds  float64         `json:"seconds"`
	Seed     int64           `json:"seed"` // seed of the draw of scenarios
	All      bool            `json:"all"`  // whether every scenario was met by every variant
	Results  []VariantResult `json:"results"`
}

// OK reports whether no variant is accused.
func (r *VariantReport) OK() bool { return len(r.Accused) == 0 }

// Variants runs every scenario of the suite against each variant. A variant is accused when a verdict on it is worse than
// its catalogue entry declares, when a requirement that can be tested comes out unprovable, or when the comparison with a
// golden objects. The error is a *pack.SelectionError, or that of a server that can't be run.
func Variants(ctx context.Context, s *pack.Suite, catalogue []Variant, o VariantOptions) (*VariantReport, error) {
	began := time.Now()
	chosen, err := chooseNamed("variant", catalogue, variantName, o.Only)
	if err != nil {
		return nil, err
	}
	rep := &VariantReport{
		Variants: len(chosen), Accused: []string{}, Results: make([]VariantResult, len(chosen)), Seed: o.Seed, All: o.All,
	}
	errs := inPool(slowFirst(chosen), cmp.Or(o.Concurrency, 6), func(i int) (err error) {
		rep.Results[i], err = certified(ctx, s, chosen[i], o)
		return err
	}, func(i, done int) {
		if o.Progress != nil {
			o.Progress(done, len(chosen), rep.Results[i])
		}
	})
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("running variant %s: %w", chosen[i].Name, err)
		}
	}
	for _, r := range rep.Results {
		if len(r.Accusations) > 0 {
			rep.Accused = append(rep.Accused, r.Name)
		}
	}
	rep.Seconds = time.Since(began).Seconds()
	return rep, ctx.Err()
}

func variantName(v Variant) string { return v.Name }

// slowFirst returns the order in which variants are started, as indices.
func slowFirst(chosen []Variant) []int {
	var slow, others []int
	for i, v := range chosen {
		if v.Slow {
			slow = append(slow, i)
		} else {
			others = append(others, i)
		}
	}
	return append(slow, others...)
}

// SelectsVariants reports by a *pack.SelectionError whether a selection finds nothing in
// a catalogue.
func SelectsVariants(catalogue []Variant, only []string) error {
	_, err := chooseNamed("variant", catalogue, variantName, only)
	return err
}

// chooseNamed selects entries of a catalogue by name; kind is the noun for an entry.
func chooseNamed[T any](kind string, catalogue []T, name func(T) string, only []string) ([]T, error) {
	if len(only) == 0 {
		return catalogue, nil
	}
	wanted := map[string]bool{}
	for _, pattern := range only {
		found, best, at := false, "", min(8, len(pattern))
		for _, v := range catalogue {
			match, err := path.Match(pattern, name(v))
			if err != nil {
				return nil, &pack.SelectionError{Message: fmt.Sprintf("%q is not a pattern: a [ is not closed", pattern)}
			}
			if match {
				found, wanted[name(v)] = true, true
			}
			if d := similar.Distance(pattern, name(v), at); d < at {
				best, at = name(v), d
			}
		}
		if !found {
			hint := ""
			if best != "" {
				hint = fmt.Sprintf("; did you mean %s?", best)
			}
			return nil, &pack.SelectionError{Message: fmt.Sprintf("no %s is named %q%s", kind, pattern, hint)}
		}
	}
	return slices.DeleteFunc(slices.Clone(catalogue), func(v T) bool { return !wanted[name(v)] }), nil
}

// patient is the deadline of waits: a variant may be slow, and so may the machine that runs several of them.
const patient = 20 * time.Second

// leeway is the factor by which the silence between two comments may exceed the promise, for the same reason.
const leeway = 5

// sideBySide is the number of concurrent scenarios of one variant. Most of them mostly wait, above all with a high latency.
const sideBySide = 64

func certified(ctx context.Context, s *pack.Suite, v Variant, o VariantOptions) (VariantResult, error) {
	began, cfg := time.Now(), o.Config
	out := VariantResult{Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: []string{}, Accusations: []Accusation{}}
	cfg.Timing.Deadline = max(cfg.Timing.Deadline, patient)
	cfg.Timing.Heartbeat *= leeway
	cfg.Without = append(slices.Clone(cfg.Without), v.Without...)
	cfg.Sections = append(slices.Clone(cfg.Sections), v.Sections...)
	url, stop, err := v.Start()
	if err != nil {
		return out, err
	}
	defer stop()
	cfg.URL, cfg.Limits, cfg.Timing.MaxConnection = url, v.Limits, v.MaxConnection
	t, err := target.New(cfg, target.Options{HTTP2: v.HTTP2})
	if err != nil {
		return out, err
	}
	defer t.Close()
	run := certify.Options{Target: t, Seed: o.Seed, Effort: campaign.Standard, Concurrency: sideBySide, Transcripts: true}
	if !o.All {
		run.Rows = sampled(v.Name, o.Seed)
	}
	res, err := certify.Run(ctx, s, run)
	if err != nil {
		return out, err
	}
	rep := res.Report
	if rep.Fault != "" {
		out.Accusations = append(out.Accusations, Accusation{Message: rep.Fault})
	}
	denies := map[string]bool{} // requirements that deny it a class
	for _, class := range rep.Classes {
		for _, m := range class.Missing {
			denies[m.ID] = true
		}
	}
	for _, q := range rep.Requirements {
		switch {
		case rep.Fault != "" || q.Verdict == report.Pass || q.Untestable != "" || q.Verdict == report.NotClaimed:
		case q.Verdict == report.Warn && slices.Contains(v.Warns, q.ID):
			out.Warns = append(out.Warns, q.ID)
		case !o.All && q.Verdict == report.Unprovable: // the row that proves it wasn't drawn
		case q.Verdict == report.Unprovable && q.Reason == record.NothingToJudge && !denies[q.ID]: // it may leave out the subject
		default:
			out.Accusations = append(out.Accusations, accusations(q)...)
		}
	}
	for _, n := range rep.Notes {
		out.Accusations = append(out.Accusations, Accusation{
			Message:  fmt.Sprintf("not as in its golden, %s: expected %s, got %s", n.Where, n.Want, n.Got),
			Scenario: n.Scenario, Position: n.Golden,
		})
	}
	out.Seconds = time.Since(began).Seconds()
	return out, nil
}

// part: a variant plays one scenario of so many.
const part = 5

// sampled draws the rows that a variant meets. Probes are among them: each freedom has to outlast the others.
func sampled(variant string, seed int64) func(features.Scenario, string) bool {
	return func(sc features.Scenario, title string) bool {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s %s", seed, variant, sc.Location())
		drawn := h.Sum64() >> 16 // the low bits of this hash are poor
		return sc.Probe || drawn%part == 0 && sc.Rows[drawn/part%uint64(len(sc.Rows))].Title == title
	}
}

// accusations returns the accusations by the verdict on a requirement.
func accusations(q report.Requirement) []Accusation {
	if len(q.Findings) == 0 {
		return []Accusation{{Requirement: q.ID, Verdict: q.Verdict, Message: q.Reason}}
	}
	var out []Accusation
	for _, f := range q.Findings {
		message := strings.TrimSpace(fmt.Sprintf("%s: expected %s, got %s", f.Message, f.Want, f.Got))
		out = append(out, Accusation{Requirement: q.ID, Verdict: q.Verdict, Message: message, Scenario: f.Scenario, Position: f.Location})
	}
	return out
}
