package helix

import (
	model "github.com/streamcert/streamcert/runner/model/helix"
	"github.com/streamcert/streamcert/runner/target"
)

// operations are those of a play, by what they are about.
type operations struct {
	together  together
	changes   changes
	killing   killing
	bounds    bounds
	looks     looks
	extremes  extremes
	readings  readings
	runs      runs
	outputs   outputs
	outsiders outsiders
}

// newPlay returns a play of a program that has not begun.
func newPlay(session *target.Session, t *target.Target, program Program, o Options) *play {
	p := &play{session: session, target: t, options: o, program: program, ledger: model.Ledger{}}
	p.operations = operations{
		together{p},
		changes{p},
		killing{p},
		bounds{p},
		looks{p},
		extremes{p},
		readings{p},
		runs{p},
		outputs{p},
		outsiders{p},
	}
	return p
}
