package command

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/certify"
)

func TestCertifyLists(t *testing.T) {
	t.Chdir(t.TempDir()) // no config, and no server
	r := streamcert(t, "", "certify", "--list", "--only", "resume.complete", "--pack", "helix", "--format", "json")
	var list certify.Listing
	if err := json.Unmarshal([]byte(r.Out), &list); r.Code != 0 || err != nil || list.Scenarios == 0 || list.Requirements[0].ID != "helix.resume.complete" {
		t.Errorf("%d %v %s\n%s", r.Code, err, r.Errs, r.Out)
	}
	r = streamcert(t, "", "certify", "--list", "--only", "resume.complete", "--pack", "helix")
	if r.Code != 0 || !strings.HasPrefix(r.Out, "helix.resume.complete (MUST)\n  features/helix/") {
		t.Errorf("%d %s\n%s", r.Code, r.Errs, r.Out)
	}
}

func TestCertifySkipsWhatItKnows(t *testing.T) {
	r := streamcert(t, "", "certify", "--reference", "--skip", "helix.resume.complet")
	if r.Code != misuse || !strings.Contains(r.Errs, `did you mean "helix.resume.complete"?`) {
		t.Errorf("%d %s", r.Code, r.Errs)
	}
	// A name of one pack is no mistake because another pack lacks it.
	r = streamcert(t, "", "certify", "--reference", "--list", "--skip", "helix.resume.complete", "--skip", "aep.cancel.*")
	if r.Code != 0 || !strings.Contains(r.Out, "helix.resume.complete (MUST)\n  skipped\n") || !strings.Contains(r.Out, "aep.cancel.one (MUST NOT)\n  skipped\n") {
		t.Errorf("%d %s\n%.2000s", r.Code, r.Errs, r.Out)
	}
}

// TestRequireTakesIDsAndNames: a class is named by its id or its name, several words are several classes, and an unknown
// one is refused with the ids.
func TestRequireTakesIDsAndNames(t *testing.T) {
	suites, err := testApp().Suites(EveryPack)
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{
		"ui-stream": "UI stream", "UI stream": "UI stream", " UI resume ": "UI resume", "core": "Core", "V1": "V1",
		"Core Resumable": "Core, Resumable", "core ui-stream\tv2": "Core, UI stream, V2",
		"": "", " ": "", "Core UI stream": "", "ui stream": "", "Core,Resumable": "", "Core nonsense": "",
	} {
		c := &certifying{require: []string{value}}
		err := c.resolveClasses(suites)
		switch {
		case want == "" && (err == nil || !strings.Contains(err.Error(), "resumable, recovery") || !strings.Contains(err.Error(), "ui-stream")):
			t.Errorf("%q: the error is %v", value, err)
		case want != "" && (err != nil || strings.Join(c.require, ", ") != want):
			t.Errorf("%q: got %q, %v, want %q", value, c.require, err, want)
		}
	}
	c := &certifying{require: []string{"core", "UI stream"}}
	if err := c.resolveClasses(suites); err != nil || !slices.Equal(c.require, []string{"Core", "UI stream"}) {
		t.Errorf("%q, %v", c.require, err)
	}
	if err := (&certifying{require: []string{"ui stream"}}).resolveClasses(suites); err == nil || !strings.Contains(err.Error(), "did you mean ui-stream?") {
		t.Errorf("%v", err)
	}
}

// TestRequireByIDReachesTheVerdict: a class that was required by its id and not earned fails the run, and is shown by its name.
func TestRequireByIDReachesTheVerdict(t *testing.T) {
	r := streamcert(t, "", "certify", "--reference", "--pack", "aep", "--require", "replicated")
	if r.Code != 1 || !strings.Contains(r.Out, "required and not earned: Replicated") {
		t.Errorf("exit code %d, %s %s", r.Code, r.Out, r.Errs)
	}
}
