package aep

import (
	"context"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	talks "github.com/streamcert/streamcert/runner/campaign/aep"
	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/steps"
)

func campaignSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.When, `^histories of (`+strings.Join(talks.Subjects(), "|")+`) are drawn and played$`, (*world).drawHistories)
	steps.Doc1(v, features.When, `^this history is played$`, func(w *world, text string) error {
		program, err := talks.Parse(text)
		if err != nil {
			return steps.Faultf("%v", err)
		}
		w.played, err = steps.PlayHistory(w.World, func() (steps.Played, error) {
			return w.play(program, talks.Options{Ids: model.NewIds(), Judge: w.Env().Judge})
		})
		return err
	})
	steps.Step0(v, features.Then, `^nothing was received that the spec rules out$`, func(w *world) error { return w.played.Allowed(w.World) })
}

// longest is about how long the histories of a subject take at standard effort of a server that is far away.
const longest = 30 * time.Second

func (w *world) drawHistories(about string) (err error) {
	ids := model.NewIds() // of all its programs: none may come again
	w.played, err = steps.DrawHistories(w.World, about, talks.Programs(about), longest, func(n int, by time.Time) (steps.Played, error) {
		program := talks.Draw(w.Env().Seed, n, about, talks.Offers(w.Session().Target()))
		return w.play(program, talks.Options{By: by, Ids: ids, Judge: w.Env().Judge})
	})
	return err
}

// play plays a program and searches for a shorter one if it fails.
func (w *world) play(program talks.Program, o talks.Options) (steps.Played, error) {
	t := w.Session().Target()
	if err := t.MayBeKilled(); program.Kills() && err != nil {
		return steps.Played{}, &steps.Unprovable{Reason: err.Error()}
	}
	if program.Timed() {
		if _, err := w.streamTimeout(); err != nil {
			return steps.Played{}, err
		}
	}
	if err := t.IsReplicated(); program.Moves() && err != nil {
		return steps.Played{}, &steps.Unprovable{Reason: err.Error()}
	}
	result, err := talks.Play(w.Session().Context(), t, program, o)
	played := steps.Played{OccasionCounts: result.Occasions, Busy: result.Busy}
	if err != nil || result.Busy {
		return played, err
	}
	o.By = time.Time{}
	played.Failure = steps.Shrunk(w.World, result.Failure, "this history is played", talks.Shrunk, func(ctx context.Context, shorter talks.Program) (*talks.Failure, error) {
		found, err := talks.Play(ctx, t, shorter, o)
		return found.Failure, err
	})
	return played, nil
}
