package merlin

import (
	"context"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	streams "github.com/streamcert/streamcert/runner/campaign/merlin"
	"github.com/streamcert/streamcert/steps"
)

func campaignSteps(v *steps.Sentences[*world]) {
	steps.Step2(v, features.When, `^histories of (`+strings.Join(streams.Subjects(), "|")+`) in version ([12]) are drawn and played$`, (*world).drawHistories)
	steps.Doc1(v, features.When, `^this history is played$`, func(w *world, text string) error {
		program, err := streams.Parse(text)
		if err != nil {
			return steps.Faultf("%v", err)
		}
		w.played, err = steps.PlayHistory(w.World, func() (steps.Played, error) { return w.play(program) })
		return err
	})
	steps.Step0(v, features.Then, `^nothing was received that the spec rules out$`, func(w *world) error { return w.played.Allowed(w.World) })
}

// longest is about how long the histories of a subject take at standard effort of a server that is far away.
const longest = 10 * time.Second

func (w *world) drawHistories(about, version string) (err error) {
	w.played, err = steps.DrawHistories(w.World, about, streams.Programs(about), longest, func(n int, _ time.Time) (steps.Played, error) {
		return w.play(streams.Draw(w.Env().Seed, n, about, int(version[0]-'0'), w.Session().Target()))
	})
	return err
}

// play plays a program and searches for a shorter one if it fails, or if it is the first after which something comes otherwise than is
// recommended.
func (w *world) play(program streams.Program) (steps.Played, error) {
	t := w.Session().Target()
	options := streams.Options{Judge: w.Env().Judge}
	result, err := streams.Play(w.Session().Context(), t, program, options)
	played := steps.Played{OccasionCounts: result.Occasions, Busy: result.Busy}
	if err != nil || result.Busy {
		return played, err
	}
	shrunk := func(f *streams.Failure, of func(streams.Result) *streams.Failure) *steps.Failure {
		return steps.Shrunk(w.World, f, "this history is played", streams.Shrunk, func(ctx context.Context, shorter streams.Program) (*streams.Failure, error) {
			found, err := streams.Play(ctx, t, shorter, options)
			return of(found), err
		})
	}
	played.Failure = shrunk(result.Failure, func(r streams.Result) *streams.Failure { return r.Failure })
	if result.Failure == nil && !w.advised {
		played.Advice = shrunk(result.Advice, func(r streams.Result) *streams.Failure { return r.Advice })
		w.advised = played.Advice != nil
	}
	return played, nil
}
