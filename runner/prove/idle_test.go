package prove_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/idle"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove"
)

// agents returns the reference server of agents, as a server that never shows some subjects.
func agents(wrap alter.Around, never ...string) prove.IdleServer {
	return prove.IdleServer{Name: "reference", Summary: "Shows all that it can.", Never: never, Start: func() (string, func(), error) {
		h := alter.NewServer(reference.NewWithAgents(certifytest.Options(), aep.Options{}), wrap)
		return certifytest.Listen(h, h.Close)
	}}
}

// TestIdleFindsPasses: a server that shows its declared Never passes requirements that it should not.
func TestIdleFindsPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole suite against a server")
	}
	suite := certifytest.Load(t, "aep")
	rep, err := prove.Idle(t.Context(), suite, []prove.IdleServer{agents(nil, "aep.tools.named", "done.arg*")}, prove.IdleOptions{
		Config: certifytest.Config(""), Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"aep.tools.named", "aep.done.arguments"}, rep.Results[0].Vacuous); diff != "" || rep.OK() || rep.Vacuous != 2 {
		t.Errorf("%d vacuous passes: %s", rep.Vacuous, diff)
	}
	var out strings.Builder
	if err := rep.WriteConsole(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"passes by absence: reference", "aep.tools.named is pass", "1 idle servers: 2 vacuous passes"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestIdleNeedsARun: a server that can't be certified at all passes nothing, which proves nothing.
func TestIdleNeedsARun(t *testing.T) {
	down := idle.Refuses(http.StatusServiceUnavailable, alter.Any)
	_, err := prove.Idle(t.Context(), certifytest.Load(t, "aep"), []prove.IdleServer{agents(down, "aep.*")}, prove.IdleOptions{Config: certifytest.Config("")})
	if err == nil || !strings.Contains(err.Error(), "running idle server reference: preflight") {
		t.Errorf("got %v", err)
	}
}

func TestIdleSelects(t *testing.T) {
	var none *pack.SelectionError
	if err := prove.SelectsIdle([]prove.IdleServer{agents(nil)}, []string{"referense"}); !errors.As(err, &none) || !strings.Contains(err.Error(), "did you mean reference?") {
		t.Errorf("got %v", err)
	}
}
