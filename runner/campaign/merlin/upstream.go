package merlin

import "slices"

// Spellings implements campaign.Upstream.
func (p Program) Spellings() []string {
	var out []string
	for n := range max(1, p.streams) {
		script, _ := p.script(n)
		for _, a := range script.Steps {
			if a.Spelling != "" && !slices.Contains(out, a.Spelling) {
				out = append(out, a.Spelling)
			}
		}
	}
	return out
}

// SpelledIn implements campaign.Upstream.
func (p Program) SpelledIn(ways ...string) Program {
	p.usual = slices.DeleteFunc(p.Spellings(), func(way string) bool { return slices.Contains(ways, way) })
	return p
}

// RuleOf implements campaign.Upstream.
func (p Program) RuleOf(way string) string {
	i := slices.IndexFunc(spellings, func(s spelling) bool { return s.name == way })
	return spellings[i].rule
}
