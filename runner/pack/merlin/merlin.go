package merlin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/crosscheck"
	"github.com/streamcert/streamcert/runner/judge"
	judged "github.com/streamcert/streamcert/runner/judge/merlin"
	model "github.com/streamcert/streamcert/runner/model/merlin"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/merlin"
	"github.com/streamcert/streamcert/runner/wire"
	steps "github.com/streamcert/streamcert/steps/merlin"
)

// Pack describes the protocol to the kit.
func Pack() pack.Pack {
	return pack.Pack{
		Name:    "merlin",
		Machine: judged.New, Answer: judged.JudgeAnswer, Judged: judged.Requirements,
		Vocabulary: steps.Vocabulary, Fixtures: steps.Fixtures,
		Preflight: preflight, Routes: routes, Config: client.Section(), Scripted: pack.StepMatches(`stream`),
		Unplayed: "calls, citations, steps, sub-agents, handoffs, stops and the aggregate", ByModel: byModel, NeedsScript: func(features.Row) bool { return true },
		Conditions: []pack.Condition{{Needed: pack.StepMatches(`without the control token`), Lacks: func(s *target.Session) string {
			if !s.Target().HasControlToken() {
				return "the config names no token of control calls (control.token)"
			}
			return ""
		}}},
		Model:    pack.Model{Chapters: model.Chapters(), Checked: model.Covered(), Unheld: model.Unheld()},
		Stream:   pack.Stream{Recognise: recognise, Variants: []pack.Variant{{Name: "v1", Route: judged.RouteV1}, {Name: "v2", Route: judged.RouteV2}}, Terminal: func(_ judge.Profile, f *wire.Frame) bool { return f.Event == "end" }},
		Registry: crosscheck.Rules{IDs: func(*record.Exchange, func(requirement, name, id string)) {}},
		Golden: golden.Freedoms{
			Headers:   []string{"access-control-allow-headers", "access-control-allow-origin", "cache-control", "content-type"},
			NestedIDs: map[string]string{"id": "step"},
		},
		Shape: &pack.Shape{
			Send: func(schema string, _ any, data []byte) ([]byte, record.End) {
				return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", strings.TrimPrefix(schema, "frames/"), data), record.ClientClose
			},
		},
	}
}

// recognise knows an event by its name, and a message by the members of its version.
func recognise(f *wire.Frame) (judge.Profile, bool) {
	switch f.Event {
	case "INIT_MESSAGE_CONTENT":
		return judge.Enveloped, true
	case "attachments", "progress":
		var event struct{ Payload json.RawMessage }
		return judge.Enveloped, json.Unmarshal(f.Data, &event) == nil && event.Payload != nil
	case "message":
		var message struct {
			Content *string
			Type    string
			Index   *int
		}
		return judge.Enveloped, json.Unmarshal(f.Data, &message) == nil && message.Content != nil && (message.Type == "" || message.Index != nil)
	}
	return judge.Enveloped, false
}

// probing is the script of a probe.
const probing = "streamcert preflight"

// version returns the one by which a server is looked at first.
func version(t *target.Target) int {
	if !t.Claims("v2") {
		return 1
	}
	return 2
}

// preflight rejects a server that doesn't answer a message with a stream, and checks whether it performs scripts.
func preflight(ctx context.Context, t *target.Target) (pack.Offer, error) {
	session := t.Session(ctx)
	defer session.Close()
	reader, err := scripted(session, "")
	if err != nil {
		return pack.Offer{}, err
	}
	where := "preflight: POST " + t.URL() + reader.Path
	v, err := reader.Ended()
	switch no := pack.NoStream(t, where, v, client.Stream(version(t)).Name, ", control.token"); {
	case err != nil && v.Status != http.StatusOK:
		return pack.Offer{}, fmt.Errorf("%s: %w", where, err)
	case no != nil:
		return pack.Offer{}, no
	case !pack.Speaks(v.Frames, probing) && t.Model() != nil:
		return pack.Offer{}, fmt.Errorf("%s doesn't contain what the model says: %s", where, pack.Silence(t))
	case !pack.Speaks(v.Frames, probing):
		return pack.Offer{Unscripted: "the server doesn't do what a script says; see spec/merlin/control.md"}, nil
	}
	return pack.Offer{}, nil
}

// scripted requests the stream of a probe, of a requirement.
func scripted(session *target.Session, requirement string) (*target.Reader, error) {
	t := session.Target()
	acts := []byte(`[{"delta":{"content":"` + probing + `"}}]`)
	if !t.Scripts() && t.Model() == nil {
		acts = nil
	}
	return client.RequestStream(session, client.StreamRequest{Version: version(t), Stream: session.Coin("stream"), Instructions: acts, Requirement: requirement})
}

// routes returns the requests that a probe tries.
func routes(session *target.Session) []pack.Route {
	t := session.Target()
	control := t.Path(target.ControlPrefix()) + "/merlin/{stream}"
	stream := func(version int) pack.Route {
		of := fmt.Sprintf("V%d", version)
		return pack.Route{
			Name: client.Stream(version).Name, Listens: version == 2 == t.Claims("v2"), Call: "POST " + t.Path(client.Stream(version)), Right: pack.Streams,
			Capability: fmt.Sprintf("v%d", version), Needed: pack.StepMatches(`\b` + of + ` stream`),
			Try: func() (*target.Exchange, error) {
				reader, err := client.RequestStream(session, client.StreamRequest{Version: version, Stream: session.Coin("stream")})
				if err != nil {
					return nil, err
				}
				_, err = reader.Ended()
				return reader.Exchange, err
			},
		}
	}
	return []pack.Route{stream(1), stream(2), {
		Name: "release", Scripts: true, Control: true, Call: "POST " + control + "/release", Needed: pack.StepMatches(`passes "`), Refusals: []int{http.StatusBadRequest},
		Try: func() (*target.Exchange, error) { return client.Release(session, nil, session.NewName(), "") },
	}, {
		Name: "aggregate", Control: true, Call: "GET " + control + "/aggregate", Needed: pack.StepMatches(`the aggregate`), Capability: "aggregate",
		Try: func() (*target.Exchange, error) {
			reader, err := scripted(session, "merlin.aggregate.text")
			if err != nil {
				return nil, err
			}
			if _, err := reader.Ended(); err != nil {
				return reader.Exchange, err
			}
			return client.Aggregate(session, nameIn(reader.Body), "")
		},
	}}
}

// nameIn returns the name of the stream in the body of a request.
func nameIn(body []byte) string {
	var request struct{ Conformance struct{ Stream string } }
	_ = json.Unmarshal(bytes.TrimSpace(body), &request) // the kit has written it
	return request.Conformance.Stream
}
