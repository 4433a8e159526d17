package certify_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// TestReportIdentifiesServer: the config names the server; missing parts come from the Server header.
func TestReportIdentifiesServer(t *testing.T) {
	suite := certifytest.Load(t, "helix")
	ref := reference.New(certifytest.Options())
	defer ref.Close()
	url := certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", "proxy/2")
		ref.ServeHTTP(w, r)
	}))
	for _, c := range []struct{ named, want report.Target }{
		{report.Target{Name: "agents", Version: "1.4.0", Commit: "abc1234"}, report.Target{Name: "agents", Version: "1.4.0", Commit: "abc1234"}},
		{report.Target{Commit: "abc1234"}, report.Target{Name: "proxy", Version: "2", Commit: "abc1234"}},
	} {
		cfg := certifytest.Config(url)
		cfg.Name, cfg.Version, cfg.Commit = c.named.Name, c.named.Version, c.named.Commit
		server, err := target.New(cfg, target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		res, err := certify.Run(t.Context(), suite, certify.Options{Target: server, Only: []string{"helix.status.count"}, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := res.Report.Target
		got.URL, got.Without, got.Limits = "", nil, nil
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
