package certify_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// TestPersistentSubAgents: a sub-agent that is at work when the stream ends, or that is started again, fails a server, and only
// warns one that declares persistent ones.
func TestPersistentSubAgents(t *testing.T) {
	broken := map[string]string{"second-child-stays-open": "helix.subagents.ended", "siblings-share-session": "helix.subagents.unique"}
	for _, m := range certifytest.Mutants(t) {
		id, listed := broken[m.Name]
		if !listed {
			continue
		}
		delete(broken, m.Name)
		url, stop, err := m.Start()
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		for persistent, want := range map[bool]report.Verdict{false: report.Fail, true: report.Warn} {
			cfg := certifytest.Config(url)
			cfg.Sections = []any{helix.Config{Persistent: persistent}}
			server, err := target.New(cfg, target.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			got := of(t, run(t, certify.Options{Target: server, Seed: 1, Only: []string{id}}), id)
			if got.Verdict != want || got.Level != map[bool]string{false: "MUST", true: "SHOULD"}[persistent] {
				t.Errorf("%s, persistent is %v: %s, %s", id, persistent, got.Verdict, got.Level)
			}
		}
	}
	if len(broken) > 0 {
		t.Errorf("there are no such mutants: %v", broken)
	}
}

// TestStrictAdaptersProveNothing: a row whose script has a member that the adapter refuses is unprovable, and one that another
// script begins is not.
func TestStrictAdaptersProveNothing(t *testing.T) {
	t.Parallel()
	h := reference.New(certifytest.Options())
	t.Cleanup(h.Close)
	for _, status := range []int{http.StatusBadRequest, http.StatusUnprocessableEntity} {
		url := certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if strings.HasSuffix(r.URL.Path, "/runs") && bytes.Contains(body, []byte(`"last":true`)) {
				http.Error(w, `{"error":"unknown member"}`, status)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			h.ServeHTTP(w, r)
		}))
		server, err := target.New(certifytest.Config(url), target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		refused := 0
		for _, row := range run(t, certify.Options{Target: server, Seed: 1, Effort: campaign.Quick, Only: []string{"helix.errors.recoverable"}}).Scenarios {
			if row.Outcome == report.Unprovable && strings.Contains(row.Reason, "the member last") {
				refused++
			} else if row.Outcome != report.Pass {
				t.Errorf("%d: %s %s: %s", status, row.Title, row.Outcome, row.Reason)
			}
		}
		if refused != 1 {
			t.Errorf("%d: %d rows are unprovable for the member", status, refused)
		}
	}
}
