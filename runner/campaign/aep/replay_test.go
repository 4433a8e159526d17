package aep_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	reference "github.com/streamcert/streamcert/reference/aep"
	campaign "github.com/streamcert/streamcert/runner/campaign/aep"
	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	"github.com/streamcert/streamcert/runner/target"
)

// generated matches the ids of requests, threads, messages and actions, which differ between two servers, and parts of them.
var generated = regexp.MustCompile(`(?i)\b[a-z]+-[0-9a-f]{6,32}\b`)

// numbered matches the names that [campaigntest.Requests] gives them.
var numbered = regexp.MustCompile(`#\d+`)

// replayed plays a program against a new reference server and returns its requests, sorted: some are made while others are.
func replayed(t *testing.T, p campaign.Program) []string {
	t.Helper()
	ref := reference.New(reference.Options{Heartbeat: -1, MaxBody: 64 << 20})
	defer ref.Close()
	all := campaigntest.Requests(t, ref, generated, func(*http.Request, string) bool { return true }, func(tg *target.Target) {
		result, err := campaign.Play(context.Background(), tg, p, campaign.Options{})
		if err != nil || result.Failure != nil {
			t.Fatalf("%v, %v\n%v", err, result.Failure, p)
		}
	})
	for i, text := range all {
		all[i] = numbered.ReplaceAllString(text, "#")
	}
	slices.Sort(all)
	return all
}

// TestReplay: a program that is printed and parsed sends the same requests as the drawn one. One that is parsed wrongly differs
// whenever it is played.
func TestReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred programs")
	}
	all := slices.DeleteFunc(campaign.Subjects(), campaign.Kills)
	for seed := range 50 {
		about := all[seed%len(all)]
		p := campaign.Draw(int64(seed), seed/len(all)%campaign.Programs(about), about, func(c string) bool {
			return !slices.Contains([]string{"auth", "durable", "replicas", "limits", "model only"}, c)
		})
		again, err := campaign.Parse(p.String())
		if err != nil {
			t.Fatal(err)
		}
		diff := cmp.Diff(replayed(t, p), replayed(t, again))
		for tries := 1; diff != "" && tries < 5; tries++ { // which of two requests at once ends first is a matter of time
			diff = cmp.Diff(replayed(t, p), replayed(t, again))
		}
		if diff != "" {
			t.Errorf("seed %d: printed and parsed, a program sends other requests:\n%.3000s", seed, diff)
		}
	}
}
