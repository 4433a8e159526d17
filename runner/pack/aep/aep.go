package aep

import (
	judge "github.com/streamcert/streamcert/runner/judge/aep"
	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/aep"
	steps "github.com/streamcert/streamcert/steps/aep"
)

// Pack describes the protocol to the kit.
func Pack() pack.Pack {
	return pack.Pack{
		Name:    "aep",
		Machine: judge.New, Answer: judge.JudgeAnswer, Judged: judge.Requirements,
		Vocabulary: steps.Vocabulary, Fixtures: steps.Fixtures,
		Preflight: preflight, Routes: routes, Conditions: conditions(), Stream: stream(), Golden: freedoms(), Shape: shape(),
		Scripted: pack.StepMatches(`script`), ByModel: byModel, Unplayed: "actions of the client, and failures that aren't the model's", NeedsScript: needsScript, Registry: crosschecks(), Config: client.Section(),
		Model: pack.Model{Chapters: model.Chapters(), Checked: model.Covered(), Unheld: model.Unheld()},
		Names: func(t *target.Target) record.Names { return client.ConfigOf(t).Names() },
	}
}
