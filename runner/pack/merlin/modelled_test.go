package merlin_test

import (
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	server "github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// modelled returns the config of a server that is altered and asks a model of the kit, and nothing else.
func modelled(t *testing.T, change on.Apply) target.Config {
	t.Helper()
	return certifytest.Modelled(t, true, func(o reference.Options) restart.Server {
		return server.New(change(server.Options{Model: o.Model}.WithDefaults()))
	})
}

// TestOtherAgents: a server without a control binding chooses its first index, and may have other steps. It
// passes all the same.
func TestOtherAgents(t *testing.T) {
	step := on.Object{"id": "0b8f7a52-3f0e-4f3a-9d35-0a3c8c1f2b11", "name": "Think", "status": "DONE", "values": []any{}, "icon": "DEFAULT"}
	cfg := modelled(t, func(o server.Options) server.Options {
		o = on.Index(func(server.Start) int { return 3 })(o)
		return on.Events(on.Version(2).And(on.Any().Nth(1))).To(func(_ *server.RunState, e server.Event) []server.Event {
			return []server.Event{{Name: server.Message, Data: on.Object{"content": "", "index": 0, "type": "progress", "progress": on.Object{"steps": step}}}, e}
		})(o)
	})
	for _, q := range certifytest.Run(t, certifytest.Load(t, "merlin"), cfg, target.Options{}).Report.Requirements {
		if q.Verdict == report.Fail || q.Verdict == report.Warn || q.Verdict == report.Error {
			t.Errorf("%s: %s %v", q.ID, q.Verdict, q.Findings)
		}
	}
}

// TestStart: the request is that of the config, with the version in its path unless there is one version.
func TestStart(t *testing.T) {
	for _, c := range []struct {
		path    string
		without []string
		passes  []string
	}{
		{"/merlin/v{version}/stream", nil, []string{"merlin.slices.complete", "merlin.chunks.complete"}},
		{"/merlin/v2/stream", []string{"v1"}, []string{"merlin.chunks.complete"}},
	} {
		cfg := modelled(t, func(o server.Options) server.Options { return o })
		cfg.Model.Start, cfg.Without = target.Start{Path: c.path, Body: `{"message":"{text}"}`}, c.without
		found := map[string]report.Verdict{}
		for _, q := range certifytest.Run(t, certifytest.Chapters(t, "merlin", "slices", "chunks"), cfg, target.Options{}).Report.Requirements {
			found[q.ID] = q.Verdict
		}
		for _, id := range c.passes {
			if found[id] != report.Pass {
				t.Errorf("%s: %s is %s", c.path, id, found[id])
			}
		}
	}
}

// TestStartWithoutAVersion: a config that leaves the version open is refused.
func TestStartWithoutAVersion(t *testing.T) {
	cfg := modelled(t, func(o server.Options) server.Options { return o })
	cfg.Model.Start = target.Start{Path: "/merlin/v2/stream", Body: `{"message":"{text}"}`}
	if err := preflight(t, cfg); err == nil || !strings.Contains(err.Error(), "{version}") {
		t.Error(err)
	}
}

// preflight checks a server before all else.
func preflight(t *testing.T, cfg target.Config) error {
	t.Helper()
	tg, err := target.New(cfg, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	_, err = certifytest.Load(t, "merlin").Pack.Preflight(t.Context(), tg)
	return err
}

// TestPreflightOfAModel: a server that doesn't call its model can't be certified by it.
func TestPreflightOfAModel(t *testing.T) {
	cfg := modelled(t, func(o server.Options) server.Options {
		o.Model = nil
		return o
	})
	if err := preflight(t, cfg); err == nil || !strings.Contains(err.Error(), "the model at "+cfg.Model.Player.URL()+" got no request") {
		t.Error(err)
	}
}
