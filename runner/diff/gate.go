package diff

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/spec"
)

// Gate checks the conditions under which a change may be merged, and sets [Report.Problems]: a line each, with a remedy. An
// error names the file that can't be read.
func (r *Report) Gate() error {
	log, err := r.changeLog()
	if err != nil {
		return err
	}
	g := gate{r}
	shown, err := g.shown()
	if err != nil {
		return err
	}
	r.Problems = slices.Concat(g.numbered(), r.logged(log), shown, g.alone(log), g.vanished(), g.paths())
	return nil
}

// gate checks the conditions under which a change of the specification may be merged.
type gate struct{ *Report }

// numbered compares the version with the class of the change.
func (r gate) numbered() []string {
	old, now := "v"+r.Old.Number, "v"+r.New.Number
	switch {
	case !r.before.there || !r.after.there:
		return nil
	case !semver.IsValid(old) || !semver.IsValid(now):
		return []string{fmt.Sprintf("%s: %q can't be compared with %q, expected versions such as 0.1.0", r.file("VERSION"), r.New.Number, r.Old.Number)}
	case r.Class == None && old == now:
		return nil
	case r.Class == None:
		return []string{fmt.Sprintf("%s: nothing changed since %s, so the version stays %s, not %s", r.file("VERSION"), r.Old.Number, r.Old.Number, r.New.Number)}
	}
	right := next(r.Old.Number, r.Class)
	if !slices.Contains(right, r.New.Number) {
		return []string{fmt.Sprintf("%s: the change since %s is %s, so the version is %s, not %s", r.file("VERSION"), r.Old.Number, r.Class, strings.Join(right, " or "), r.New.Number)}
	}
	return nil
}

// next lists the versions that may follow a version by a change: before 1.0.0 the minor version plays the part of the major
// one, and 1.0.0 may always follow.
func next(version string, class Class) []string {
	var n [3]int
	for i, part := range strings.SplitN(version, ".", 3) {
		n[i], _ = strconv.Atoi(part) // it is a valid version
	}
	minor := fmt.Sprintf("%d.%d.0", n[0], n[1]+1)
	switch {
	case class == Editorial:
		return []string{fmt.Sprintf("%d.%d.%d", n[0], n[1], n[2]+1)}
	case n[0] == 0:
		return []string{minor, "1.0.0"}
	case class.Breaking():
		return []string{fmt.Sprintf("%d.0.0", n[0]+1)}
	}
	return []string{minor}
}

// shown demands a changed scenario or transcript for each changed requirement. It exempts requirements without tests, those
// on readers, whose blocks show the bytes, and those without a scenario, because the judge checks them in any response.
func (r gate) shown() ([]string, error) {
	if !r.before.there {
		return nil, nil // there is no change to show
	}
	tested := map[string]bool{}
	for _, v := range []*Version{r.before, r.after} {
		scenarios, err := v.features()
		if err != nil {
			return nil, err
		}
		for _, s := range scenarios {
			for _, id := range rulesOf(s) {
				tested[id] = true
			}
		}
	}
	var out []string
	for _, item := range r.Changed {
		now, known := r.after.book.Get(item.ID)
		if !known || !now.Testable() || item.Class.rank() <= Editorial.rank() {
			continue
		}
		changed := slices.ContainsFunc(item.Changes, func(c Change) bool { return c.Part == PartScenario }) ||
			slices.ContainsFunc(r.Goldens, func(f Fold) bool { return slices.Contains(f.Requirements, item.ID) })
		_, old := r.before.book.Get(item.ID)
		if !changed && (tested[item.ID] || !old && now.Level != spec.May) {
			out = append(out, fmt.Sprintf("%s:%d: %s is %s, and no scenario and no golden of it changed; change what tests it, or write the golden anew", "spec/"+now.File, now.Line, item.ID, item.Class))
		}
	}
	return out, nil
}

// rulesOf returns the ids of a scenario's rule; a campaign also checks others, which it doesn't show.
func rulesOf(s features.Scenario) []string {
	if s.Campaign {
		return nil
	}
	return idsOf(s)
}

// alone demands a changed requirement for each change of transcripts: one of theirs, or one or a member that the change log
// names.
func (r gate) alone(log section) []string {
	var out []string
	for _, f := range r.Goldens {
		explained := slices.ContainsFunc(f.Requirements, func(id string) bool { return r.Item(id) != nil || log.names(id) }) ||
			slices.ContainsFunc(codeSpan.FindAllString(f.What, -1), func(span string) bool { return strings.Contains(log.text, span) })
		if !explained {
			out = append(out, fmt.Sprintf("golden/%s: %s, and none of its requirements changed (%s); name one, or what changed, in %s", strings.TrimPrefix(f.Files[0], "golden/"), f.line(), idsLine(f.Requirements), r.file(changeLogFile)))
		}
	}
	return out
}

var codeSpan = regexp.MustCompile("`[^`]+`")

// vanished demands a tombstone for each id that is gone.
func (r gate) vanished() []string {
	var out []string
	after := r.after.requirements()
	for _, old := range r.before.book.Pack(r.Pack) {
		now, is := after[old.ID]
		switch {
		case !is:
			out = append(out, fmt.Sprintf("spec/%s: %s vanished; it stays in its place with the attribute withdrawn and the reason", old.File, old.ID))
		case old.Withdrawn != "" && now.Withdrawn == "":
			out = append(out, fmt.Sprintf("spec/%s:%d: %s was withdrawn and holds again; an id is never reused", now.File, now.Line, now.ID))
		}
	}
	return out
}

var (
	requestLine = regexp.MustCompile(`(?m)^> [A-Z]+ (/\S*)`)
	versioned   = regexp.MustCompile(`^/v(\d+)(?:/|$)`)
)

// paths demands the path of a new version if a pack has its version in its paths and breaks its readers.
func (r gate) paths() []string {
	before, after := pathVersion(r.before), pathVersion(r.after)
	if r.Class != BreaksReaders || before == 0 || after == 0 || after > before {
		return nil
	}
	return []string{fmt.Sprintf("spec/%s: the change is %s, and requests still go to /v%d; what breaks clients needs a path of its own, /v%d", r.Pack, r.Class, after, before+1)}
}

// pathVersion returns the highest version in the paths that the README and the chapters of a pack show, 0 if one of them
// has none.
func pathVersion(v *Version) int {
	highest := 0
	for _, c := range v.book.Chapters(v.pack) {
		data, err := fs.ReadFile(v.source.Files, "spec/"+c.File)
		if err != nil {
			continue
		}
		for _, m := range requestLine.FindAllStringSubmatch(string(data), -1) {
			if strings.HasPrefix(m[1], "/control") {
				continue
			}
			found := versioned.FindStringSubmatch(m[1])
			if found == nil {
				return 0
			}
			n, _ := strconv.Atoi(found[1]) // the pattern has digits
			highest = max(highest, n)
		}
	}
	return highest
}
