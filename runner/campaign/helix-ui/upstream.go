package helixui

import "slices"

// Spellings implements campaign.Upstream.
func (p Program) Spellings() []string {
	var out []string
	for _, scene := range p.scenes(longText) {
		for _, a := range scene.script.Steps {
			if a.Spelling != nil && *a.Spelling != "" && !slices.Contains(out, *a.Spelling) {
				out = append(out, *a.Spelling)
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

// RuleOf implements campaign.Upstream: no rule depends on the model's spelling.
func (Program) RuleOf(string) string { return "" }
