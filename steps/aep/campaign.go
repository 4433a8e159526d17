package aep

import (
	"context"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/campaign"
	talks "github.com/streamcert/streamcert/runner/campaign/aep"
	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
)

// histories are what came of the programs that a scenario played.
type histories struct {
	ledger  model.Ledger
	ids     *model.Ids
	failure *talks.Failure // the first, shrunk
}

func campaignSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.When, `^histories of (`+strings.Join(talks.Subjects(), "|")+`) are drawn and played$`, (*world).drawHistories)
	steps.Doc1(v, features.When, `^this history is played$`, func(w *world, text string) error {
		program, err := talks.Parse(text)
		if err != nil {
			return steps.Faultf("%v", err)
		}
		w.played = &histories{ledger: model.Ledger{}, ids: model.NewIds()}
		return w.play(program, time.Time{})
	})
	steps.Step0(v, features.Then, `^nothing was received that the spec rules out$`, (*world).allowed)
}

const (
	// longest is about how long the histories of a subject take at standard effort of a server that is far away.
	longest = 10 * time.Second
	// mostShrinking is how often a program is played again to make it shorter, and longestShrinking bounds the time that it
	// takes.
	mostShrinking    = 200
	longestShrinking = 4 * time.Second
)

// drawHistories plays programs until one finds something, or the time is over that the effort of the run allows.
func (w *world) drawHistories(about string) error {
	if w.Env().Unscripted != "" {
		return &steps.Unprovable{Reason: w.Env().Unscripted}
	}
	w.played = &histories{ledger: model.Ledger{}, ids: model.NewIds()}
	effort := w.Env().Effort
	if !effort.Plays() { // somebody asks for it all the same
		effort = campaign.Standard
	}
	by := time.Now().Add(time.Duration(effort.Of(1)) * longest)
	all := effort.Of(talks.Programs(about))
	for n := range all {
		if time.Now().After(by) { // the server is far away, or the machine is busy
			w.CutShort(about, n, all)
			return nil
		}
		if err := w.play(talks.Draw(w.Env().Seed, n, about, w.Session().Target().Claims), by); err != nil || w.played.failure != nil {
			return err
		}
	}
	return nil
}

// play plays a program and looks for a shorter one if it fails.
func (w *world) play(program talks.Program, by time.Time) error {
	if w.Env().Unscripted != "" {
		return &steps.Unprovable{Reason: w.Env().Unscripted}
	}
	t := w.Session().Target()
	result, err := talks.Play(w.Session().Context(), t, program, talks.Options{By: by, Ids: w.played.ids, Judge: w.Env().Judge})
	switch {
	case err != nil:
		return err
	case result.Busy:
		return &steps.Unprovable{Reason: "the server refused requests because of its load or their rate"}
	}
	for id, n := range result.Ledger {
		w.played.ledger[id] += n
	}
	if result.Failure == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(w.Session().Context(), longestShrinking)
	defer cancel()
	w.played.failure = talks.Shrunk(result.Failure, mostShrinking, func(shorter talks.Program) *talks.Failure {
		again, err := talks.Play(ctx, t, shorter, talks.Options{Ids: w.played.ids, Judge: w.Env().Judge})
		if err != nil {
			return nil
		}
		return again.Failure
	})
	return nil
}

// allowed says what the histories brought to light.
func (w *world) allowed() error {
	if w.played == nil {
		return steps.Faultf("no history was played")
	}
	f := w.played.failure
	if f == nil {
		w.SawOf(w.played.ledger)
		w.Saw(len(w.played.ledger))
		return nil
	}
	return &steps.Failure{Exchange: f.Exchange, Finding: record.Finding{
		Requirement: f.Requirement, Message: f.Message, Want: f.Want, Got: f.Got, Frame: -1, History: campaign.Scenario(f.Requirement, "this history is played", f.Program.String()),
	}}
}
