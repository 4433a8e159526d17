package lint

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/spec"
)

// transcriptTag is the tag of a scenario that writes no golden.
const transcriptTag = "@no-transcript"

// isLevel reports whether a tag is that of a level, such as @must.
func isLevel(tag string) bool {
	return slices.ContainsFunc([]spec.Level{spec.Must, spec.MustNot, spec.Should, spec.ShouldNot, spec.May},
		func(l spec.Level) bool { return tag == "@"+l.Tag() })
}

// ruleIDs: every rule carries the id of one requirement that a scenario can prove.
func ruleIDs(t *tree) {
	for _, p := range t.packs {
		for _, o := range p.outlines {
			for _, r := range o.rules {
				t.ruleID(p, o, r)
			}
			for _, other := range o.other {
				for _, id := range ids(other.tags) {
					t.report("id-tag", "features/"+o.file, other.line, "the tag @%s stands on a %s, expected on a rule", id, other.what)
				}
			}
		}
	}
}

// ruleID checks the ids of one rule of a pack.
func (t *tree) ruleID(p *pack, o outline, r rule) {
	report := func(format string, args ...any) { t.report("id-tag", "features/"+o.file, r.line, format, args...) }
	if r.scenarios == 0 {
		report("the rule %q has no scenario", r.title)
	}
	found := ids(r.tags)
	if len(found) == 0 || len(found) > 1 && !o.campaign() {
		report("the rule %q carries %d ids of requirements, expected one", r.title, len(found))
	}
	for _, id := range found {
		q, known := t.requirement(id)
		switch {
		case t.book == nil:
		case !known:
			report("@%s names no requirement", id)
		case q.Pack != p.Name:
			report("@%s names a requirement of another pack, expected one of %s", id, p.Name)
		default:
			if why := unprovable(q); why != "" {
				report("@%s %s, so no scenario can prove it", id, why)
			}
		}
	}
}

// levelTags: a rule's level tag is the keyword of its requirement.
func levelTags(t *tree) {
	for _, p := range t.packs {
		for _, o := range p.outlines {
			for _, r := range o.rules {
				t.levelTag(o, r)
			}
			for _, other := range o.other {
				if slices.ContainsFunc(other.tags, isLevel) {
					t.report("level-tag", "features/"+o.file, other.line, "a level tag stands on a %s, expected on a rule", other.what)
				}
			}
		}
	}
}

// levelTag compares the level of one rule with that of its requirement; a campaign has those of all.
func (t *tree) levelTag(o outline, r rule) {
	var levels []string
	for _, tag := range r.tags {
		if isLevel(tag) {
			levels = append(levels, tag)
		}
	}
	found := ids(r.tags)
	if o.campaign() {
		t.campaignLevels(o, r, found, levels)
		return
	}
	for _, id := range found {
		q, known := t.requirement(id)
		if want := "@" + q.Level.Tag(); known && q.Level != "" && !slices.Equal(levels, []string{want}) {
			got := strings.Join(levels, " and ")
			if got == "" {
				got = "without a level tag"
			} else {
				got = "tagged " + got
			}
			t.report("level-tag", "features/"+o.file, r.line, "the rule %q is %s, expected %s as %s says %s", r.title, got, want, id, q.Level)
		}
	}
}

// otherTags: a tag that is neither an id, a level, a capability nor an excuse means nothing to anybody.
func otherTags(t *tree) {
	if t.book == nil {
		return
	}
	for _, p := range t.packs {
		meant := func(tag string) bool {
			return idTag.MatchString(tag) || isLevel(tag) || strings.HasPrefix(tag, transcriptTag) ||
				slices.ContainsFunc(t.book.Capabilities(p.Name), func(c spec.Capability) bool { return tag == "@"+c.Name })
		}
		for _, o := range p.outlines {
			places := slices.Clone(o.other)
			for _, r := range o.rules {
				places = append(places, r.tagged)
			}
			for _, place := range places {
				for _, tag := range place.tags {
					switch {
					case !meant(tag):
						t.report("tag", "features/"+o.file, place.line, "%s is no id, no level and no capability of %s", tag, p.Name)
					case place.what == "examples":
						t.report("tag", "features/"+o.file, place.line, "%s stands on examples, where nothing reads it", tag)
					}
				}
			}
		}
	}
}

// capabilityTags: whatever a requirement needs, its scenarios say.
func capabilityTags(t *tree) {
	for _, p := range t.packs {
		for _, sc := range p.scenarios {
			q, _ := t.requirement(sc.Requirement)
			for _, c := range q.Capabilities {
				if !slices.Contains(sc.Tags, "@"+c) {
					t.report("capability-tag", "features/"+sc.File, sc.Line, "the scenario %q is not tagged @%s, which %s needs", sc.Title, c, q.ID)
				}
			}
		}
	}
}

// transcriptTags: a scenario without a transcript explains why.
func transcriptTags(t *tree) {
	for _, p := range t.packs {
		for _, sc := range p.scenarios {
			for _, tag := range sc.Tags {
				rest, found := strings.CutPrefix(tag, transcriptTag)
				if reason, colon := strings.CutPrefix(rest, ":"); found && (!colon || strings.Trim(reason, "-") == "") {
					t.report("transcript-tag", "features/"+sc.File, sc.Line, "%s gives no reason, expected %s:a-few-words", tag, transcriptTag)
				}
			}
		}
	}
}
