package helix

import (
	"context"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/campaign"
	streams "github.com/streamcert/streamcert/runner/campaign/helix"
	model "github.com/streamcert/streamcert/runner/model/helix"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
)

// histories are what came of the programs that a scenario played.
type histories struct {
	ledger  model.Ledger
	failure *streams.Failure // the first, shrunk
}

func campaignSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.When, `^histories of (`+strings.Join(streams.Subjects(), "|")+`) are drawn and played$`, (*world).drawHistories)
	steps.Doc1(v, features.When, `^this history(?: of runs)? is played$`, func(w *world, text string) error {
		program, err := streams.Parse(text)
		if err != nil {
			return steps.Faultf("%v", err)
		}
		w.played = &histories{ledger: model.Ledger{}}
		return w.play(program, time.Time{})
	})
	steps.Step0(v, features.Then, `^nothing was received that the spec rules out$`, (*world).allowed)
}

const (
	// mostShrinking is how often a program is played again to make it shorter.
	mostShrinking = 200
	// longestShrinking bounds the time that it takes.
	longestShrinking = 4 * time.Second
	// longestHistories bounds the time that the programs of one subject take at standard effort. Where the server is near
	// they take a fraction of it.
	longestHistories = 20 * time.Second
)

// drawHistories plays programs until one finds something, or the time is over that the effort of the run allows.
func (w *world) drawHistories(about string) error {
	w.played = &histories{ledger: model.Ledger{}}
	effort := w.Env().Effort
	if !effort.Plays() { // somebody asks for it all the same
		effort = campaign.Standard
	}
	by := time.Now().Add(time.Duration(effort.Of(1)) * longestHistories)
	all := effort.Of(streams.Programs(about))
	for n := range all {
		if time.Now().After(by) { // the server is far away, or the machine is busy
			w.CutShort(about, n, all)
			return nil
		}
		program := streams.Draw(w.Env().Seed, n, about, w.Session().Target().Claims)
		if err := w.play(program, by); err != nil || w.played.failure != nil {
			return err
		}
	}
	return nil
}

// play plays a program and looks for a shorter one if it fails.
func (w *world) play(program streams.Program, by time.Time) error {
	t := w.Session().Target()
	options := streams.Options{By: by, Judge: func(e *record.Exchange) []record.Finding {
		findings, _ := w.Env().Judge(e)
		return findings
	}}
	result, err := streams.Play(w.Session().Context(), t, program, options)
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
		w.Proved("events of a stream", result.Proven.Events)
		w.Proved("bytes of a chunk", result.Proven.Bytes)
		w.Proved("readers of a stream", result.Proven.Readers)
		return nil
	}
	ctx, cancel := context.WithTimeout(w.Session().Context(), longestShrinking)
	defer cancel()
	w.played.failure = streams.Shrunk(result.Failure, mostShrinking, func(shorter streams.Program) *streams.Failure {
		again, err := streams.Play(ctx, t, shorter, streams.Options{Judge: options.Judge})
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
		Requirement: f.Requirement, Message: f.Message, Want: f.Want, Got: f.Got, Frame: -1, History: campaign.Scenario(f.Requirement, f.Program.Step(), f.Program.String()),
	}}
}
