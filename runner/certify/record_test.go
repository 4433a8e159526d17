package certify_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// recordedRun certifies a server of the catalogue, "" for the healthy one, and
// returns its report as it comes back from its JSON.
func recordedRun(t *testing.T, suite *pack.Suite, mutant string, only ...string) *report.Report {
	t.Helper()
	return recorded(t, suite, mutant, certify.Options{Only: only})
}

func recorded(t *testing.T, suite *pack.Suite, mutant string, o certify.Options) *report.Report {
	t.Helper()
	ref := reference.New(certifytest.Options())
	url, stop, err := certifytest.Listen(ref, ref.Close)
	for _, m := range certifytest.Mutants(t) {
		if m.Name == mutant {
			stop()
			url, stop, err = m.Start()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	server, err := target.New(certifytest.Config(url), target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	o.Target, o.Seed, o.Record = server, 1, true
	result, err := certify.Run(context.Background(), suite, o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.WriteJSON(&b, result.Report); err != nil {
		t.Fatal(err)
	}
	if secret := certifytest.Config("").ControlToken; secret != "" && strings.Contains(b.String(), secret) {
		t.Error("the report holds a secret")
	}
	back, err := report.ReadJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func rejudging(suite *pack.Suite) func([]report.Exchange) (report.Judged, error) {
	return func(exchanges []report.Exchange) (report.Judged, error) {
		return certify.Rejudge(suite, nil, exchanges)
	}
}

// TestRecordedRunsAreJudgedTheSame: the judge's findings on a run are the same on its record, for every kind of exchange
// and end.
func TestRecordedRunsAreJudgedTheSame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("several runs of many chapters")
	}
	suite := certifytest.Load(t, "helix")
	for mutant, only := range map[string][]string{
		"":                              {"helix.wire.*", "helix.lifecycle.*", "helix.resume.*", "helix.status.*", "helix.errors.*", "helix.security.*", "helix.snapshot.*", "helix.text.*"},
		"last-frame-without-blank-line": {"helix.wire.*"}, "latin1-body": {"helix.wire.*"}, "leading-bom": {"helix.wire.*"}, "inclusive-resume": {"helix.resume.*"},
	} {
		r := recordedRun(t, suite, mutant, only...)
		out := report.Verify(r, rejudging(suite))
		for _, sc := range r.Scenarios {
			for _, e := range sc.Exchanges {
				if e.Kind == 0 || e.End == 0 {
					t.Errorf("%q: %s: %s %s has kind %q and end %q", mutant, sc.Title, e.Method, e.Path, e.Kind, e.End)
				}
			}
		}
		if len(out.Differences) > 0 || len(out.Unjudged) > 0 || out.Scenarios < 10 {
			t.Errorf("%q: %+v", mutant, out)
		}
		if broken := r.Summary.Fail+r.Summary.Warn > 0; broken != (mutant != "") {
			t.Errorf("%q: %+v", mutant, r.Summary)
		}
	}
}

// TestCampaignsAreJudgedTheSame: the counts of a campaign agree with the record, which has none of its histories.
func TestCampaignsAreJudgedTheSame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("campaigns of a whole chapter")
	}
	suite := certifytest.Load(t, "helix")
	r := recorded(t, suite, "", certify.Options{Only: []string{"helix.resume.invalid-cursor"}, Effort: campaign.Standard})
	if out := report.Verify(r, rejudging(suite)); len(out.Differences) > 0 || len(out.Unjudged) > 0 {
		t.Errorf("%+v", out)
	}
}

// TestAChangedRecordIsNoticed: a changed exchange or finding is detected.
func TestAChangedRecordIsNoticed(t *testing.T) {
	suite := certifytest.Load(t, "helix")
	run := func() *report.Report {
		return recordedRun(t, suite, "inclusive-resume", "helix.resume.after-cursor", "helix.wire.json", "helix.wire.content-type")
	}
	read := func(r *report.Report) *report.Exchange {
		for i := range r.Scenarios {
			for k := range r.Scenarios[i].Exchanges {
				if e := &r.Scenarios[i].Exchanges[k]; e.Kind == record.Read && !e.Frames.IsZero() {
					return e
				}
			}
		}
		t.Fatal("nothing was read")
		return nil
	}
	requirement := func(r *report.Report, id string) *report.Requirement {
		at := slices.IndexFunc(r.Requirements, func(q report.Requirement) bool { return q.ID == id })
		return &r.Requirements[at]
	}
	for name, change := range map[string]func(*report.Report){
		"a failure turned into a pass": func(r *report.Report) {
			q := requirement(r, "helix.resume.after-cursor")
			q.Verdict, q.Findings = report.Pass, nil
			for i := range r.Scenarios {
				r.Scenarios[i].Outcome = report.Pass
			}
			r.Count()
		},
		"a body that isn't JSON": func(r *report.Report) { read(r).Frames = report.NewBody([]byte("id: 1\ndata: {\n\n")) },
		"a body without frames":  func(r *report.Report) { read(r).Frames = report.Body{} },
		"another media type":     func(r *report.Report) { read(r).Response = []string{"content-type: text/html"} },
		"an invented finding": func(r *report.Report) {
			q := requirement(r, "helix.wire.json")
			q.Findings = append(q.Findings, record.Finding{Message: "m", Scenario: r.Scenarios[0].Title, Location: r.Scenarios[0].Location})
			q.Verdict = report.Fail
			r.Count()
		},
	} {
		r := run()
		if out := report.Verify(r, rejudging(suite)); len(out.Differences) > 0 {
			t.Fatalf("before: %+v", out.Differences)
		}
		change(r)
		if out := report.Verify(r, rejudging(suite)); len(out.Differences) == 0 {
			t.Errorf("%s is not noticed", name)
		}
	}
	r := run()
	read(r).Altered = true
	if out := report.Verify(r, rejudging(suite)); len(out.Unjudged) != 1 || !strings.Contains(out.Unjudged[0], "redacted") {
		t.Errorf("%+v", out)
	}
}
