package certifytest

import (
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
)

// timedOut is after which time streams of the agent that has a time-out end.
const timedOut = time.Second

// Modelled starts a reference server whose model is played. only leaves the control binding out. The target is closed with
// the test.
func Modelled(t testing.TB, only bool) target.Config {
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
	const other = "other-token-of-the-test"
	ref := reference.NewWithAgents(o, aep.Options{
		Model: aep.Modelled{Client: client}, Heartbeat: heartbeat, ControlToken: controlToken,
		Principals: map[string]string{readerToken: "reader", other: "other"}, Timeouts: map[string]time.Duration{"impatient": timedOut},
	})
	t.Cleanup(ref.Close)
	cfg := Config(Serve(t, ref))
	cfg.Model = target.Model{Listen: "127.0.0.1:0", Key: p.Key(), Player: p, Tools: true, Only: only}
	cfg.Sections = []any{&targetaep.Config{Other: map[string]string{"Authorization": "Bearer " + other}, StreamTimeout: timedOut, TimeoutAgent: "impatient"}}
	return cfg
}
