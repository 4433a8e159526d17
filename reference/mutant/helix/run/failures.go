package run

import (
	"context"
	"errors"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// errBroken is the error of a run that a mutant makes fail.
var errBroken = errors.New("the run broke")

// breaksAfter lets a run fail at the chunk that it writes after one that when matches.
func breaksAfter(when on.Writing) on.Apply {
	return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
		type state struct{ broken, fatal bool }
		var streams alter.PerKey[state]
		hits := on.Noting(when)
		j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
			refuse := false
			streams.With(w.Stream, func(s *state) {
				refuse = s.broken && !s.fatal
				s.fatal = s.fatal || refuse // what tells readers of it is written
				for _, c := range chunks {
					s.broken = hits(w, c) || s.broken
				}
			})
			if refuse {
				return nil, errBroken
			}
			return inner.Append(ctx, w, chunks)
		}
	})
}

// onClassified changes the errors that readers see.
func onClassified(change func(err error, f *runtime.Failure)) on.Apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		inner := p.Classify
		p.Classify = func(err error) runtime.Failure {
			f := inner(err)
			change(err, &f)
			return f
		}
	})
}
