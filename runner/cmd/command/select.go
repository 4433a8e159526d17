package command

import (
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// certifying is a call of certify: its flags, as they were given until run completes them.
type certifying struct {
	app         *App
	aim         aim      // unused with reference
	reference   bool     // the target is the reference server, which this call starts
	pack        string   // name, or EveryPack
	packFlag    string   // the value of --pack
	only        []string // ids, locations or globs; nil for all
	strict      bool     // a SHOULD that is broken fails the run
	require     []string // classes: as given, and by name after resolveClasses
	seed        int64    // drawn if it wasn't given
	effort      string   // known after valid
	concurrency int      // at least 1
	format      string   // console or json
	out         string   // "" for no files
	force       bool     // out may replace files that aren't reports
	verbose     bool     // names requirements that are otherwise counted
	mutants     string   // "" for that of out
	baselines   *baselines
	timeout     time.Duration // 0 for none
	slow        time.Duration // 0 for probes no longer than the other scenarios
	failFast    bool          // ends the run at the first failure
	rate        float64       // requests a second; 0 for no limit
	skip        []string      // ids, titles, locations or globs
	list        bool          // prints the plan, and sends nothing
	noConfirm   bool          // failed scenarios aren't repeated alone
	store       string        // "" for streams in memory; else with reference
	replicas    int           // 1 to mostReplicas, above 1 with a store only
	modelled    bool          // with reference, and without a store
	modelOnly   bool          // no control calls are made
}

// skips returns the patterns of --skip that are about a pack. Each is about one of those
// that are certified; see knownSkips.
func (c *certifying) skips(suite *pack.Suite) []string {
	var out []string
	for _, pattern := range c.skip {
		if certify.CheckSkips(suite, []string{pattern}) == nil {
			out = append(out, pattern)
		}
	}
	return out
}

// knownSkips refuses a pattern that matches nothing in any pack.
func (c *certifying) knownSkips(suites []*pack.Suite) error {
	for _, pattern := range c.skip {
		_, err := Selecting(suites, func(suite *pack.Suite) error { return certify.CheckSkips(suite, []string{pattern}) })
		if err != nil {
			return err
		}
	}
	return nil
}

// show prints the scenarios of a pack that would run.
func (c *certifying) show(suite *pack.Suite, t *target.Target) error {
	list, err := certify.List(suite, certify.Options{Target: t, Only: c.only, Seed: c.seed, Effort: campaign.Effort(c.effort), Slow: c.slow, Skip: c.skips(suite)})
	if err != nil {
		return Misused(err)
	}
	if c.format == "json" {
		return list.WriteJSON(c.app.out)
	}
	return list.Write(c.app.out)
}

// mostConfirmed is of how many findings the scenario is run once more.
const mostConfirmed = 20

func (c *certifying) confirmed() int {
	if c.noConfirm {
		return 0
	}
	return mostConfirmed
}

// outlines returns a function that returns the title and the steps of a scenario by its location.
func outlines(suite *pack.Suite) func(string) (string, string) {
	byPlace := map[string]features.Scenario{}
	for _, sc := range suite.Scenarios {
		byPlace["features/"+sc.Location()] = sc
	}
	return func(place string) (string, string) {
		sc := byPlace[place]
		var lines []string
		last := features.Keyword(-1)
		for _, step := range sc.Steps {
			word := step.Keyword.String()
			if step.Keyword == last {
				word = "  and"
			}
			last = step.Keyword
			lines = append(lines, word+" "+step.Text)
		}
		return sc.Title, strings.Join(lines, "\n")
	}
}

// resolveClasses replaces the values of --require by the names of classes. A value is the id or the name of a class, or
// several of them with spaces between, as a list in CI has it. The error is for a value that is neither.
func (c *certifying) resolveClasses(suites []*pack.Suite) error {
	var all []spec.Class
	var ids []string
	for _, suite := range suites {
		for _, class := range suite.Book.Classes(suite.Pack.Name) {
			if !slices.Contains(ids, class.ID()) {
				all, ids = append(all, class), append(ids, class.ID())
			}
		}
	}
	var names []string
	for _, value := range c.require {
		found := classesOf(all, value)
		if len(found) == 0 {
			return Usage("--require: there is no class %q%s; the classes are %s", value, Suggest(value, ids), strings.Join(ids, ", "))
		}
		names = append(names, found...)
	}
	c.require = names
	return nil
}

// classesOf returns the names of the classes that a value of --require means, nil if a part of it is no class.
func classesOf(all []spec.Class, value string) []string {
	find := func(text string) int {
		return slices.IndexFunc(all, func(class spec.Class) bool { return class.ID() == text || class.Name == text })
	}
	if i := find(strings.TrimSpace(value)); i >= 0 {
		return []string{all[i].Name}
	}
	var names []string
	for _, word := range strings.Fields(value) {
		i := find(word)
		if i < 0 {
			return nil
		}
		names = append(names, all[i].Name)
	}
	return names
}
