package steps_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// TestDrawHistories: every program is played unless time is over, and one that time may have ended isn't counted.
func TestDrawHistories(t *testing.T) {
	for name, c := range map[string]struct {
		longest time.Duration
		slow    int // the program that takes until the time is over
		played  int
		want    []steps.Unplayed
	}{
		"in time":                 {time.Hour, -1, 3, nil},
		"the second takes it all": {time.Second, 1, 2, []steps.Unplayed{{What: "streams", Played: 1, Of: 3}}},
		"the last takes it all":   {time.Second, 2, 3, []steps.Unplayed{{What: "streams", Played: 2, Of: 3}}},
	} {
		w, played := steps.NewWorld(steps.Env{Effort: campaign.Standard}, nil, ""), 0
		_, err := steps.DrawHistories(w, "streams", 3, c.longest, func(n int, by time.Time) (steps.Played, error) {
			played++
			if n == c.slow {
				time.Sleep(time.Until(by) + time.Millisecond)
			}
			return steps.Played{}, nil
		})
		if diff := cmp.Diff(c.want, w.Unplayed()); err != nil || played != c.played || diff != "" {
			t.Errorf("%s: %d programs, %v\n%s", name, played, err, diff)
		}
	}
}

// TestDrawHistoriesThatEndEarly: a program that can't be played leaves a scenario unprovable, unless another one finds a
// violation.
func TestDrawHistoriesThatEndEarly(t *testing.T) {
	unable := &campaign.UnableError{Doing: "a run was started", Answer: record.Response{Status: 409, Answer: []byte("no")}}
	found := &steps.Failure{Finding: record.Finding{Requirement: "helix.runs.refused"}}
	for _, c := range []struct {
		second *steps.Failure
		says   string
	}{{nil, `unprovable: not every history could be played: a run was started, and the answer was 409 "no"`}, {found, found.Error()}} {
		w := steps.NewWorld(steps.Env{Effort: campaign.Standard}, nil, "")
		h, err := steps.DrawHistories(w, "runs", 3, time.Hour, func(n int, _ time.Time) (steps.Played, error) {
			if n == 0 {
				return steps.Played{}, fmt.Errorf("operation 3: %w", unable)
			}
			return steps.Played{Failure: c.second, OccasionCounts: map[string]int{"a": 1}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Allowed(w); got == nil || got.Error() != c.says {
			t.Errorf("got %v, want %s", got, c.says)
		}
	}
}

// TestDrawHistoriesOfASlowServer: the time of a scenario applies to each program, and not to their sum.
func TestDrawHistoriesOfASlowServer(t *testing.T) {
	tg, err := target.New(target.Config{URL: "http://127.0.0.1:1", Timing: target.Timing{Scenario: 200 * time.Millisecond}}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	session := tg.Session(context.Background())
	defer session.Close()
	w, played := steps.NewWorld(steps.Env{Effort: campaign.Standard}, session, ""), 0
	_, err = steps.DrawHistories(w, "streams", 3, time.Hour, func(int, time.Time) (steps.Played, error) {
		played++
		time.Sleep(150 * time.Millisecond)
		return steps.Played{}, session.Context().Err()
	})
	if err != nil || played != 3 {
		t.Errorf("after %d of 3 programs: %v", played, err)
	}
}
