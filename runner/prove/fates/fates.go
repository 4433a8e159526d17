package fates

import "slices"

// Outcome says what became of a mutant.
type Outcome string

// The outcomes.
const (
	Killed        Outcome = "killed"          // its own requirement found it out
	KilledByOther Outcome = "killed by other" // only some other requirement did
	Survived      Outcome = "survived"        // nothing did
)

// Fate is the fate of one mutant.
type Fate struct {
	Name        string   `json:"name"`
	Requirement string   `json:"requirement"`
	Summary     string   `json:"summary"`
	Stateful    bool     `json:"stateful"`
	Outcome     Outcome  `json:"outcome"`
	Also        []string `json:"also"` // what it breaks by necessity, as its catalogue says
	By          []string `json:"by"`   // requirements of which anything was found
	// Unproven says of a survivor which scenarios of its requirement didn't end in a pass, and why: what nobody could
	// find out, on a machine that is busy for instance, isn't a hole in a rule.
	Unproven []string `json:"unproven,omitempty"`
	// Alike reports of a survivor that it answers every scenario as the reference does: its alteration does nothing.
	Alike   bool    `json:"alike,omitempty"`
	Tries   int     `json:"tries"` // how often it was met: a survivor is met again, alone
	Seconds float64 `json:"seconds"`
}

// Unexpected lists what a mutant broke beside its own requirement and those that
// it is known to break.
func (r Fate) Unexpected() []string {
	return slices.DeleteFunc(slices.Clone(r.By), func(id string) bool {
		return id == r.Requirement || slices.Contains(r.Also, id)
	})
}

// Report is the result of running a catalogue. Its JSON form is described
// by schemas/mutants.json.
type Report struct {
	Mutants       int      `json:"mutants"`
	Killed        int      `json:"killed"`
	KilledByOther int      `json:"killedByOther"`
	Survived      []string `json:"survived"`
	Requirements  struct {
		Testable int      `json:"testable"`
		Killed   int      `json:"killed"`
		Without  []string `json:"without"`
	} `json:"requirements"`
	Generated Generated `json:"generated"` // empty for a selection
	All       bool      `json:"all"`       // every scenario ran against every mutant
	Notes     []string  `json:"notes"`     // of what a mutant broke that nobody expected
	Seconds   float64   `json:"seconds"`
	Results   []Fate    `json:"results"`
}

// OK reports whether every mutant was killed by its own requirement and, when
// the whole catalogue ran, every testable requirement has a kill and the
// generated mutants were found out too.
func (r *Report) OK() bool {
	return r.Killed == r.Mutants && len(r.Requirements.Without) == 0 && r.Generated.OK()
}

// Generated holds the fates of the mutants that are made by rule. Lists are sorted.
type Generated struct {
	Total    int         `json:"total"` // without those that were excluded
	Killed   int         `json:"killed"`
	Survived []Survivor  `json:"survived"`
	Excluded []Exclusion `json:"excluded"`
}

// Survivor is a generated mutant that nothing found out.
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
func (r *Generated) OK() bool {
	return 1000*r.Killed >= leastKilled*r.Total && len(r.Unexplained()) == 0
}

// Unexplained lists the survivors that have no reason.
func (r *Generated) Unexplained() []string {
	var names []string
	for _, s := range r.Survived {
		if s.Reason == "" {
			names = append(names, s.Name)
		}
	}
	return names
}
