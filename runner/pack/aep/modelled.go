package aep

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/aep"
)

// byModel reports whether a model does everything that a row has the agent do.
func byModel(t *target.Target, _ string, row features.Row) bool {
	scripts := 0
	for _, step := range row.Steps {
		if !client.Modelled(t, step.Content, strings.Contains(step.Text, "script")) || strings.Contains(step.Text, "without the control token") {
			return false
		}
		if strings.Contains(step.Text, "with this script") || strings.HasPrefix(step.Text, "histories of ") {
			scripts++
		}
	}
	return scripts > 0
}

// needsScript reports whether a row has the agent do something.
func needsScript(row features.Row) bool {
	return slices.ContainsFunc(row.Steps, func(step features.Step) bool {
		return strings.Contains(step.Text, "script") || strings.Contains(step.Content, `"conformance"`) || strings.Contains(step.Content, `"$a`)
	})
}
