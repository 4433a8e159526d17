package run

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// pages lists mutants that show a page which is opened later less than one that was open, or continue from another
// checkpoint than the given one.
func pages() []edit.Mutant {
	return []edit.Mutant{
		{Name: "pages-without-results", Requirement: "helix.snapshot.exact",
			Summary: "A snapshot says of a call that it is completed, and not what it returned.",
			Apply:   onParts(func(p *helix.Part) { p.Result = nil })},
		{Name: "pages-without-errors", Requirement: "helix.snapshot.exact",
			Summary: "A snapshot says of a call that it failed, and not why.",
			Apply:   onParts(func(p *helix.Part) { p.Error = "" })},
		{Name: "resumes-where-it-was", Requirement: "helix.resync.written", Stateful: true,
			Summary: "A run that was resumed before and is to go on from an earlier checkpoint goes on from its latest.",
			Wrap:    resumesWhereItWas()},
	}
}

// resumesWhereItWas removes the checkpoint from a second call to resume a run.
func resumesWhereItWas() alter.Around {
	var resumed alter.PerKey[int]
	return edit.OnRunCalls(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/resume") && alter.Count(&resumed, r.URL.Path) > 1 {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return // whoever sent it has gone
			}
			alter.SetBody(r, bytes.Replace(body, []byte(`"fromCheckpointId"`), []byte(`"checkpoint"`), 1))
		}
		next.ServeHTTP(w, r)
	})
}

// onParts changes the parts of the messages of snapshots.
func onParts(change func(*helix.Part)) on.Apply {
	return edit.OnMessages(func(all []helix.Message) []helix.Message {
		for i := range all {
			all[i].Parts = slices.Clone(all[i].Parts)
			for j := range all[i].Parts {
				change(&all[i].Parts[j])
			}
		}
		return all
	})
}
