package helix

import (
	judge "github.com/streamcert/streamcert/runner/judge/helix"
	model "github.com/streamcert/streamcert/runner/model/helix"
	"github.com/streamcert/streamcert/runner/pack"
	client "github.com/streamcert/streamcert/runner/target/helix"
	steps "github.com/streamcert/streamcert/steps/helix"
)

// Pack describes the protocol to the kit.
func Pack() pack.Pack {
	return pack.Pack{
		Name:    "helix",
		Machine: judge.New, Answer: judge.JudgeAnswer, Judged: judge.Requirements, SideBySide: sideBySide, Afterwards: afterwards,
		Vocabulary: steps.Vocabulary, Fixtures: steps.Fixtures,
		Preflight: preflight, Routes: routes, Conditions: conditions(), Stream: stream(), Golden: freedoms(), Shape: shape(),
		ByModel: byModel, Registry: crosschecks(), Config: client.Section(), Recommended: client.Recommended, Model: pack.Model{Chapters: model.Chapters(), Checked: model.Covered(), Unheld: model.Unheld()},
	}
}
