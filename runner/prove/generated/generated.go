package generated

import (
	"cmp"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove/killreport"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/schemas"
)

// Options contain the data that is mutated and its judge.
type Options struct {
	Pack    pack.Pack    // without a shape it has no mutants
	Schemas *schemas.Set // of the pack
	Files   fs.FS        // the schemas again, as files: the set doesn't show its keywords
	Golden  fs.FS        // the transcripts
	// Counts reports whether a violation of a requirement is a kill: that of a MAY isn't.
	Counts func(requirement string) bool
}

// A rule selects changes of one kind that the specification allows.
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

// Run makes every mutant and judges it. The error names the schema or transcript that can't be read.
func Run(o Options) (*killreport.Generated, error) {
	if o.Pack.Shape == nil {
		return &killreport.Generated{Survived: []killreport.Survivor{}, Excluded: []killreport.Exclusion{}}, nil
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
	rep := &killreport.Generated{Survived: []killreport.Survivor{}, Excluded: o.exclusions()}
	var mutants []candidate
	for _, c := range slices.Concat(fromSchemas, fromWire) {
		if c.excluded == "" {
			mutants = append(mutants, c)
			continue
		}
		i := slices.IndexFunc(rep.Excluded, func(e killreport.Exclusion) bool { return e.Rule == c.excluded })
		rep.Excluded[i].Count++
	}
	for i, killed := range judged(mutants) {
		rep.Total++
		if killed {
			rep.Killed++
			continue
		}
		rep.Survived = append(rep.Survived, killreport.Survivor{Name: mutants[i].name, Reason: survivors()[mutants[i].name]})
	}
	slices.SortFunc(rep.Survived, func(a, b killreport.Survivor) int { return strings.Compare(a.Name, b.Name) })
	return rep, nil
}

// judged judges all mutants, as many concurrently as there are processors.
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
func (o Options) exclusions() []killreport.Exclusion {
	var out []killreport.Exclusion
	for _, r := range o.schemaRules() {
		out = append(out, killreport.Exclusion{Rule: r.name, Reason: r.reason, Freedom: r.freedom})
	}
	if !o.Pack.Shape.Relayed {
		return out
	}
	for _, r := range wireRules(o.Pack.Shape) {
		out = append(out, killreport.Exclusion{Rule: r.name, Reason: r.reason, Freedom: r.freedom})
	}
	slices.SortFunc(out, func(a, b killreport.Exclusion) int { return cmp.Compare(a.Rule, b.Rule) })
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

// violates reports whether one of the findings is about a requirement that counts.
func (o Options) violates(findings []record.Finding) bool {
	return slices.ContainsFunc(findings, func(f record.Finding) bool { return o.Counts(f.Requirement) })
}
