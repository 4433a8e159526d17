package runner

import (
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/judge/helix"
)

// pack is what the runner must be told about a protocol beside its folders.
type pack struct {
	name    string
	machine func(judge.Options) judge.Machine
	answer  func(judge.Options, judge.Answer) ([]judge.Finding, map[string]int)
	routes  func() []route
	judged  func() []string // ids of the requirements that the judge names
}

// packs is the registry: a new protocol adds its line here.
func packs() []pack {
	return []pack{
		{"helix", helix.New, helix.JudgeAnswer, helixRoutes, helix.Requirements},
	}
}

// Packs lists the names of the protocols.
func Packs() []string {
	var names []string
	for _, p := range packs() {
		names = append(names, p.name)
	}
	return names
}

func packNamed(name string) (pack, bool) {
	ps := packs()
	i := slices.IndexFunc(ps, func(p pack) bool { return p.name == name })
	if i < 0 {
		return pack{}, false
	}
	return ps[i], true
}

// Judged lists the ids of the requirements that the judge of a pack names, nil
// for a pack that isn't there. Lint asks the spec for each of them.
func Judged(name string) []string {
	p, ok := packNamed(name)
	if !ok {
		return nil
	}
	return p.judged()
}
