package generated

import (
	"cmp"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/schemas"
)

// Options say what is mutated and who looks at it.
type Options struct {
	Pack    pack.Pack    // without a shape it has no mutants
	Schemas *schemas.Set // of the pack
	Files   fs.FS        // the schemas again, as files: the set doesn't show its keywords
	Golden  fs.FS        // the transcripts
	// Counts says of a requirement's id whether a breach of it is a kill: of a MAY it isn't.
	Counts func(requirement string) bool
}

// Report holds the fate of the mutants. Lists are sorted.
type Report struct {
	Total    int         `json:"total"` // without those that were excluded
	Killed   int         `json:"killed"`
	Survived []Survivor  `json:"survived"`
	Excluded []Exclusion `json:"excluded"`
}

// Survivor is a mutant that nothing found out.
type Survivor struct {
	Name   string `json:"name"`
	Reason string `json:"reason"` // why that is right; empty without a reason
}

// Exclusion is a rule that kept changes out of the count.
type Exclusion struct {
	Rule    string `json:"rule"`
	Reason  string `json:"reason"`
	Freedom string `json:"freedom"` // the requirement that leaves it free, or "" where none is about it
	Count   int    `json:"count"`
}

// leastKilled is the share of mutants that must be found out, in thousandths.
const leastKilled = 995

// OK reports whether enough mutants were killed and every survivor has its reason.
func (r *Report) OK() bool {
	return 1000*r.Killed >= leastKilled*r.Total && len(r.Unexplained()) == 0
}

// Unexplained lists the survivors that have no reason.
func (r *Report) Unexplained() []string {
	var names []string
	for _, s := range r.Survived {
		if s.Reason == "" {
			names = append(names, s.Name)
		}
	}
	return names
}

// A rule says of changes of one kind that the specification allows them.
type rule[C any] struct {
	name, reason, freedom string
	applies               func(C) bool
}

// A candidate is a change before anybody has looked at it: a mutant, or excluded by the rule of that name.
type candidate struct {
	name     string
	excluded string
	killed   func() bool
}

// Run makes every mutant and judges it. The error says which schema or transcript can't be read.
func Run(o Options) (*Report, error) {
	if o.Pack.Shape == nil {
		return &Report{Survived: []Survivor{}, Excluded: []Exclusion{}}, nil
	}
	fromSchemas, err := o.schemaMutants()
	if err != nil {
		return nil, err
	}
	var fromWire []candidate
	if o.Pack.Shape.Relayed {
		if fromWire, err = o.wireMutants(); err != nil {
			return nil, err
		}
	}
	rep := &Report{Survived: []Survivor{}, Excluded: o.exclusions()}
	var mutants []candidate
	for _, c := range slices.Concat(fromSchemas, fromWire) {
		if c.excluded == "" {
			mutants = append(mutants, c)
			continue
		}
		i := slices.IndexFunc(rep.Excluded, func(e Exclusion) bool { return e.Rule == c.excluded })
		rep.Excluded[i].Count++
	}
	for i, killed := range judged(mutants) {
		rep.Total++
		if killed {
			rep.Killed++
			continue
		}
		rep.Survived = append(rep.Survived, Survivor{mutants[i].name, survivors()[mutants[i].name]})
	}
	slices.SortFunc(rep.Survived, func(a, b Survivor) int { return strings.Compare(a.Name, b.Name) })
	return rep, nil
}

// judged looks at all mutants, as many at a time as there are processors.
func judged(mutants []candidate) []bool {
	killed := make([]bool, len(mutants))
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := w; i < len(mutants); i += workers {
				killed[i] = mutants[i].killed()
			}
		}()
	}
	wg.Wait()
	return killed
}

// exclusions lists every rule, with nothing counted.
func (o Options) exclusions() []Exclusion {
	var out []Exclusion
	for _, r := range o.schemaRules() {
		out = append(out, Exclusion{Rule: r.name, Reason: r.reason, Freedom: r.freedom})
	}
	if !o.Pack.Shape.Relayed {
		return out
	}
	for _, r := range wireRules(o.Pack.Shape) {
		out = append(out, Exclusion{Rule: r.name, Reason: r.reason, Freedom: r.freedom})
	}
	slices.SortFunc(out, func(a, b Exclusion) int { return cmp.Compare(a.Rule, b.Rule) })
	return out
}

// excludedBy names the first rule that allows a change.
func excludedBy[C any](rules []rule[C], change C) string {
	for _, r := range rules {
		if r.applies(change) {
			return r.name
		}
	}
	return ""
}

// breach reports whether one of the findings is about a requirement that counts.
func (o Options) breach(findings []record.Finding) bool {
	return slices.ContainsFunc(findings, func(f record.Finding) bool { return o.Counts(f.Requirement) })
}
