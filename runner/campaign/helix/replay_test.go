package helix_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	"github.com/streamcert/streamcert/runner/campaign/helix/draw"
	"github.com/streamcert/streamcert/runner/campaign/helix/play"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/target"
)

// generated matches the ids of writers, runs, calls and checkpoints, which differ between two servers.
var generated = regexp.MustCompile(`cpv1-session-[0-9a-f]+-s\d+-t\d+-[0-9a-f]+|[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}|\b(?:w|run|call|cp|writer)[-_][0-9a-zA-Z]+`)

// replayed plays a program against a new reference server and returns its calls and requests for documents in their
// order, without the ids that servers choose: of one stream or, with "", of all. Requests for events are left out: the
// cursor of a reader depends on what it has received, and one that leaves at once may never have sent its request.
func replayed(t *testing.T, p program.Program, stream string) []string {
	t.Helper()
	ref := reference.New(reference.Options{})
	defer ref.Close()
	keep := func(r *http.Request, text string) bool {
		_, settled := r.URL.Query()["settled"] // asked for again while a run works
		return strings.Contains(text, stream) && !settled && !strings.HasSuffix(r.URL.Path, "/events")
	}
	return campaigntest.Requests(t, ref, generated, keep, func(tg *target.Target) {
		result, err := play.Play(context.Background(), tg, p, play.Options{})
		if err != nil || result.Failure != nil {
			t.Fatalf("%v, %v\n%v", err, result.Failure, p)
		}
	})
}

// replayable returns a program of a seed without operations whose requests are concurrent, or kill the server.
func replayable(seed int) program.Program {
	all := slices.DeleteFunc(draw.Subjects(), func(about string) bool { return draw.Kills(about) || draw.Programs(about) == 1 })
	about := all[seed%len(all)]
	p := draw.Draw(int64(seed), seed/len(all)%draw.Programs(about), about, func(c string) bool { return c != "replicas" })
	p.Operations = slices.DeleteFunc(p.Operations, func(o program.Operation) bool {
		return o.Kind == program.Race || o.Kind == program.ConcurrentOpen || o.Kind == program.Snapshot && o.Twice
	})
	return p
}

// TestReplay: a program that is printed and parsed sends the same requests in the same order as the drawn one, and the
// operations on one stream send the same requests without those on the others. So a pasted program is the complete
// history, and shrinking it doesn't change the remaining requests.
func TestReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred programs")
	}
	for seed := range 50 {
		p := replayable(seed)
		again, err := program.Parse(p.String())
		if err != nil {
			t.Fatal(err)
		}
		got := replayed(t, again, "")
		if diff := cmp.Diff(replayed(t, p, ""), got); diff != "" {
			t.Errorf("seed %d: printed and parsed, a program sends other requests:\n%.3000s", seed, diff)
		}
	}
}

// TestStreamsReplayAlone: the operations on one stream send the same requests without those on others.
func TestStreamsReplayAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("dozens of programs")
	}
	for seed := range 50 {
		p := replayable(seed)
		p.Operations = slices.DeleteFunc(p.Operations, func(o program.Operation) bool { // calls of other runs are among those that must be refused
			return p.Runs && o.Kind == program.MakeInvalidCalls || o.Kind == program.Neighbours
		})
		if p.Streams < 2 || p.Names != "" {
			continue
		}
		alone := p
		alone.Operations = slices.DeleteFunc(slices.Clone(p.Operations), func(o program.Operation) bool { return o.Stream != 1 })
		const second = "replay-3"
		if diff := cmp.Diff(replayed(t, p, second), replayed(t, alone, second)); diff != "" {
			t.Errorf("seed %d: without other streams a stream gets other requests:\n%.3000s", seed, diff)
		}
	}
}
