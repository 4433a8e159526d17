package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The sections of a rationale whose tables are data. The first column of each contains codes.
const (
	sectionInventory = "Inventory"                   // group, number of rules, what they are about, levels other than MUST
	sectionLevels    = "Levels that differ"          // ids of requirements
	sectionLeftOut   = "Rules without a requirement" // codes, reason
)

// sectionsNamed define codes that an origin may cite besides inventory rules.
var sectionsNamed = [...]string{"Conflicts", "Decisions", "Questions"}

// rationale contains the rules of the inventory, and the levels that the rationale of a pack states for them.
type rationale struct {
	file   string
	rules  []string         // every inventory code, in order
	levels map[string]Level // the level that the inventory proposed; a code is absent where its group names none
	differ map[string]bool  // ids of requirements that say why they have another level
	listed map[string]int   // codes without a requirement → line
	named  map[string]int   // conflicts, decisions and questions → line
}

func readRationale(d *document) (rationale, []Problem) {
	out := rationale{file: d.file, levels: map[string]Level{}, differ: map[string]bool{}, listed: map[string]int{}, named: map[string]int{}}
	var problems []Problem
	report := func(line int, format string, args ...any) {
		problems = append(problems, Problem{d.file, line, fmt.Sprintf(format, args...)})
	}
	groups, ok := d.tables(sectionInventory)
	if !ok {
		report(0, "no heading %q with a table of the groups of rules", sectionInventory)
	}
	for _, r := range groups {
		n, err := strconv.Atoi(r.cell(1))
		if err != nil || n < 1 || n > 99 {
			report(r.line, "group %s: %q is no number of rules from 1 to 99", r.cell(0), r.cell(1))
			continue
		}
		for i := range n {
			out.rules = append(out.rules, fmt.Sprintf("%s-%02d", r.cell(0), i+1))
		}
		if len(r.cells) > 3 {
			out.readLevels(r, n, report)
		}
	}
	rows, _ := d.tables(sectionLevels)
	for _, r := range rows {
		for _, id := range list(r.cell(0)) {
			out.differ[id] = true
		}
	}
	for _, section := range sectionsNamed {
		rows, _ := d.tables(section)
		for _, r := range rows {
			collect(out.named, r, report)
		}
	}
	rows, _ = d.tables(sectionLeftOut)
	for _, r := range rows {
		collect(out.listed, r, report)
	}
	return out, problems
}

// readLevels reads the levels of a group of n rules, such as "SHOULD 05, 08 · MAY 11". All others are MUST.
func (ra *rationale) readLevels(r row, n int, report func(int, string, ...any)) {
	for i := range n {
		ra.levels[fmt.Sprintf("%s-%02d", r.cell(0), i+1)] = Must
	}
	for part := range strings.SplitSeq(r.cell(3), "·") {
		words := strings.FieldsFunc(part, func(c rune) bool { return c == ' ' || c == ',' })
		at := slices.IndexFunc(words, func(w string) bool { return w[0] >= '0' && w[0] <= '9' })
		if at < 1 {
			if len(words) > 0 {
				report(r.line, "group %s: %q is no level with numbers of rules", r.cell(0), strings.TrimSpace(part))
			}
			continue
		}
		for _, number := range words[at:] {
			code := r.cell(0) + "-" + number
			if _, known := ra.levels[code]; !known {
				report(r.line, "group %s has no rule %s", r.cell(0), number)
				continue
			}
			ra.levels[code] = Level(strings.Join(words[:at], " "))
		}
	}
}

// strength returns the consequence of breaking a requirement of a level, which is the same for a demand and a prohibition.
func strength(l Level) string {
	switch {
	case l.Mandatory():
		return "a failure"
	case l.Advisory():
		return "a warning"
	}
	return "nothing"
}

// checkLevels reports requirements that have another level than a rule that they come from, and don't say why.
func (ra rationale) checkLevels(requirements []Requirement) []Problem {
	var problems []Problem
	for _, r := range requirements {
		for _, code := range r.Origin {
			if l, known := ra.levels[code]; known && r.Withdrawn == "" && !ra.differ[r.ID] && strength(l) != strength(r.Level) {
				problems = append(problems, Problem{r.File, r.Line, fmt.Sprintf("%s is a %s and %s a %s: say why below %q in %s", r.ID, r.Level, code, l, sectionLevels, ra.file)})
			}
		}
	}
	return problems
}

func collect(into map[string]int, r row, report func(int, string, ...any)) {
	if r.cell(1) == "" {
		report(r.line, "%s has no reason", r.cell(0))
	}
	for _, code := range list(r.cell(0)) {
		if first, twice := into[code]; twice {
			report(r.line, "%s is listed twice, first on line %d", code, first)
			continue
		}
		into[code] = r.line
	}
}

// check reports inventory rules that are neither cited nor listed, or both, and citations of nothing.
func (ra rationale) check(requirements []Requirement) []Problem {
	var problems []Problem
	cited := map[string]Requirement{}
	for _, r := range requirements {
		for _, code := range r.Origin {
			if _, known := ra.named[code]; !known && !slices.Contains(ra.rules, code) {
				problems = append(problems, Problem{r.File, r.Line, fmt.Sprintf("%s: origin %q is neither a rule of the inventory nor defined in %s", r.ID, code, ra.file)})
			}
			if _, seen := cited[code]; !seen {
				cited[code] = r
			}
		}
	}
	for _, code := range ra.rules {
		line, listed := ra.listed[code]
		r, isCited := cited[code]
		switch {
		case listed && isCited:
			problems = append(problems, Problem{ra.file, line, fmt.Sprintf("%s is listed as a rule without a requirement, but %s cites it (%s:%d)", code, r.ID, r.File, r.Line)})
		case !listed && !isCited:
			problems = append(problems, Problem{ra.file, 0, fmt.Sprintf("%s is neither the origin of a requirement nor listed under %q", code, sectionLeftOut)})
		}
	}
	for code, line := range ra.listed {
		if !slices.Contains(ra.rules, code) {
			problems = append(problems, Problem{ra.file, line, fmt.Sprintf("%s is no rule of the inventory", code)})
		}
	}
	return append(problems, ra.checkLevels(requirements)...)
}
