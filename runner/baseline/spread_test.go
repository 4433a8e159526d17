package baseline_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/baseline"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// drawn returns a report of one run: requirements by id, each with the locations where it was found broken.
func drawn(seed int64, verdicts map[string]report.Verdict, locations map[string][]string) *report.Report {
	r := run(false, verdicts)
	r.Suite.Seed, r.Suite.Effort = seed, "standard"
	for i := range r.Requirements {
		q := &r.Requirements[i]
		q.Chapter = strings.Split(q.ID, ".")[1]
		for _, p := range locations[q.ID] {
			q.Findings = append(q.Findings, record.Finding{Message: "x", Location: p, Scenario: "s"})
		}
	}
	r.Classes = []report.Class{{Name: "C", Missing: []report.Missing{{ID: b, Verdict: verdicts[b]}}}}
	r.Count()
	return r
}

const (
	played   = "features/helix/campaigns/runs.feature:18"
	other    = "features/helix/campaigns/runs.feature:22"
	location = "features/helix/resume/cursor.feature:7"
)

func TestSpread(t *testing.T) {
	known := read(t, a+": {reason: x}\n")
	for name, c := range map[string]struct {
		verdicts map[string]report.Verdict
		places   map[string][]string
		want     report.Verdict
		id       string
	}{
		"same chapter":          {map[string]report.Verdict{a: report.Known, b: report.Fail}, map[string][]string{a: {location}, b: {played}}, report.Known, b},
		"a scenario found it":   {map[string]report.Verdict{a: report.Known, b: report.Fail}, map[string][]string{a: {location}, b: {played, location}}, report.Fail, b},
		"the known one passes":  {map[string]report.Verdict{a: report.Pass, b: report.Fail}, map[string][]string{b: {played}}, report.Fail, b},
		"elsewhere, same rows":  {map[string]report.Verdict{a: report.Known, d: report.Fail}, map[string][]string{a: {played}, d: {played}}, report.Known, d},
		"elsewhere, other rows": {map[string]report.Verdict{a: report.Known, d: report.Fail}, map[string][]string{a: {played}, d: {played, other}}, report.Fail, d},
	} {
		r := drawn(1, c.verdicts, c.places)
		notices := known.Spread(r)
		var got report.Verdict
		for _, q := range r.Requirements {
			if q.ID == c.id {
				got = q.Verdict
			}
		}
		if got != c.want || (len(notices) == 1) != (c.want == report.Known) {
			t.Errorf("%s: %s, want %s; notices %q", name, got, c.want, notices)
		}
		if c.want == report.Known && (r.Summary.Fail > 0 || c.id == b && r.Classes[0].Missing[0].Verdict != report.Known) {
			t.Errorf("%s: %+v, %+v", name, r.Summary, r.Classes)
		}
	}
	var none *baseline.Baseline
	if got := none.Spread(drawn(1, map[string]report.Verdict{a: report.Fail}, nil)); got != nil {
		t.Errorf("without a baseline: %q", got)
	}
}

// TestSpreadIsBounded: with the draw of the file, a campaign that wasn't broken then has met something new.
func TestSpreadIsBounded(t *testing.T) {
	known := read(t, "run: {seed: 1, effort: standard, broken: ['"+played+"']}\n"+a+": {reason: x}\n"+d+": {reason: y, found: campaigns}\n")
	for name, c := range map[string]struct {
		seed  int64
		place string
		want  report.Verdict
	}{
		"another campaign":         {1, other, report.Fail},
		"the one that was broken":  {1, played, report.Known},
		"another, of another seed": {2, other, report.Known},
	} {
		r := drawn(c.seed, map[string]report.Verdict{a: report.Known, b: report.Fail}, map[string][]string{a: {location}, b: {c.place}})
		known.Spread(r)
		for _, q := range r.Requirements {
			if q.ID == b && q.Verdict != c.want {
				t.Errorf("%s: %s, want %s", name, q.Verdict, c.want)
			}
		}
	}
}

// TestDrawsAreStored: the file contains the draw of its run, and requirements that only campaigns broke pass with another
// draw without a problem.
func TestDrawsAreStored(t *testing.T) {
	fails := map[string]report.Verdict{a: report.Fail, b: report.Fail}
	first := drawn(7, fails, map[string][]string{a: {location}, b: {played}})
	var none *baseline.Baseline
	written := none.Merge(book(t), first)
	for id, e := range written.Entries {
		e.Reason = "x"
		written.Entries[id] = e
	}
	var text bytes.Buffer
	if err := written.Write(&text, book(t)); err != nil {
		t.Fatal(err)
	}
	back := read(t, text.String())
	if want := (&baseline.Draw{Seed: 7, Effort: "standard", Broken: []string{played}}); !reflect.DeepEqual(back.Run, want) || !back.Entries[b].Campaigns || back.Entries[a].Campaigns {
		t.Fatalf("%+v of\n%s", back, text.String())
	}
	passes := map[string]report.Verdict{a: report.Known, b: report.Pass}
	for seed, stays := range map[int64]bool{7: false, 8: true} {
		r := drawn(seed, passes, map[string][]string{a: {location}})
		notices := back.Notices(r)
		if len(back.Problems(book(t), r)) > 0 || len(notices) != 1 || !strings.Contains(notices[0], "campaigns broke it with seed 7 and effort standard") {
			t.Errorf("seed %d: %q, %q", seed, back.Problems(book(t), r), notices)
		}
		if _, there := back.Merge(book(t), r).Entries[b]; there != stays {
			t.Errorf("seed %d: the entry stays: %v", seed, there)
		}
	}
	if next := back.Merge(book(t), drawn(8, map[string]report.Verdict{a: report.Known}, nil)); next.Run.Seed != 7 {
		t.Errorf("a run of a selection changed the draw to %+v", next.Run)
	}
	if next := back.Merge(book(t), drawn(8, fails, map[string][]string{a: {location}, b: {location}})); next.Run.Seed != 8 || next.Entries[b].Campaigns {
		t.Errorf("%+v %+v", next.Run, next.Entries)
	}
}

func TestDrawsThatCantBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"run: 7\n":                             "b.yaml:1: run must have `seed` and `effort` below it",
		"run:\n  broken: x\n":                  "b.yaml:2: run: broken must be a list of places",
		"run:\n  seed: x\n":                    `b.yaml:2: run: seed must be a whole number, got "x"`,
		"run:\n  sead: 1\n":                    "b.yaml:2: run: unknown key `sead`; expected seed, effort or broken",
		a + ":\n  found: luck\n  reason: x\n":  fmt.Sprintf("b.yaml:2: %s: found must be campaigns, or left out", a),
		a + ":\n  found: [campaigns]\n":        fmt.Sprintf("b.yaml:2: %s: found must be campaigns, or left out", a),
		"run: {seed: 1}\nrun: {seed: 2}\n":     "b.yaml: ",
		"run:\n  seed: 99999999999999999999\n": "b.yaml:2: run: seed must be a whole number",
	} {
		if _, err := baseline.Read("b.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) && !strings.HasPrefix(err.Error(), "b.yaml:2: the file is not YAML") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
