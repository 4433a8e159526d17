package certify_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/reference"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
	variant "github.com/streamcert/streamcert/reference/variant/helix-ui"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
)

// classOf returns a class of a report by its name.
func classOf(t *testing.T, rep *report.Report, name string) report.Class {
	t.Helper()
	i := slices.IndexFunc(rep.Classes, func(c report.Class) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("there is no class %s", name)
	}
	return rep.Classes[i]
}

// TestAFreedomDeniesNoClass: a server that sends no [DONE] can't send anything after it.
func TestAFreedomDeniesNoClass(t *testing.T) {
	catalogue := variant.Catalogue()
	i := slices.IndexFunc(catalogue, func(v variant.Variant) bool { return v.Name == "no-done" })
	server := variant.Handler(catalogue[i], helixui.Options{ControlToken: certifytest.Config("").ControlToken})
	defer server.Close()
	tg := targetOf(t, certifytest.Serve(t, server))
	res, err := certify.Run(t.Context(), certifytest.Load(t, "helix-ui"), certify.Options{Target: tg, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := of(t, res.Report, "helix-ui.flow.done-last"); got.Verdict != report.Unprovable {
		t.Errorf("%s, want %s", got.Verdict, report.Unprovable)
	}
	if class := classOf(t, res.Report, "UI stream"); !class.Earned {
		t.Errorf("UI stream isn't earned: %v", class.Missing)
	}
}

// TestRuleWithAllowanceIsRequested: a server that can't be made to fail a stream has shown nothing of the code, and used no
// freedom.
func TestRuleWithAllowanceIsRequested(t *testing.T) {
	const id = "helix.errors.fail-code"
	ref := reference.New(certifytest.Options())
	defer ref.Close()
	tg := targetOf(t, certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/fail") {
			http.NotFound(w, r)
			return
		}
		ref.ServeHTTP(w, r)
	})))
	res, err := certify.Run(t.Context(), certifytest.Load(t, "helix"), certify.Options{Target: tg, Seed: 1, Only: []string{id}})
	if err != nil {
		t.Fatal(err)
	}
	if missing := (report.Missing{ID: id, Verdict: report.Unprovable}); !slices.Contains(classOf(t, res.Report, "Core").Missing, missing) {
		t.Errorf("%v isn't missing for Core: %+v", missing, of(t, res.Report, id))
	}
}

// TestClassesThatTheConfigRulesOut: they aren't claimed, and list no missing requirements.
func TestClassesThatTheConfigRulesOut(t *testing.T) {
	ref := reference.New(certifytest.Options())
	defer ref.Close()
	tg := targetOf(t, certifytest.Serve(t, ref))
	res, err := certify.Run(t.Context(), certifytest.Load(t, "helix"), certify.Options{
		Target: tg, Seed: 1, Rows: func(sc features.Scenario, _ string) bool { return strings.HasPrefix(sc.Requirement, "helix.durable.") },
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Core": "", "Durable": "(launch.kill)", "Replicated": "(targets)"} {
		c := classOf(t, res.Report, name)
		if got := c.Unclaimed; (got == "") != (want == "") || !strings.HasSuffix(got, want) {
			t.Errorf("%s is not claimed because %q, want %q", name, got, want)
		}
		if (len(c.Missing) == 0) != (want != "") {
			t.Errorf("%s lacks %d requirements", name, len(c.Missing))
		}
	}
}
