package helix

import (
	"context"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps/helix/world"

	"github.com/streamcert/streamcert/runner/campaign/helix/draw"
	"github.com/streamcert/streamcert/runner/campaign/helix/play"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
)

func campaignSteps(v *steps.Sentences[*world.World]) {
	steps.Step1(v, features.When, `^histories of (`+strings.Join(draw.Subjects(), "|")+`) are drawn and played$`, drawHistories)
	steps.Doc1(v, features.When, `^this history(?: of runs)? is played$`, func(w *world.World, text string) error {
		history, err := program.Parse(text)
		if err != nil {
			return steps.Faultf("%v", err)
		}
		played, err := steps.PlayHistory(w.World, func() (steps.Played, error) { return playHistory(w, history, time.Time{}) })
		world.Put(w, played)
		return err
	})
	steps.Step0(v, features.Then, `^nothing was received that the spec rules out$`, func(w *world.World) error { return world.Get[*steps.Histories](w).Allowed(w.World) })
}

const (
	// longestHistories bounds the time that the programs of one subject take at standard effort. A server nearby needs
	// a fraction of it.
	longestHistories = 60 * time.Second
	// longestCrashing bounds the time of a subject that kills the server, which runs alone. A process takes a second to
	// start on a busy machine, and a program has a dozen kills.
	longestCrashing = 30 * time.Second
)

func drawHistories(w *world.World, about string) error {
	longest := longestHistories
	if draw.Kills(about) {
		longest = longestCrashing
	}
	t := w.Session().Target()
	claims := func(capability string) bool {
		return t.Claims(capability) && (capability != "replicas" || t.IsReplicated() == nil)
	}
	played, err := steps.DrawHistories(w.World, about, draw.Programs(about), longest, func(n int, by time.Time) (steps.Played, error) {
		return playHistory(w, draw.Draw(w.Env().Seed, n, about, claims), by)
	})
	world.Put(w, played)
	return err
}

// playHistory plays a program and shrinks it if it fails.
func playHistory(w *world.World, history program.Program, by time.Time) (steps.Played, error) {
	t := w.Session().Target()
	if err := t.MayBeKilled(); history.Kills() && err != nil {
		return steps.Played{}, &steps.Unprovable{Reason: err.Error()}
	}
	judge := func(e *record.Exchange) []record.Finding {
		findings, _ := w.Env().Judge(e)
		return findings
	}
	result, err := play.Play(w.Session().Context(), t, history, play.Options{By: by, Judge: judge})
	played := steps.Played{OccasionCounts: result.Ledger, Busy: result.Busy}
	if err != nil || result.Busy {
		return played, err
	}
	if result.Failure == nil {
		w.Proved("events of a stream", result.Proven.Events)
		w.Proved("bytes of a chunk", result.Proven.Bytes)
		w.Proved("readers of a stream", result.Proven.Readers)
	}
	played.Failure = steps.Shrunk(w.World, result.Failure, history.Step(), draw.Shrunk, func(ctx context.Context, shorter program.Program) (*program.Failure, error) {
		found, err := play.Play(ctx, t, shorter, play.Options{Judge: judge})
		return found.Failure, err
	})
	return played, nil
}
