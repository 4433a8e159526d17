package launch

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/target"
)

func TestReplicas(t *testing.T) {
	alone := target.Config{URL: "http://a", Launch: target.Launch{Command: []string{"x", "{port}"}}}
	if diff := cmp.Diff([]target.Config{alone}, Replicas(alone)); diff != "" {
		t.Errorf("one address (-want +got):\n%s", diff)
	}
	cfg := target.Config{URL: "http://a:1", Targets: []string{"http://a:1", "https://b", "http://c"}, Launch: target.Launch{
		Command: []string{"x", "--port={port}"}, Env: []string{"PORT={port}"}, Ready: "http://localhost:{port}/up",
	}}
	var want []target.Config
	for i, port := range []string{"1", "443", "80"} {
		want = append(want, target.Config{URL: cfg.Targets[i], Launch: target.Launch{
			Command: []string{"x", "--port=" + port}, Env: []string{"PORT=" + port}, Ready: "http://localhost:" + port + "/up",
		}})
	}
	if diff := cmp.Diff(want, Replicas(cfg)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if cfg.Launch.Command[1] != "--port={port}" {
		t.Error("the config was changed")
	}
}
