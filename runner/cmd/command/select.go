package command

import (
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
)

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
