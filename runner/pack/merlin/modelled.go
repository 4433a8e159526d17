package merlin

import (
	"regexp"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/merlin"
	steps "github.com/streamcert/streamcert/steps/merlin"
)

// scriptedStep matches the sentence that requests a stream.
var scriptedStep = regexp.MustCompile(`^a client requests a V[12] stream of:$`)

// byModel reports whether a model does everything that a row has happen.
func byModel(t *target.Target, requirement string, row features.Row) bool {
	streams := 0
	for _, step := range row.Steps {
		switch {
		case strings.HasPrefix(step.Text, "histories of ") && !t.Scripts():
			streams++
		case scriptedStep.MatchString(step.Text):
			start, script, err := steps.Script(step.Content)
			if err != nil || !client.Modelled(requirement, start, script) {
				return false
			}
			streams++
		case strings.Contains(step.Text, "without the control token"), strings.Contains(step.Text, "the aggregate"), strings.HasPrefix(step.Text, "this history"):
			return false
		}
	}
	return streams > 0
}
