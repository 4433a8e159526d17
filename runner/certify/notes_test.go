package certify_test

import (
	"slices"
	"testing"

	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/target"
)

// TestNotesAreOfNoFinding: a difference from a golden that a finding explains is no hole in the suite.
func TestNotesAreOfNoFinding(t *testing.T) {
	catalogue := mutant.Catalogue()
	broken := catalogue[slices.IndexFunc(catalogue, func(m mutant.Mutant) bool { return m.Name == "sends-end-twice" })]
	tg, err := target.New(certifytest.Config(certifytest.Serve(t, mutant.Handler(broken, certifytest.Options()))), target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	rep := run(t, certify.Options{Target: tg, Seed: 1, Only: []string{"lifecycle.*"}, Compare: true})
	if rep.Summary.Fail == 0 || len(rep.Notes) > 0 {
		t.Errorf("%+v, noted: %+v", rep.Summary, rep.Notes)
	}
}
