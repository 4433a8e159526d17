package command

import (
	"encoding/json"
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
