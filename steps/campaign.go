package steps

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/record"
)

const (
	// mostShrinking limits how often a program is played again to make it shorter, and longestShrinking the time for it.
	mostShrinking    = 200
	longestShrinking = 8 * time.Second
)

// Histories is the combined result of the programs of a campaign that a scenario played.
type Histories struct {
	occasionCounts map[string]int // by requirement, of all programs
	failure        *Failure       // of the first program that broke a rule
	advice         *Failure       // of the first that broke one which is only recommended, and ended nothing
	unable         error          // why the first incomplete program ended early
}

// Played is the result of playing one program.
type Played struct {
	OccasionCounts map[string]int // number of checks by requirement
	Busy           bool           // the server refused requests because of its load or their rate
	Failure        *Failure       // nil if the server did nothing wrong
	Advice         *Failure       // the first deviation from a recommendation, nil for none
}

// DrawHistories plays the programs of a subject, by their numbers, until one finds a violation, or the time is over that
// the effort of the run allows. programs is their number at standard effort, and longest the approximate time for them with
// a distant server. by is the time after which a program begins no operation.
func DrawHistories(w *World, about string, programs int, longest time.Duration, play func(number int, by time.Time) (Played, error)) (*Histories, error) {
	effort := w.Env().Effort
	if !effort.Plays() { // requested explicitly
		effort = campaign.Standard
	}
	h := &Histories{occasionCounts: map[string]int{}}
	by := time.Now().Add(time.Duration(effort.Of(1)) * longest)
	all := effort.Of(programs)
	for n := range all {
		if err := h.add(w, func() (Played, error) { return play(n, by) }); err != nil || h.failure != nil {
			return h, err
		}
		if time.Now().After(by) { // the server is far away, or the machine is busy: this program may have lost its end, too
			w.RecordUnplayed(about, n, all)
			return h, nil
		}
	}
	return h, nil
}

// PlayHistory plays one program.
func PlayHistory(w *World, play func() (Played, error)) (*Histories, error) {
	h := &Histories{occasionCounts: map[string]int{}}
	return h, h.add(w, play)
}

func (h *Histories) add(w *World, play func() (Played, error)) error {
	if why := w.Env().Unscripted; why != "" {
		return &Unprovable{Reason: why}
	}
	played, err := Played{}, error(nil)
	work := func() { played, err = play() }
	if session := w.Session(); session != nil { // a program has sessions of its own, each with the time of a scenario
		session.Lend(work)
	} else {
		work()
	}
	switch unable := (*campaign.UnableError)(nil); {
	case errors.As(err, &unable):
		if h.unable == nil {
			h.unable = unable
		}
		return nil
	case err != nil:
		return err
	case played.Busy:
		return &Unprovable{Reason: "the server refused requests because of its load or their rate"}
	}
	for id, n := range played.OccasionCounts {
		h.occasionCounts[id] += n
	}
	if h.failure = played.Failure; h.advice == nil {
		h.advice = played.Advice
	}
	return nil
}

// Shrunk returns the failure of a program with the shortest program that fails in the same way, as a scenario that plays it
// by step; nil for a nil failure. shrunk is the function of the pack's campaign, and again plays a program. The program
// isn't shortened if the run excludes that.
func Shrunk[P fmt.Stringer](w *World, f *campaign.Failure[P], step string, shrunk func(*campaign.Failure[P], int, func(P) *campaign.Failure[P]) *campaign.Failure[P],
	again func(context.Context, P) (*campaign.Failure[P], error)) *Failure {
	if f == nil {
		return nil
	}
	if !w.Env().Unshrunk {
		ctx, stop := context.WithTimeout(w.Session().Context(), longestShrinking)
		defer stop()
		f = shrunk(f, mostShrinking, func(shorter P) *campaign.Failure[P] {
			found, err := again(ctx, shorter)
			if err != nil {
				return nil
			}
			return found
		})
	}
	f = campaign.Attributed(f, func(other P) *campaign.Failure[P] {
		found, err := again(w.Session().Context(), other)
		if err != nil {
			return f // the result is unknown
		}
		return found
	})
	return &Failure{Exchange: f.Exchange, Finding: record.Finding{
		Requirement: f.Requirement, Message: f.Message, Want: f.Want, Got: f.Got, Frame: -1, History: campaign.Scenario(f.Requirement, step, f.Program.String()),
	}}
}

// Allowed returns the first failure of the histories, nil if none was played or found one.
func (h *Histories) Allowed(w *World) error {
	switch {
	case h == nil:
		return Faultf("no history was played")
	case h.failure != nil:
		return h.failure
	case h.unable != nil:
		return &Unprovable{Reason: "not every history could be played: " + h.unable.Error()}
	case h.advice != nil:
		return h.advice
	}
	w.SawOf(h.occasionCounts)
	w.Saw(len(h.occasionCounts))
	return nil
}
