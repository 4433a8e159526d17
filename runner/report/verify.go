package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/streamcert/streamcert/runner/record"
)

// Judged is the judge's result for the exchanges of one scenario.
type Judged struct {
	Findings  []record.Finding
	Occasions map[string]int // by requirement
}

// Judge judges the exchanges of one scenario. The error explains why it can't.
type Judge func([]Exchange) (Judged, error)

// Difference is a statement of a report on a requirement that its
// transcripts, or its parts, don't bear out.
type Difference struct {
	Requirement string // "" if it concerns the complete report
	Scenario    string // title, "" where it is about no single one
	Message     string
}

// Verification is the result of judging the transcripts of a report again.
type Verification struct {
	Scenarios, Exchanges int // that were judged again
	Differences          []Difference
	// Unjudged lists the scenarios whose transcripts can't be judged again, with the reason. Their findings are taken from
	// the report.
	Unjudged []string
}

// ReadJSON reads a report that WriteJSON wrote. Its shape is for the schema to
// check; the error is one of JSON.
func ReadJSON(in io.Reader) (*Report, error) {
	var r Report
	d := json.NewDecoder(in)
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	return &r, nil
}

// Verify judges the transcripts of a report again and compares the findings and counts with those of the report. The judge
// can't repeat the findings of steps; for them, and for the verdicts, Verify checks that the parts of the report are
// consistent.
func Verify(r *Report, again Judge) Verification {
	v := verifying{report: r, left: newAllowance(), occasions: map[string]int{}, blind: map[scenarioKey]bool{}}
	v.recorded = slices.ContainsFunc(r.Scenarios, func(s Scenario) bool { return len(s.Exchanges) > 0 })
	for _, s := range r.Scenarios {
		v.scenario(s, again)
	}
	for _, q := range r.Requirements {
		v.requirement(q)
	}
	v.checkConsistency()
	return v.out
}

// findingKey identifies findings that count as one. The received value isn't part of it, because it may differ from frame
// to frame.
type findingKey struct {
	scenarioKey
	requirement, message, want string
}

type verifying struct {
	report    *Report
	recorded  bool // the report has transcripts at all
	out       Verification
	occasions map[string]int // seen by steps, and by the judge again
	blind     map[scenarioKey]bool
	found     []findingKey // in order
	left      *allowance
}

func (v *verifying) differ(requirement, scenario, format string, args ...any) {
	v.out.Differences = append(v.out.Differences, Difference{requirement, scenario, fmt.Sprintf(format, args...)})
}

func (v *verifying) scenario(s Scenario, again Judge) {
	key := scenarioKey{s.Location, s.Title}
	v.occasions[s.Requirement] += s.Occasions
	for id, n := range s.Others {
		v.occasions[id] += n
	}
	if !v.recorded {
		v.blind[key] = true
		return
	}
	var judged Judged
	err := v.opened(s)
	if err == nil {
		judged, err = again(s.Exchanges)
	}
	if err != nil {
		v.blind[key] = true
		v.out.Unjudged = append(v.out.Unjudged, fmt.Sprintf("%s · %s: %v", s.Location, s.Title, err))
		return
	}
	v.out.Scenarios++
	v.out.Exchanges += len(s.Exchanges)
	for id, n := range judged.Occasions {
		v.occasions[id] += n
	}
	for _, f := range judged.Findings {
		message := f.Message
		if message == "" {
			message = Unsaid
		}
		k := findingKey{key, f.Requirement, message, f.Want}
		if !slices.Contains(v.found, k) {
			v.found = append(v.found, k)
		}
	}
}

// opened subtracts a scenario's bodies from the allowance of the report.
func (v *verifying) opened(s Scenario) error {
	for _, e := range s.Exchanges {
		if err := v.left.take(e); err != nil && e.Kind != record.Control {
			return err
		}
	}
	return nil
}

func (v *verifying) requirement(q Requirement) {
	written := map[findingKey]bool{}
	for _, f := range q.Findings {
		k := findingKey{scenarioKey{f.Location, f.Scenario}, q.ID, f.Message, f.Want}
		written[k] = true
		if f.Step == "" && !v.blind[k.scenarioKey] && !slices.Contains(v.found, k) {
			v.differ(q.ID, f.Scenario, "the report has a finding that the transcripts don't show: %s", f.Message)
		}
	}
	for _, k := range v.found {
		if k.requirement == q.ID && !written[k] && q.Verdict != Skipped { // a skipped one keeps no findings
			v.differ(q.ID, k.title, "the transcripts show a finding that the report doesn't have: %s", k.message)
		}
	}
	if len(v.blind) == 0 && q.Occasions != v.occasions[q.ID] {
		v.differ(q.ID, "", "the report counts %d occasions, and the transcripts and scenarios have %d",
			q.Occasions, v.occasions[q.ID])
	}
	if want := bound(q); v.report.Fault == "" && want != "" {
		v.differ(q.ID, "", "the verdict is %s, and %s", q.Verdict, want)
	}
}

// bound returns the reason why a requirement can't have its verdict, "" if it can.
func bound(q Requirement) string {
	binding := q.Level == "MUST" || q.Level == "MUST NOT"
	switch q.Verdict {
	case Pass:
		switch {
		case len(q.Findings) > 0:
			return "there are findings"
		case q.Occasions == 0:
			return "there was no occasion to see it held"
		case q.Untestable != "":
			return "it can't be tested from outside"
		}
	case Fail, Warn:
		switch {
		case len(q.Findings) == 0:
			return "there is no finding"
		case binding != (q.Verdict == Fail):
			return "its level is " + q.Level
		}
	case Known:
		if len(q.Findings) == 0 {
			return "there is no finding"
		}
	case Unprovable, Error:
		if len(q.Findings) > 0 && q.Untestable == "" {
			return "there are findings"
		}
	}
	return ""
}

// checkConsistency checks that the parts of the report are consistent.
func (v *verifying) checkConsistency() {
	r := v.report
	verdicts := map[string]Requirement{}
	explained := map[scenarioKey]bool{} // by a finding of any requirement: a campaign checks several
	for _, q := range r.Requirements {
		verdicts[q.ID] = q
		for _, f := range q.Findings {
			explained[scenarioKey{f.Location, f.Scenario}] = true
		}
	}
	for _, s := range r.Scenarios {
		if _, ok := verdicts[s.Requirement]; ok && s.Outcome == Fail && !explained[scenarioKey{s.Location, s.Title}] &&
			!slices.ContainsFunc(r.Requirements, func(q Requirement) bool { return q.Verdict == Skipped && slices.Contains(q.Scenarios, s.Location) }) {
			v.differ(s.Requirement, s.Title, "the scenario failed, and no finding says why")
		}
	}
	again := *r
	again.Count()
	if again.Summary != r.Summary {
		v.differ("", "", "the summary doesn't count what is written: %+v, expected %+v", r.Summary, again.Summary)
	}
	for _, c := range r.Classes {
		if c.Earned != (len(c.Missing) == 0 && c.Unclaimed == "") {
			v.differ("", "", "class %s: earned is %v, and %d requirements stand in its way", c.Name, c.Earned, len(c.Missing))
		}
		for _, m := range c.Missing {
			if q, ok := verdicts[m.ID]; ok && q.Verdict != m.Verdict {
				v.differ(m.ID, "", "class %s says %s, and the verdict is %s", c.Name, m.Verdict, q.Verdict)
			}
		}
	}
}
