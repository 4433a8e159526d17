package helix_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/stepstest"
)

// The setups of this file.
const (
	longString = `the writer writes a text_delta chunk whose delta is 100000 times "世"`
	unchanged  = "the client receives the chunk unchanged"
	taken      = "the snapshot says when it was taken"
)

// TestLimits: a scenario beyond a declared limit is unprovable, and one within it passes.
func TestLimits(t *testing.T) {
	attached := []string{"a stream that holds event 1", "an attached client"}
	for _, c := range []struct {
		name   string
		limits target.Limits
		body   int64 // bytes of the largest chunk that the server takes; 0: its default
		setup  []string
		want   string // part of the reason why it is unprovable, "" if it passes, "a 2xx answer" for a fault
	}{
		{"too many events", target.Limits{Events: 3}, 0, []string{"a stream that holds events 1 to 4"}, "limits.events"},
		{"as many events", target.Limits{Events: 4}, 0, []string{"a stream that holds events 1 to 4"}, ""},
		{"too many readers", target.Limits{Readers: 1}, 0, append(attached, `attached clients "A", "B"`), "limits.readers"},
		{"a shorter string", target.Limits{String: 2 << 10}, 3 << 10, append(attached, longString, unchanged), ""},
		{"a smaller chunk", target.Limits{Chunk: 2 << 10}, 3 << 10, append(attached, longString, unchanged), ""},
		{"undeclared", target.Limits{}, 3 << 10, append(attached, longString), "limits.string"},
		{"less than declared", target.Limits{String: 8 << 10}, 3 << 10, append(attached, longString), "a 2xx answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			stage := newStage(t)
			stage.Config.Limits = c.limits
			stage.Server = func(string) stepstest.Server {
				return reference.New(reference.Options{MaxBody: c.body})
			}
			err := stage.Outcome(t, "", c.setup...)
			var unprovable *steps.Unprovable
			isFault := c.want == "a 2xx answer"
			switch {
			case c.want == "":
				if err != nil {
					t.Error(err)
				}
			case err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &unprovable) == isFault:
				t.Errorf("got %v, expected %q", err, c.want)
			}
		})
	}
}

// TestClock: a server's clock may be wrong, but has to advance.
func TestClock(t *testing.T) {
	ahead := func() time.Time { return time.Now().Add(time.Hour) }
	began := time.Now()
	for _, c := range []struct {
		name  string
		now   func() time.Time
		dated bool
		right bool
	}{
		{"as the Date says", time.Now, true, true},
		{"not as the Date says", ahead, true, false},
		{"ahead, without a Date", ahead, false, true},
		{"it stands, without a Date", func() time.Time { return began }, false, false},
		{"in seconds, without a Date", func() time.Time { return time.UnixMilli(time.Now().Unix()) }, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			stage := newStage(t)
			stage.Server = func(string) stepstest.Server {
				return alter.NewServer(reference.New(reference.Options{Now: c.now}), undated(c.dated))
			}
			err := stage.Outcome(t, "", "a new stream", "a snapshot of the stream is asked for", taken)
			var failure *steps.Failure
			if c.right && err != nil || !c.right && !errors.As(err, &failure) {
				t.Error(err)
			}
		})
	}
}

// undated removes the Date header from answers, or leaves them unchanged.
func undated(dated bool) alter.Around {
	return alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) {
		w.Head = func(status int) int {
			if !dated {
				w.Header()["Date"] = nil
			}
			return status
		}
	})
}
