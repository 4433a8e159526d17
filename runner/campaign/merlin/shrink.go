package merlin

import (
	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/merlin"
	"github.com/streamcert/streamcert/runner/shrink"
)

// Shrunk returns a shorter program that breaks the same requirement; again plays one.
func Shrunk(f *Failure, most int, again func(Program) *Failure) *Failure {
	p, same := f.Program, campaign.FailsAgain(&f, again)
	fails := func(shorter Program) bool { return shorter.valid() == nil && same(shorter) }
	shrink.List(p.operations, shrink.Made(Operation.Simpler), most, func(operations []Operation) bool {
		shorter := p
		shorter.operations = operations
		return fails(shorter)
	})
	alone := f.Program
	if alone.streams = 0; f.Program.streams > 1 {
		fails(alone)
	}
	bare := f.Program
	bare.start = model.Start{Manager: p.start.Manager}
	if bare.String() != f.Program.String() {
		fails(bare)
	}
	return f
}
