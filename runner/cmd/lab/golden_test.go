package lab

import (
	"bytes"
	"slices"
	"testing"

	"github.com/streamcert/streamcert/runner/prove"
)

// TestGoldensOfSlowServers: a slow server has the same transcripts, or a scenario continues before the event that it waits
// for. On a busy machine the reference is such a server.
func TestGoldensOfSlowServers(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs of the whole suite")
	}
	for name, of := range map[string]string{"agents-take-their-time": "aep", "slow-writes": "helix"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			a := testApp()
			g, own := &goldens{app: a, out: &out, pack: of}, a.newEmbedded()
			suites, err := a.Suites(of)
			if err != nil {
				t.Fatal(err)
			}
			suite := suites[0]
			all := own.variants(of)
			at := slices.IndexFunc(all, func(v prove.Variant) bool { return v.Name == name })
			if at < 0 {
				t.Fatalf("%s has no such variant", of)
			}
			url, stop, err := all[at].Start()
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
			files, err := g.transcripts(t.Context(), suite, own, url)
			if err != nil {
				t.Fatal(err)
			}
			if err := g.compare(suite.Files, files); err != nil {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}
