package lint

import (
	"path"
	"slices"
	"strings"
)

// campaign reports whether the scenarios of a file play drawn programs.
func (o outline) campaign() bool { return path.Base(path.Dir(o.file)) == "campaigns" }

// campaignLevels: the rule of a campaign has the tags of the levels of all requirements that it checks.
func (t *tree) campaignLevels(o outline, r rule, found, levels []string) {
	var want []string
	for _, id := range found {
		if q, known := t.requirement(id); known && q.Level != "" && !slices.Contains(want, "@"+q.Level.Tag()) {
			want = append(want, "@"+q.Level.Tag())
		}
	}
	slices.Sort(want)
	slices.Sort(levels)
	if !slices.Equal(want, levels) {
		t.report("level-tag", "features/"+o.file, r.line, "the rule %q is tagged %s, expected %s, the levels of all that it holds",
			r.title, strings.Join(levels, " and "), strings.Join(want, " and "))
	}
}

// modelled: the rules of campaigns carry the requirements that the model checks, and the model checks every MUST of its
// chapters, or explains why not.
func modelled(t *tree) {
	for _, p := range t.packs {
		carried := map[string]bool{}
		for _, o := range p.outlines {
			for _, r := range o.rules {
				for _, id := range ids(r.tags) {
					carried[id] = carried[id] || o.campaign()
				}
			}
		}
		folder := "features/" + p.Name + "/campaigns"
		for _, id := range p.Model.Checked {
			if !carried[id] && !t.partial() {
				t.report("model", folder, 0, "no rule carries @%s, which the model holds", id)
			}
		}
		for id, campaign := range carried {
			if campaign && !slices.Contains(p.Model.Checked, id) {
				t.report("model", folder, 0, "a rule carries @%s, which the model doesn't hold", id)
			}
		}
		t.unheld(p)
	}
}

// unheld compares the MUSTs of the chapters of a model with those that the model checks.
func (t *tree) unheld(p *pack) {
	folder := "runner/model/" + p.Name
	for id, why := range p.Model.Unheld {
		if _, known := t.requirement(id); t.book != nil && !known || why == "" || slices.Contains(p.Model.Checked, id) {
			t.report("model", folder, 0, "%s is said not to be held: it must be a requirement that isn't, with a reason", id)
		}
	}
	if t.book == nil {
		return
	}
	for _, q := range t.book.Pack(p.Name) {
		if !slices.Contains(p.Model.Chapters, q.Chapter) || !q.Testable() || !q.Level.Mandatory() {
			continue
		}
		if _, said := p.Model.Unheld[q.ID]; !said && !slices.Contains(p.Model.Checked, q.ID) {
			t.report("model", "spec/"+q.File, q.Line, "%s is a %s of a chapter that campaigns play, and the model neither holds it nor says why not", q.ID, q.Level)
		}
	}
}
