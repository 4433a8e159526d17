package diff

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/spec"
)

// scenarios compares the tests of each requirement. A scenario shows a rule and isn't one: a change of it is editorial,
// even if servers fail it now.
func (r comparison) scenarios() error {
	changed, err := changedFiles(r.before, r.after, "features")
	if err != nil || len(changed) == 0 {
		return err
	}
	before, err := scenariosOf(r.before)
	if err != nil {
		return err
	}
	after, err := scenariosOf(r.after)
	if err != nil {
		return err
	}
	keys := slices.Concat(slices.Collect(maps.Keys(before)), slices.Collect(maps.Keys(after)))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		old, had := before[key]
		now, has := after[key]
		id, title, _ := strings.Cut(key, "\x00")
		c := Change{Class: Editorial, Part: PartScenario, Documents: []string{"features/" + now.file}}
		switch {
		case !had:
			c.What = fmt.Sprintf("the scenario “%s” is new", title)
		case !has:
			c.What, c.Documents = fmt.Sprintf("the scenario “%s” is gone", title), []string{"features/" + old.file}
		case old.text != now.text:
			c.What = fmt.Sprintf("the scenario “%s” is another", title)
		default:
			continue
		}
		r.add(id, c)
	}
	return nil
}

type scenario struct{ file, text string }

// scenariosOf lists the scenarios of a version by requirement and title.
func scenariosOf(v *Version) (map[string]scenario, error) {
	all, err := v.features()
	if err != nil {
		return nil, err
	}
	out := map[string]scenario{}
	for _, s := range all {
		var b strings.Builder
		fmt.Fprintln(&b, s.Rule, s.Tags)
		for _, row := range s.Rows {
			b.Write(row.Source())
		}
		for _, id := range idsOf(s) {
			out[id+"\x00"+s.Title] = scenario{s.File, b.String()}
		}
	}
	return out, nil
}

func idsOf(s features.Scenario) []string {
	if len(s.IDs) == 0 {
		return []string{s.Requirement}
	}
	return s.IDs
}

// index compares the pack's index: capabilities and classes.
func (r comparison) index() {
	if !r.before.there || !r.after.there {
		return
	}
	say := func(class Class, format string, args ...any) {
		r.add("", Change{Class: class, Part: PartDocument, What: fmt.Sprintf(format, args...), Documents: []string{"spec/" + r.Pack + "/README.md"}})
	}
	name := func(c spec.Capability) string { return c.Name }
	gone, fresh := lists(names(r.before.book.Capabilities(r.Pack), name), names(r.after.book.Capabilities(r.Pack), name))
	for _, c := range gone {
		say(BreaksServers, "the capability `%s` is gone: no server may leave out what it named", c)
	}
	for _, c := range fresh {
		say(Additive, "the capability `%s` is new", c)
	}
	before, after := r.before.book.Classes(r.Pack), r.after.book.Classes(r.Pack)
	for _, old := range before {
		i := slices.IndexFunc(after, func(c spec.Class) bool { return c.Name == old.Name })
		if i < 0 {
			say(Withdrawn, "the class %s is gone", old.Name)
			continue
		}
		for _, part := range []struct {
			what     string
			old, now []string
		}{{"chapter", old.Chapters, after[i].Chapters}, {"capability", old.Capabilities, after[i].Capabilities}} {
			less, more := lists(part.old, part.now)
			for _, one := range more {
				say(BreaksServers, "the class %s asks for the %s `%s`", old.Name, part.what, one)
			}
			for _, one := range less {
				say(Additive, "the class %s no longer asks for the %s `%s`", old.Name, part.what, one)
			}
		}
	}
	for _, now := range after {
		if !slices.ContainsFunc(before, func(c spec.Class) bool { return c.Name == now.Name }) {
			say(Additive, "the class %s is new", now.Name)
		}
	}
}

func names[T any](all []T, name func(T) string) []string {
	var out []string
	for _, one := range all {
		out = append(out, name(one))
	}
	return out
}

// lists returns the items of only the first list, and those of only the second.
func lists(old, now []string) (gone, fresh []string) {
	without := func(a, b []string) []string {
		return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
	}
	return without(old, now), without(now, old)
}

// documents reports the prose that belongs to no requirement.
func (r comparison) documents() error {
	changed, err := changedFiles(r.before, r.after, "spec")
	if err != nil {
		return err
	}
	for _, name := range changed {
		base := path.Base(name)
		if base == "VERSION" || base == "CHANGELOG.md" || path.Ext(name) != ".md" {
			continue
		}
		if remainingText(r.before, name) != remainingText(r.after, name) {
			r.add("", Change{Class: Editorial, Part: PartDocument, What: "prose outside of requirements", Documents: []string{name}})
		}
	}
	return nil
}

// remainingText returns a file of the spec without its blocks.
func remainingText(v *Version, name string) string {
	data, err := fs.ReadFile(v.source.Files, name)
	if err != nil {
		return ""
	}
	begins := map[int]bool{}
	for _, r := range v.book.Requirements {
		if "spec/"+r.File == name {
			begins[r.Line] = true
		}
	}
	var out strings.Builder
	inside, fenced := false, false
	for i, line := range strings.Split(string(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))), "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		switch {
		case begins[i+1]:
			inside = true
		case !fenced && strings.HasPrefix(line, "#"):
			inside = false
		}
		if !inside {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// changedFiles lists the files of the pack in a folder whose bytes differ, including those that one version lacks, by their
// paths from the root. Releases and the change log aren't part of a version.
func changedFiles(before, after *Version, part string) ([]string, error) {
	root := path.Join(part, after.pack)
	digests := [2]map[string]string{{}, {}}
	for i, v := range []*Version{before, after} {
		err := fs.WalkDir(v.source.Files, root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil && name == root: // a version without the pack
				return fs.SkipAll
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "releases":
				return fs.SkipDir
			case d.IsDir():
				return nil
			}
			data, err := fs.ReadFile(v.source.Files, name)
			digests[i][name] = string(data)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", v.source.Name, err)
		}
	}
	var out []string
	for name, data := range digests[0] {
		if now, there := digests[1][name]; !there || now != data {
			out = append(out, name)
		}
	}
	for name := range digests[1] {
		if _, there := digests[0][name]; !there {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}
