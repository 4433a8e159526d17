package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/features"
)

// locationOf returns the location of the first scenario of a requirement of aep.
func locationOf(t *testing.T, id string) features.Scenario {
	t.Helper()
	all, err := features.Load(features.FS, "aep")
	if err != nil {
		t.Fatal(err)
	}
	for _, sc := range all {
		if sc.Requirement == id {
			return sc
		}
	}
	t.Fatalf("%s has no scenario", id)
	return features.Scenario{}
}

// TestCertifySelectsByLocation: the location that a report prints selects one scenario of one pack, earns no class, and joins
// ids.
func TestCertifySelectsByLocation(t *testing.T) {
	sc := locationOf(t, "aep.wire.named")
	for _, place := range []string{"features/" + sc.Location(), sc.Location()} {
		r := streamcert(t, "", "certify", "--list", "--only", place)
		if r.Code != 0 || strings.Count(r.Out, "features/") != 1 || !strings.Contains(r.Out, "aep.wire.named (MUST") {
			t.Errorf("%d %s\n%s", r.Code, r.Errs, r.Out)
		}
	}
	r := streamcert(t, "", "certify", "--list", "--only", "features/"+sc.Location(), "--only", "aep.cancel.one")
	if r.Code != 0 || !strings.Contains(r.Out, "pack aep: 2 requirements") {
		t.Errorf("%d %s\n%s", r.Code, r.Errs, r.Out)
	}
	r = streamcert(t, "", "certify", "--reference", "--only", sc.Location())
	if r.Code != 0 || !strings.Contains(r.Out, "1 pass") || !strings.Contains(r.Out, "1 scenarios") || strings.Contains(r.Out, "classes earned") || strings.Contains(r.Out, "✓") {
		t.Errorf("%d %s\n%s", r.Code, r.Errs, r.Out)
	}
}

func TestCertifyRefusesWrongLocations(t *testing.T) {
	sc := locationOf(t, "aep.wire.named")
	within := fmt.Sprintf("features/%s:%d", sc.File, sc.Line+1)
	for place, want := range map[string]string{
		within:                           "did you mean features/" + sc.Location() + "?",
		"features/" + sc.File + "x":      "no scenario of pack aep is at",
		"features/nowhere/a/b.feature:1": "no scenario of pack",
		"features/aep/[":                 "is not closed",
		strings.Replace(sc.Location(), "aep", "aepp", 1): "did you mean features/" + sc.Location() + "?",
	} {
		r := streamcert(t, "", "certify", "--reference", "--only", place)
		if r.Code != misuse || !strings.Contains(r.Errs, want) {
			t.Errorf("%s: %d %s", place, r.Code, r.Errs)
		}
	}
}
