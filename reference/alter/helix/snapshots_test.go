package helix_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// TestSnapshots: the sequences of a snapshot of two chunks, without partial content and with it.
func TestSnapshots(t *testing.T) {
	cut := on.SnapshotBoundary(func(log *store.Log) { log.Events, log.LatestSequence = log.Events[:1], 1 })
	for _, c := range []struct {
		name, want string
		do         on.Apply
		ends       bool
	}{
		{"as it is", "2 2", on.Snapshot(func(*helix.Snapshot) {}), false},
		{"changed", "7 7", on.Snapshot(func(s *helix.Snapshot) { s.StreamSequence = 7 }), false},
		{"answered", "0 2", on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
			if !r.Partial {
				return helix.Snapshot{}, nil
			}
			return take(ctx, true)
		}), false},
		{"cut", "1 2", cut, false},
		{"cut, of what is over", "2 2", cut, true},
	} {
		s, ctx := new(store.Memory), context.Background()
		writer, err := s.OpenWriter(ctx, "s")
		if err == nil {
			_, err = s.Append(ctx, "s", writer, []store.Chunk{
				{JSON: []byte(`{"type":"checkpoint_created","agentId":"a"}`)}, {JSON: []byte(`{"type":"step_committed","agentId":"a"}`)}})
		}
		if err == nil && c.ends {
			err = s.End(ctx, "s", nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		server := reference.New(c.do(reference.Defaults(reference.Options{Store: s})))
		taken := func(query string) string {
			w := httptest.NewRecorder()
			server.ServeHTTP(w, httptest.NewRequest("GET", "/streams/s/snapshot"+query, nil))
			return string(alter.Members(w.Body.Bytes())["streamSequence"])
		}
		if got := fmt.Sprint(taken(""), " ", taken("?includePartialContent=true")); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		server.Close()
	}
}
