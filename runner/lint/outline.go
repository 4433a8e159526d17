package lint

import (
	"bytes"
	"io/fs"
	"regexp"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"
)

// outline contains the positions of the tags in a feature file. Package features flattens them onto the scenarios.
type outline struct {
	file  string   // below features
	rules []rule   // in the order of the file
	other []tagged // feature, backgrounds, scenarios and examples
}

// tagged is a thing with tags.
type tagged struct {
	what  string // "feature", "background", "scenario", "examples", "rule"
	line  int
	title string   // "" if it has none
	tags  []string // each with its @

	description string // of a background or a scenario
}

// rule is a Rule of a feature.
type rule struct {
	tagged
	scenarios int
}

// readOutline reads a file that package features was able to read.
func readOutline(fsys fs.FS, file string) outline {
	o := outline{file: file}
	src, err := fs.ReadFile(fsys, file)
	if err != nil {
		return o
	}
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(src), (&messages.Incrementing{}).NewId)
	if err != nil || doc.Feature == nil {
		return o
	}
	o.add("feature", doc.Feature.Location, doc.Feature.Name, doc.Feature.Tags)
	for _, child := range doc.Feature.Children {
		o.background(child.Background)
		o.scenario(child.Scenario)
		if child.Rule == nil {
			continue
		}
		r := rule{tagged: newTagged("rule", child.Rule.Location, child.Rule.Name, child.Rule.Tags)}
		for _, inner := range child.Rule.Children {
			o.background(inner.Background)
			o.scenario(inner.Scenario)
			if inner.Scenario != nil {
				r.scenarios++
			}
		}
		o.rules = append(o.rules, r)
	}
	return o
}

// scenario adds a scenario and its examples; nil adds nothing.
func (o *outline) scenario(sc *messages.Scenario) {
	if sc == nil {
		return
	}
	o.add("scenario", sc.Location, sc.Name, sc.Tags)
	o.other[len(o.other)-1].description = sc.Description
	for _, x := range sc.Examples {
		o.add("examples", x.Location, x.Name, x.Tags)
	}
}

// background adds a background, which has no tags; nil adds nothing.
func (o *outline) background(b *messages.Background) {
	if b != nil {
		o.other = append(o.other, tagged{what: "background", line: int(b.Location.Line), description: b.Description})
	}
}

// add adds a thing with tags that is no rule.
func (o *outline) add(what string, at *messages.Location, title string, tags []*messages.Tag) {
	o.other = append(o.other, newTagged(what, at, title, tags))
}

// newTagged returns a thing with its tags, each with its @.
func newTagged(what string, at *messages.Location, title string, tags []*messages.Tag) tagged {
	t := tagged{what: what, line: int(at.Line), title: title}
	for _, tag := range tags {
		t.tags = append(t.tags, tag.Name)
	}
	return t
}

// ids returns the requirement ids among tags.
func ids(tags []string) []string {
	var out []string
	for _, tag := range tags {
		if idTag.MatchString(tag) {
			out = append(out, tag[1:])
		}
	}
	return out
}

// idTag matches the tag of a requirement: its id after an @.
var idTag = regexp.MustCompile(`^@[a-z0-9-]+\.[a-z0-9-]+\.[a-z0-9-]+$`)
