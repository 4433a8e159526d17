package prove_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/prove/killreport"
)

// TestAlterationThatDoesNothing: a mutant that answers every scenario as the reference does is named as such; one that
// doesn't, and that its requirement lets through, isn't.
func TestAlterationThatDoesNothing(t *testing.T) {
	healthy := func() (string, func(), error) {
		ref := reference.New(certifytest.Options())
		return certifytest.Listen(ref, ref.Close)
	}
	catalogue := []prove.Mutant{{Name: "does-nothing", Requirement: "helix.http.error-body", Summary: "Nothing.", Start: healthy}}
	for _, m := range certifytest.Mutants(t) {
		if m.Name == "info-count-as-text" {
			m.Name, m.Requirement = "breaks-something-else", "helix.wire.no-bom"
			catalogue = append(catalogue, m)
		}
	}
	rep, err := prove.Mutants(context.Background(), certifytest.Chapters(t, "helix", "http", "wire", "status"), catalogue, prove.MutantOptions{
		Config: certifytest.Config(""), Healthy: healthy, Only: []string{"does-nothing", "breaks-something-else"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, alike := range []bool{false, true} { // by name
		if r := rep.Results[i]; r.Outcome != killreport.Survived || r.Alike != alike {
			t.Errorf("%s: %s, alike: %t", r.Name, r.Outcome, r.Alike)
		}
	}
	validMutants(t, rep)
	var out bytes.Buffer
	if err := rep.WriteConsole(&out); err != nil {
		t.Fatal(err)
	}
	const says = "survived: does-nothing\n  answers every scenario as the reference does: it breaks nothing\n"
	if text := out.String(); !strings.Contains(text, says) || strings.Count(text, "as the reference does") != 1 {
		t.Errorf("got\n%s", text)
	}
}
