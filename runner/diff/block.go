package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/spec"
)

// blocks compares the blocks of the two specs.
func (r comparison) blocks() {
	before, after := r.before.requirements(), r.after.requirements()
	ids := slices.Collect(maps.Keys(before))
	for id := range after {
		if _, known := before[id]; !known {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		old, was := before[id]
		now, is := after[id]
		switch {
		case !is:
			if old.Withdrawn == "" {
				r.add(id, block(Withdrawn, "the requirement is gone, without a tombstone", old))
			} else {
				r.add(id, block(Editorial, "the tombstone is gone", old))
			}
		case !was:
			if now.Withdrawn != "" {
				r.add(id, block(Editorial, "a tombstone", now))
			} else {
				r.coined(now)
			}
		default:
			r.block(old, now)
		}
	}
}

func block(class Class, what string, r spec.Requirement) Change {
	return Change{Class: class, Part: PartBlock, What: what, Documents: []string{"spec/" + r.File}}
}

// coined adds a new requirement. One that needs a new capability binds no existing server.
func (r comparison) coined(now spec.Requirement) {
	class := Additive
	what := fmt.Sprintf("a new %s", now.Level)
	if now.Level.Mandatory() {
		class = breaks(now.Role)
	}
	known := r.before.book.Capabilities(r.Pack)
	for _, name := range now.Capabilities {
		if !slices.ContainsFunc(known, func(c spec.Capability) bool { return c.Name == name }) {
			class, what = Additive, fmt.Sprintf("%s, for those who claim the new capability %s", what, name)
			break
		}
	}
	if !r.before.there {
		class = Additive // no server was affected
	}
	r.add(now.ID, block(class, what+": "+now.Sentence, now))
}

// block compares the two blocks of an id.
func (r comparison) block(old, now spec.Requirement) {
	switch {
	case old.Withdrawn == "" && now.Withdrawn != "":
		r.add(now.ID, block(Withdrawn, "withdrawn: "+now.Withdrawn, now))
		return
	case old.Withdrawn != "" && now.Withdrawn == "":
		r.coined(now)
		return
	case old.Withdrawn != "":
		if old.Withdrawn != now.Withdrawn || old.Sentence != now.Sentence {
			r.add(now.ID, block(Editorial, "the tombstone says something else", now))
		}
		return
	}
	if old.Role != now.Role {
		class := Additive
		if now.Level.Mandatory() {
			class = breaks(now.Role)
		}
		r.add(now.ID, block(class, fmt.Sprintf("binds the role %s and not %s", now.Role, old.Role), now))
	}
	if old.Level != now.Level {
		r.add(now.ID, block(leveled(old.Level, now.Level).on(now.Level, now.Role), fmt.Sprintf("%s was %s", now.Level, old.Level), now))
	}
	if was, is := strings.Join(old.Freedoms, ", "), strings.Join(now.Freedoms, ", "); was != is { // classes ask for it, or don't any more
		effect := relaxed
		if is == "" {
			effect = stricter
		}
		r.add(now.ID, block(effect.on(now.Level, now.Role), fmt.Sprintf("freedom is %q and was %q", is, was), now))
	}
	r.capabilities(old, now)
	r.sentence(old, now)
	r.prose(old, now)
	for _, attribute := range []struct{ name, old, now string }{
		{"tier", old.Tier, now.Tier}, {"origin", strings.Join(old.Origin, ", "), strings.Join(now.Origin, ", ")},
		{"untestable", old.Untestable, now.Untestable},
	} {
		if attribute.old != attribute.now {
			r.add(now.ID, block(Editorial, fmt.Sprintf("%s is %q and was %q", attribute.name, attribute.now, attribute.old), now))
		}
	}
}

// leveled returns the effect of a change of level. A demand that becomes a prohibition is another rule.
func leveled(old, now spec.Level) effect {
	strength := func(l spec.Level) int {
		switch {
		case l.Mandatory():
			return 2
		case l.Advisory():
			return 1
		}
		return 0
	}
	negative := func(l spec.Level) bool { return strings.HasSuffix(string(l), "NOT") }
	switch {
	case strength(old) > 0 && strength(now) > 0 && negative(old) != negative(now):
		return stricter
	case strength(now) > strength(old):
		return stricter
	}
	return relaxed
}

// capabilities compares the capabilities that a requirement depends on.
func (r comparison) capabilities(old, now spec.Requirement) {
	for _, name := range now.Capabilities {
		if !slices.Contains(old.Capabilities, name) {
			r.add(now.ID, block(Additive, "holds only for those who claim "+name, now))
		}
	}
	for _, name := range old.Capabilities {
		if !slices.Contains(now.Capabilities, name) {
			r.add(now.ID, block(stricter.on(now.Level, now.Role), "holds for those too who don't claim "+name, now))
		}
	}
}

// sentence compares the normative sentence. A changed level was recorded before.
func (r comparison) sentence(old, now spec.Requirement) {
	if old.Sentence == now.Sentence {
		return
	}
	w := worded(unleveled(old), unleveled(now), strings.HasSuffix(string(now.Level), "NOT"))
	if w.text == "" {
		if old.Level == now.Level {
			r.add(now.ID, block(Editorial, "the sentence is set otherwise", now))
		}
		return
	}
	c := block(w.effect.on(now.Level, now.Role), "the sentence: "+w.text, now)
	c.Undecided = w.effect == unclear
	r.add(now.ID, c)
}

// unleveled returns a sentence without its keyword.
func unleveled(r spec.Requirement) string {
	return strings.Replace(r.Sentence, string(r.Level), "", 1)
}

// prose compares the text after a block. A table to which the sentence refers is normative.
func (r comparison) prose(old, now spec.Requirement) {
	if old.Why == now.Why {
		return
	}
	if bound := r.after.boundBy(now); len(bound) > 0 && tableOf(old.Why) != tableOf(now.Why) {
		class := None
		var of []string
		for _, b := range bound {
			class = worst(class, unclear.on(b.Level, b.Role))
			of = append(of, b.ID)
		}
		c := block(class, "the table that decides "+strings.Join(of, ", "), now)
		c.Undecided = true
		r.add(now.ID, c)
		return
	}
	what := "the prose"
	if fencedOf(old.Why) != fencedOf(now.Why) {
		what = "the bytes that the block shows"
	}
	r.add(now.ID, block(Editorial, what, now))
}

// boundBy lists the requirements that the table of a block decides: that of the block, if its sentence speaks of a table, and
// those whose sentence does and whose prose names the block instead of having a table.
func (v *Version) boundBy(of spec.Requirement) []spec.Requirement {
	var out []spec.Requirement
	for _, one := range v.book.Pack(v.pack) {
		if !strings.Contains(one.Sentence, "table") {
			continue
		}
		if one.ID == of.ID || tableOf(one.Why) == "" && strings.Contains(one.Why, "`"+of.ID+"`") {
			out = append(out, one)
		}
	}
	return out
}

// tableOf returns the rows of the tables in a text, without the spaces that only set them.
func tableOf(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "|") {
			var cells []string
			for cell := range strings.SplitSeq(line, "|") {
				cells = append(cells, strings.Join(strings.Fields(cell), " "))
			}
			out = append(out, strings.Join(cells, "|"))
		}
	}
	return strings.Join(out, "\n")
}

// fencedOf returns the text inside the code fences of a Markdown text.
func fencedOf(text string) string {
	var out []string
	for i, part := range strings.Split(text, "```") {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	return strings.Join(out, "```")
}
