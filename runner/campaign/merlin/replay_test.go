package merlin_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	reference "github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	campaign "github.com/streamcert/streamcert/runner/campaign/merlin"
	"github.com/streamcert/streamcert/runner/target"
)

// generated matches nothing: a server chooses no id that a client of this pack sends.
var generated = regexp.MustCompile(`^\b$`)

// replayed plays a program against a new reference server and returns its requests in their order, or sorted where some are
// concurrent.
func replayed(t *testing.T, p campaign.Program, concurrent bool) []string {
	t.Helper()
	ref := reference.New(reference.Options{})
	defer ref.Close()
	all := campaigntest.Requests(t, ref, generated, func(*http.Request, string) bool { return true }, func(tg *target.Target) {
		result, err := campaign.Play(context.Background(), tg, p, options(t))
		if err != nil || result.Failure != nil {
			t.Fatalf("%v, %v\n%v", err, result.Failure, p)
		}
	})
	if concurrent {
		slices.Sort(all)
	}
	return all
}

// TestReplay: a program that is printed and parsed sends the same requests in the same order as the drawn one.
func TestReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred programs")
	}
	all := campaign.Subjects()
	for seed := range 50 {
		about := all[seed%len(all)]
		p := campaign.Draw(int64(seed), seed/len(all)%campaign.Programs(about), about, 1+seed/2%2, everything{})
		again, err := campaign.Parse(p.String())
		if err != nil {
			t.Fatal(err)
		}
		concurrent := about == "streams at once"
		if diff := cmp.Diff(replayed(t, p, concurrent), replayed(t, again, concurrent)); diff != "" {
			t.Errorf("seed %d: printed and parsed, a program sends other requests:\n%.3000s", seed, diff)
		}
	}
}
