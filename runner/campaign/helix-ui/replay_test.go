package helixui_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	reference "github.com/streamcert/streamcert/reference/helix-ui"
	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	campaign "github.com/streamcert/streamcert/runner/campaign/helix-ui"
	"github.com/streamcert/streamcert/runner/target"
)

// generated matches the ids of messages, calls and parts, which differ between two servers.
var generated = regexp.MustCompile(`(?i)\b[a-z]+[-_][0-9a-f]{6,32}\b`)

// replayed plays a program against a new reference server and returns its requests in their order, without those for streams:
// the agent goes on while the last of some readers attaches. A request that is made again at once counts once: the player
// waits so until a server has stored something. Those of a program with concurrent turns are sorted.
func replayed(t *testing.T, p campaign.Program) []string {
	t.Helper()
	ref := reference.New(reference.Options{})
	defer ref.Close()
	all := campaigntest.Requests(t, ref, generated, func(r *http.Request, _ string) bool { return !strings.HasSuffix(r.URL.Path, "/stream") }, func(tg *target.Target) {
		result, err := campaign.Play(context.Background(), tg, p, options(t))
		if err != nil || result.Failure != nil {
			t.Fatalf("%v, %v\n%v", err, result.Failure, p)
		}
	})
	if strings.Contains(p.String(), "beside it") {
		slices.Sort(all)
	}
	return slices.Compact(all)
}

// TestReplay: a program that is printed and parsed sends the same requests in the same order as the drawn one.
func TestReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred programs")
	}
	all := campaign.Subjects()
	for seed := range 50 {
		about := all[seed%len(all)]
		p := campaign.Draw(int64(seed), seed/len(all)%campaign.Programs(about), about, func(capability string) bool {
			return capability != "auth" && capability != "model"
		})
		again, err := campaign.Parse(p.String())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(replayed(t, p), replayed(t, again)); diff != "" {
			t.Errorf("seed %d: printed and parsed, a program sends other requests:\n%.3000s", seed, diff)
		}
	}
}
