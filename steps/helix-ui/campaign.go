package helixui

import (
	"context"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	turns "github.com/streamcert/streamcert/runner/campaign/helix-ui"
	"github.com/streamcert/streamcert/steps"
)

func campaignSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.When, `^histories of (`+strings.Join(turns.Subjects(), "|")+`) are drawn and played$`, drawHistories)
	steps.Doc1(v, features.When, `^this history is played$`, func(w *world, text string) error {
		program, err := turns.Parse(text)
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

func drawHistories(w *world, about string) (err error) {
	w.played, err = steps.DrawHistories(w.World, about, turns.Programs(about), longest, func(n int, _ time.Time) (steps.Played, error) {
		return w.play(turns.Draw(w.Env().Seed, n, about, turns.Offers(w.Session().Target())))
	})
	return err
}

// how returns the options for playing a program.
func (w *world) how() turns.Options {
	return turns.Options{Judge: w.Env().Judge, Schema: func(history []byte) string { return misshapen(w, history) }, Hides: w.hides}
}

// play plays a program and searches for a shorter one if it fails.
func (w *world) play(program turns.Program) (steps.Played, error) {
	t := w.Session().Target()
	result, err := turns.Play(w.Session().Context(), t, program, w.how())
	w.hides = result.Hides
	played := steps.Played{OccasionCounts: result.Occasions, Busy: result.Busy}
	if err != nil || result.Busy {
		return played, err
	}
	played.Failure = steps.Shrunk(w.World, result.Failure, "this history is played", turns.Shrunk, func(ctx context.Context, shorter turns.Program) (*turns.Failure, error) {
		found, err := turns.Play(ctx, t, shorter, w.how())
		return found.Failure, err
	})
	return played, nil
}
