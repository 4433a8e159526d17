package report_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// padded returns a scenario of a server that pads its responses with incompressible data.
func padded(seed uint64, size int) *report.Scenario {
	noise := make([]byte, size)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	return &report.Scenario{Title: fmt.Sprint(seed), Exchanges: []report.Exchange{
		{Kind: record.Read, Method: "GET", Path: "/s", Status: 200, Response: []string{"content-type: text/event-stream"}, Frames: report.NewBody(noise)},
		{Kind: record.Document, Method: "GET", Path: "/s", Status: 200, Response: []string{"x: " + strings.Repeat("y", 60<<10)}, Answer: report.NewBody([]byte("{}"))},
	}}
}

func complete(s *report.Scenario) bool { return !s.Exchanges[0].Shortened }

func TestBudgetShortensWhatPassedFirst(t *testing.T) {
	b := report.NewBudget(16 << 20)
	var faulty, passed []*report.Scenario
	for i := range 100 {
		s := padded(uint64(i), 500<<10)
		b.Keep(s, i%10 == 0)
		if i%10 == 0 {
			faulty = append(faulty, s)
		} else {
			passed = append(passed, s)
		}
	}
	left := 0
	for _, s := range faulty {
		if !complete(s) {
			t.Errorf("scenario %s shows a fault and was shortened", s.Title)
		}
	}
	for _, s := range passed {
		if complete(s) {
			left++
		}
	}
	if left == 0 || left > 30 {
		t.Errorf("%d that passed are whole", left)
	}
	r := &report.Report{}
	for _, s := range append(faulty, passed...) {
		r.Scenarios = append(r.Scenarios, *s)
	}
	var out bytes.Buffer
	if err := report.WriteJSON(&out, r); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 18<<20 {
		t.Errorf("the report has %d bytes", out.Len())
	}
	if v := report.Verify(r, func([]report.Exchange) (report.Judged, error) { return report.Judged{}, nil }); v.Scenarios != left+len(faulty) {
		t.Errorf("%d scenarios were judged again, want those that are whole: %d", v.Scenarios, left+len(faulty))
	}
}

func TestBudgetShortensFaultsLast(t *testing.T) {
	b := report.NewBudget(4 << 20)
	var all []*report.Scenario
	for i := range 40 {
		all = append(all, padded(uint64(i), 500<<10))
		b.Keep(all[i], true)
	}
	n := 0
	for _, s := range all {
		if complete(s) {
			n++
		}
	}
	if n == 0 || n > 8 {
		t.Errorf("%d are whole", n)
	}
	if s := all[0]; !s.Exchanges[0].Shortened || s.Exchanges[0].Frames.Size() != 500<<10 || s.Exchanges[1].Response != nil {
		t.Errorf("shortened: %+v", s)
	}
}

func TestBudgetLeavesUsualRunsAlone(t *testing.T) {
	b := report.NewBudget(report.RunBytes)
	for i := range 100 {
		s := padded(uint64(i), 100<<10)
		b.Keep(s, false)
		if !complete(s) {
			t.Fatal("shortened")
		}
	}
}

func TestBudgetOfFindings(t *testing.T) {
	b := report.NewBudget(4 << 20)
	f := record.Finding{Message: "m", Want: "w", Got: strings.Repeat("g", 20<<10), Exchange: strings.Repeat("e", 80<<10), Curl: "curl"}
	kept := 0
	total := 0
	for range 1000 {
		g := b.Finding(f)
		if g.Message != "m" || g.Want != "w" || g.Got == "" {
			t.Fatal("a finding lost what it says")
		}
		if g.Exchange != "" {
			kept++
		}
		total += len(g.Exchange) + len(g.Got)
	}
	if kept < 5 || kept > 11 || total > 6<<20 {
		t.Errorf("%d keep what went over the wire; %d bytes in all", kept, total)
	}
}
