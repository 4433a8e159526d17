package aep

import (
	"context"
	"fmt"
	"net/http"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/aep"
)

// scripted is the text that the preflight's script makes the agent emit.
const scripted = "streamcert preflight"

// preflight makes the agent emit one sentence by a script. An answer without it shows that the agent doesn't know scripts.
func preflight(ctx context.Context, t *target.Target) (pack.Offer, error) {
	session := t.Session(ctx)
	defer session.Close()
	body := `{"messages":[{"role":"user","content":[{"type":"text","text":"Say what the script says"}]}],` +
		`"context":{"conformance":{"script":[{"text":"` + scripted + `"}]}}}`
	reader, err := client.Send(session, []byte(body), target.StreamRequest{Hidden: true})
	if err != nil {
		return pack.Offer{}, err
	}
	where := "preflight: POST " + t.URL() + reader.Path
	v, err := reader.Ended()
	switch no := pack.NoStream(t, where, v, "stream", ", aep.agent"); {
	case err != nil && v.Status != http.StatusOK:
		return pack.Offer{}, fmt.Errorf("%s: %w", where, err)
	case v.Status == http.StatusNotImplemented:
		return pack.Offer{Unscripted: "the agent doesn't know scripts; see spec/aep/control.md"}, nil
	case no != nil:
		return pack.Offer{}, no
	case pack.Speaks(v.Frames, scripted):
		return pack.Offer{}, nil
	case err != nil: // the sentence may have come before it
		return pack.Offer{}, fmt.Errorf("%s: %w", where, err)
	case t.Model() != nil:
		return pack.Offer{}, fmt.Errorf("%s doesn't contain what the model says: %s", where, pack.Silence(t))
	}
	return pack.Offer{Unscripted: "the agent doesn't do what a script says; see spec/aep/control.md"}, nil
}
