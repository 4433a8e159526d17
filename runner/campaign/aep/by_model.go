package aep

import (
	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/aep"
)

// byModel returns a failure of a model instead of a failure that doesn't involve it, if the kit plays it.
func byModel(t *target.Target, a step) step {
	if t.Model() != nil && a.name == "fail" {
		switch a.class {
		case "tool_error":
			a.class = aep.CleanEnd
		case "internal_error":
			a.class = aep.ErrorInBody
		}
	}
	return a
}

// written returns the request with the model's way to write its events at the beginning of its script, where the kit plays
// the model. The way changes nothing of the answer, so the model of the server doesn't have it.
func written(t *target.Target, a model.Request, o Operation) model.Request {
	if o.upstream != "" && a.Script != nil && Offers(t)(modelOnly) {
		a.Script = append([]model.ScriptStep{{Name: aep.Upstream, Text: o.upstream}}, a.Script...)
	}
	return a
}
