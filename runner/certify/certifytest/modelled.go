package certifytest

import (
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
)

// Modelled starts a server whose model is played. only leaves the control binding out. The server is closed with the test.
func Modelled(t testing.TB, only bool, server func(reference.Options) restart.Server) target.Config {
	t.Helper()
	p, err := provider.Start(provider.Options{Key: "key-of-the-test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	client := model.New(p.URL(), p.Key())
	t.Cleanup(client.Close)
	o := Options()
	o.Model = client
	ref := server(o)
	t.Cleanup(ref.Close)
	cfg := Config(Serve(t, ref))
	cfg.Model = target.Model{Listen: "127.0.0.1:0", Key: p.Key(), Player: p, Tools: true, Only: only}
	return cfg
}
