package prove_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/reference"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/prove/killreport"
	"github.com/streamcert/streamcert/schemas"
)

// TestAllRunsEverything: with All a mutant is seen through the eyes of other
// requirements too, and the first kill stops nothing.
func TestAllRunsEverything(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs of every scenario")
	}
	o := prove.MutantOptions{
		Config: certifytest.Config(""), Only: []string{"sends-end-twice"},
		Healthy: func() (string, func(), error) {
			ref := reference.New(certifytest.Options())
			return certifytest.Listen(ref, ref.Close)
		},
	}
	suite := *certifytest.Load(t, "helix")
	suite.Scenarios = slices.DeleteFunc(slices.Clone(suite.Scenarios), func(sc features.Scenario) bool {
		return !strings.HasPrefix(sc.Requirement, "helix.lifecycle.") && !strings.HasPrefix(sc.Requirement, "helix.resume.")
	})
	catalogue, requests := counted(t, o.Only[0])
	first, err := prove.Mutants(context.Background(), &suite, catalogue, o)
	if err != nil {
		t.Fatal(err)
	}
	some := requests.Swap(0)
	o.All = true
	all, err := prove.Mutants(context.Background(), &suite, catalogue, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*killreport.Report{first, all} {
		validMutants(t, r)
		if !r.OK() || r.All != (r == all) || r.Generated.Total != 0 {
			b, _ := json.Marshal(r)
			t.Errorf("got %s", b)
		}
	}
	// The two runs differ in how much of the suite they took, which shows in nothing else where a mutant breaks no more
	// than it says.
	if everything := requests.Load(); some == 0 || everything <= 2*some {
		t.Errorf("everything took %d requests, its own scenarios %d", everything, some)
	}
}

// validMutants checks a report against its schema.
func validMutants(t *testing.T, r *killreport.Report) {
	t.Helper()
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, f := range kit.Document("mutants", schemas.Strict, b.Bytes()).Findings {
		t.Errorf("the report isn't valid: %+v", f)
	}
}

// counted returns the mutant of a name, whose server counts its requests.
func counted(t *testing.T, name string) ([]prove.Mutant, *atomic.Int64) {
	t.Helper()
	all, requests := certifytest.Mutants(t), new(atomic.Int64)
	catalogue := mutant.Catalogue()
	m := catalogue[slices.IndexFunc(catalogue, func(m mutant.Mutant) bool { return m.Name == name })]
	all[slices.IndexFunc(all, func(m prove.Mutant) bool { return m.Name == name })].Start = func() (string, func(), error) {
		h := mutant.Handler(m, certifytest.Options())
		return certifytest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			h.ServeHTTP(w, r)
		}), h.Close)
	}
	return all, requests
}

// TestSurvivorsAreMetAgain: a fault that shows only when the server was quick enough is found out at a later try.
func TestSurvivorsAreMetAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs of every scenario")
	}
	healthy := func() (string, func(), error) {
		ref := reference.New(certifytest.Options())
		return certifytest.Listen(ref, ref.Close)
	}
	all, met := certifytest.Mutants(t), 0
	name := "html-content-type"
	m := &all[slices.IndexFunc(all, func(m prove.Mutant) bool { return m.Name == name })]
	for _, late := range []int{2, 4} {
		start := m.Start
		met = 0
		m.Start = func() (string, func(), error) {
			if met++; met < late {
				return healthy()
			}
			return start()
		}
		rep, err := prove.Mutants(context.Background(), certifytest.Load(t, "helix"), all, prove.MutantOptions{
			Config: certifytest.Config(""), Only: []string{name}, Healthy: healthy,
		})
		m.Start = start
		if err != nil {
			t.Fatal(err)
		}
		if want := min(late, 3); rep.Results[0].Tries != want || rep.OK() != (late <= 3) {
			t.Errorf("at fault from the start %d on: %+v", late, rep.Results[0])
		}
	}
}
