package helixui

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// scripted is the text that the preflight's script makes the agent emit.
const scripted = "streamcert preflight"

// preflight makes the agent emit one sentence by a script. An answer without it shows that the agent doesn't know scripts.
func preflight(ctx context.Context, t *target.Target) (pack.Offer, error) {
	session := t.Session(ctx)
	defer session.Close()
	reader, err := client.Send(session, client.Request{
		Chat: session.Coin("stream"), Text: "Say what the script says", Script: []json.RawMessage{[]byte(`{"text":"` + scripted + `"}`)},
	}, target.StreamRequest{Hidden: true})
	if err != nil {
		return pack.Offer{}, err
	}
	where := "preflight: POST " + t.URL() + reader.Path
	v, err := reader.Ended()
	switch no := pack.NoStream(t, where, v, "chat", ""); {
	case err != nil && v.Status != http.StatusOK:
		return pack.Offer{}, fmt.Errorf("%s: %w", where, err)
	case v.Status == http.StatusNotImplemented:
		return pack.Offer{Unscripted: "the agent doesn't know scripts; see spec/helix-ui/control.md"}, nil
	case no != nil:
		return pack.Offer{}, no
	case pack.Speaks(v.Frames, scripted):
		return pack.Offer{}, nil
	case err != nil: // the sentence may have come before it
		return pack.Offer{}, fmt.Errorf("%s: %w", where, err)
	case t.Model() != nil:
		return pack.Offer{}, fmt.Errorf("%s doesn't bring what the model says: %s", where, pack.Silence(t))
	}
	return pack.Offer{Unscripted: "the agent doesn't do what a script says; see spec/helix-ui/control.md"}, nil
}

// routes returns the requests that a probe tries, in order.
func routes(session *target.Session) []pack.Route {
	t := session.Target()
	return []pack.Route{
		{
			Name: "chat", Listens: true, Call: "POST " + t.Path(client.Chat()), Right: pack.Streams,
			Try: func() (*target.Exchange, error) {
				reader, err := client.Send(session, client.Request{Chat: session.Coin("stream"), Text: "probe"}, target.StreamRequest{Hidden: true})
				if err != nil {
					return nil, err
				}
				_, err = reader.Ended()
				return reader.Exchange, err
			},
		},
		{
			Name: "release", Scripts: true, Control: true, Call: "POST " + t.Path(target.ControlPrefix()) + "/chat/{stream}/release", Needed: pack.StepMatches(`the agent passes "`),
			Refusals: []int{http.StatusBadRequest},
			// A barrier without a name: a server that has the route refuses it as none of its own.
			Try: func() (*target.Exchange, error) {
				return session.Call(http.MethodPost, client.ReleasePath("probe"), []byte(`{"barrier":""}`), false)
			},
		},
	}
}
