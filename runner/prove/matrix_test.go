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

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/reference"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/prove/generated"
	"github.com/streamcert/streamcert/schemas"
)

// fates are results of every kind, made up.
func fates() *prove.MutantReport {
	r := &prove.MutantReport{
		Mutants: 3, Killed: 1, KilledByOther: 1, Survived: []string{"deaf"}, All: true,
		Notes: []string{"loud breaks helix.wire.utf8 too, which its catalogue doesn't say"},
		Results: []prove.MutantResult{
			{
				Name: "loud", Requirement: "helix.wire.json", Summary: "It shouts <b>.", Stateful: true, Outcome: prove.Killed,
				Tries: 2, Also: []string{"helix.wire.no-bom", "helix.http.get"}, By: []string{"helix.http.get", "helix.wire.json", "helix.wire.utf8"},
			},
			{
				Name: "deaf", Requirement: "helix.http.get", Summary: "It hears nothing.", Outcome: prove.Survived, Also: []string{}, By: []string{},
				Unproven: []string{"A reader: unprovable: it was late"}, Tries: 3,
			},
			{Name: "mute", Requirement: "helix.chunks.step", Summary: "It says nothing.", Outcome: prove.KilledByOther, Tries: 1, Also: []string{}, By: []string{"helix.wire.json"}},
		},
		Generated: generated.Report{
			Total: 2, Killed: 1, Survived: []generated.Survivor{{Name: "a change"}},
			Excluded: []generated.Exclusion{{Rule: "comment", Reason: "may be there", Freedom: "helix.wire.reader-comments", Count: 7}},
		},
	}
	r.Requirements.Testable, r.Requirements.Killed, r.Requirements.Without = 3, 1, []string{"helix.http.get", "helix.chunks.step"}
	return r
}

func TestMatrix(t *testing.T) {
	var page bytes.Buffer
	if err := prove.WriteMatrix(&page, certifytest.Load(t, "helix"), fates()); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, want := range []string{
		`<td class="own first" title="loud × helix.wire.json: killed, by the requirement that it breaks">●`,
		`title="loud × helix.http.get: broken by necessity">○`,
		`title="loud × helix.wire.no-bom: held, though it was expected to break too">·`,
		`title="loud × helix.wire.utf8: broken, which nobody expected">△`,
		`title="deaf × helix.http.get: survived the requirement that it breaks">✕`,
		`title="mute × helix.wire.json: broken, which nobody expected">△`,
		`It shouts &lt;b&gt;. Breaks helix.wire.json.`, `2 marks are ones`, `Without a kill: <code>helix.chunks.step</code>`,
		`a change</td><td class="missed">nobody has said`, `<code>helix.wire.reader-comments</code>`, `prefers-color-scheme: dark`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "<script") || strings.Contains(text, "http") && strings.Contains(text, "://") {
		t.Error("the page isn't self-contained")
	}
	if strings.Index(text, ">mute<") > strings.Index(text, ">loud<") {
		t.Error("the rows aren't in the order of the columns")
	}
}

func TestUnexpected(t *testing.T) {
	r := fates()
	if diff := cmp.Diff([]string{"helix.wire.utf8"}, r.Results[0].Unexpected()); diff != "" {
		t.Error(diff)
	}
	if got := r.Results[1].Unexpected(); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

// validMutants checks a report against its schema.
func validMutants(t *testing.T, r *prove.MutantReport) {
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

func TestMutantReportIsValid(t *testing.T) { validMutants(t, fates()) }

func TestConsoleOfMutants(t *testing.T) {
	var b strings.Builder
	if err := fates().WriteConsole(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"survived: deaf\n", "not proven: A reader: unprovable: it was late\n", "killed at try 2: loud\n", "killed by another: mute\n", "note: loud breaks helix.wire.utf8 too", "survived: a change\n",
		"2 generated mutants: 1 killed (50.00 %), 1 survived, 0 of them for a reason; 7 changes excluded by 1 rules\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the console lacks %q:\n%s", want, b.String())
		}
	}
	if fates().OK() {
		t.Error("a report with survivors is fine")
	}
}

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
	for _, r := range []*prove.MutantReport{first, all} {
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

// counted is the mutant of a name, whose server counts its requests.
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
