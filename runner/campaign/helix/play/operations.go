package play

import (
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/target"
)

// operations are those of a play, by what they are about.
type operations struct {
	concurrent          concurrent
	changes             changes
	crashKind           crashKind
	bounds              bounds
	inspections         inspections
	cursorOps           cursorOps
	readerOps           readerOps
	runs                runs
	outputs             outputs
	unauthorizedReaders unauthorizedReaders
}

// newPlay returns a play of a program that has not begun.
func newPlay(session *target.Session, t *target.Target, program program.Program, o Options) *play {
	p := &play{session: session, target: t, options: o, program: program, ledger: model.Ledger{}}
	p.operations = operations{
		concurrent{p}, changes{p}, crashKind{p}, bounds{p}, inspections{p}, cursorOps{p}, readerOps{p}, runs{p}, outputs{p}, unauthorizedReaders{p},
	}
	return p
}
