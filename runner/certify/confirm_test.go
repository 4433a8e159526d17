package certify_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/record"
)

// crowded returns a server that fails requests for StreamInfo while streams are read.
func crowded(h http.Handler) http.Handler {
	var open atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case isRead(r):
			open.Add(1)
			defer open.Add(-1)
		case r.Method == http.MethodGet && open.Load() > 3:
			http.Error(w, "too many readers", http.StatusInternalServerError)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// withoutInfo returns a server without StreamInfo.
func withoutInfo(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && !isRead(r) && !strings.HasSuffix(r.URL.Path, "/snapshot") {
			http.Error(w, "not today", http.StatusInternalServerError)
			return
		}
		h.ServeHTTP(w, r)
	})
}

var only = regexp.MustCompile(`--only (\S+)`)

const rerunAs = "streamcert certify --seed 3 --only %s"

func TestFindingsSayWhetherTheyFailAlone(t *testing.T) {
	rep := run(t, certify.Options{Target: started(t, withoutInfo, nil), Seed: 3, Only: []string{"status.*"}, Confirm: 5, Rerun: rerunAs})
	const untried = record.AloneUntried + "the first 5 findings were"
	alone, all := 0, 0
	for _, q := range rep.Requirements {
		for _, f := range q.Findings {
			want := "streamcert certify --seed 3 --only " + f.Location
			if f.Alone == untried && slices.Contains(q.Scenarios, f.Location) {
				want = "streamcert certify --seed 3 --only " + q.ID
			}
			if f.Alone != record.AloneFails && f.Alone != untried || f.Rerun != want {
				t.Errorf("%s: %q, %s", q.ID, f.Alone, f.Rerun)
			}
			if all++; f.Alone == record.AloneFails {
				alone++
			}
		}
	}
	if alone == 0 || alone > 5 || all <= 5 {
		t.Errorf("of %d findings it is said whether they fail alone, of %d", alone, all)
	}
	for _, q := range run(t, certify.Options{Target: started(t, withoutInfo, nil), Seed: 3, Only: []string{"status.info-*"}, Rerun: rerunAs}).Requirements {
		for _, f := range q.Findings {
			if f.Alone != "" {
				t.Errorf("%s was run again, which nobody asked for", f.Scenario)
			}
		}
	}
}

func TestFindingsNameTheirNeighbours(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many confirmations")
	}
	crowd := []string{"status.*", "resume.*", "lifecycle.*"}
	rep := run(t, certify.Options{Target: started(t, crowded, nil), Seed: 3, Only: crowd, Concurrency: 16, Confirm: 20, Rerun: rerunAs})
	seen, fails := 0, false
	for _, q := range rep.Requirements {
		for _, f := range q.Findings {
			if !strings.HasPrefix(f.Alone, record.NeedsNeighbours) {
				continue
			}
			seen++
			if !strings.Contains(f.Alone, "passes alone") || !strings.Contains(f.Rerun, "--concurrency 16") {
				t.Errorf("%s: %s\n%s", q.ID, f.Alone, f.Rerun)
			}
			if fails || seen > 3 {
				continue
			}
			var ids []string
			for _, m := range only.FindAllStringSubmatch(f.Rerun, -1) {
				ids = append(ids, strings.Trim(m[1], "'"))
			}
			again := run(t, certify.Options{Target: started(t, crowded, nil), Seed: 3, Only: ids, Concurrency: 16})
			fails = again.Summary.Fail > 0
		}
	}
	if seen == 0 {
		t.Errorf("nothing needs its neighbours: %+v", rep.Summary)
	}
	if !fails {
		t.Errorf("none of the first rerun lines reproduces anything")
	}
}
