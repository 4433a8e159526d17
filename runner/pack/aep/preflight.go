package aep

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/runner/wire"
)

// scripted is what the preflight has the agent say.
const scripted = "streamcert preflight"

// preflight asks the agent for one sentence. An answer without it is that of an
// agent that doesn't know scripts.
func preflight(ctx context.Context, t *target.Target) (pack.Offer, error) {
	session := t.Session(ctx)
	defer session.Close()
	body := `{"messages":[{"role":"user","content":[{"type":"text","text":"Say what the script says"}]}],` +
		`"context":{"conformance":{"script":[{"text":"` + scripted + `"}]}}}`
	reader, err := client.Send(session, []byte(body), target.AskRequest{Hidden: true})
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
	case says(v.Frames, scripted):
		return pack.Offer{}, nil
	case err != nil: // it may have said so later
		return pack.Offer{}, fmt.Errorf("%s: %w", where, err)
	case t.Model() != nil:
		return pack.Offer{}, fmt.Errorf("%s doesn't bring what the model says: %s", where, pack.Silence(t))
	}
	return pack.Offer{Unscripted: "the agent doesn't do what a script says; see spec/aep/control.md"}, nil
}

// says reports whether the texts of a response hold a sentence, by their pieces
// or by their blocks.
func says(frames []*wire.Frame, sentence string) bool {
	var pieces, wholes strings.Builder
	for _, f := range frames {
		var event struct{ Delta, Text string }
		if json.Unmarshal(f.Data, &event) != nil {
			continue
		}
		pieces.WriteString(event.Delta)
		wholes.WriteString(event.Text)
	}
	return strings.Contains(pieces.String(), sentence) || strings.Contains(wholes.String(), sentence)
}
