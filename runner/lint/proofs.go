package lint

import (
	"slices"

	"github.com/streamcert/streamcert/spec"
)

// atMost limits the requirements that a mutant may break in addition to that in its name.
const atMost = 3

// proven: a requirement that a verdict can be about has a scenario, and one that can be broken has a mutant.
func proven(t *tree) {
	if t.book == nil {
		return
	}
	scenarios := map[string]bool{}
	for _, p := range t.packs {
		for _, sc := range p.scenarios {
			scenarios[sc.Requirement] = true
		}
	}
	killers := map[string]bool{}
	for _, m := range t.in.Mutants {
		killers[m.Requirement] = true
	}
	for _, q := range t.book.Requirements {
		if !q.Testable() || !t.listed(q.Pack) {
			continue
		}
		if !scenarios[q.ID] && !t.partial() {
			t.report("scenario-missing", "spec/"+q.File, q.Line, "%s has no scenario", q.ID)
		}
		if (q.Level.Mandatory() || q.Level.Advisory()) && !killers[q.ID] && !t.lacking(q.Pack, t.altered) {
			t.report("mutant-missing", "spec/"+q.File, q.Line, "%s is a %s and has no mutant", q.ID, q.Level)
		}
	}
}

// mutants: every mutant has a unique name, breaks a requirement that is testable, and little else.
func mutants(t *tree) {
	names := map[string]bool{}
	for _, m := range t.in.Mutants {
		report := func(format string, args ...any) { t.report("mutant", mutantFolder, 0, format, args...) }
		if m.Name == "" || names[m.Pack+" "+m.Name] {
			report("the name %q is empty or belongs to two mutants", m.Name)
		}
		names[m.Pack+" "+m.Name] = true
		if len(m.Also) > atMost {
			report("%s breaks %d requirements beside its own, expected at most %d: sharpen it", m.Name, len(m.Also), atMost)
		}
		if slices.Contains(m.Also, m.Requirement) {
			report("%s names %s twice", m.Name, m.Requirement)
		}
		for _, id := range append([]string{m.Requirement}, m.Also...) {
			q, known := t.requirement(id)
			switch {
			case t.book == nil:
			case !known:
				report("%s breaks %q, which is no requirement", m.Name, id)
			default:
				if why := unprovable(q); why != "" {
					report("%s breaks %s, which %s", m.Name, id, why)
				}
			}
		}
	}
}

// unprovable returns why a verdict on a requirement can't exist; "" if it can.
func unprovable(q spec.Requirement) string {
	switch {
	case q.Withdrawn != "":
		return "is withdrawn"
	case q.Role != spec.RoleServer:
		return "is for the role " + q.Role
	case q.Untestable != "":
		return "says that it is untestable"
	}
	return ""
}
