package beacon

import (
	"context"
	"fmt"
	"net/http"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/crosscheck"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	judged "github.com/streamcert/streamcert/runner/packs/testdata/runner/judge/beacon"
	client "github.com/streamcert/streamcert/runner/packs/testdata/runner/target/beacon"
	steps "github.com/streamcert/streamcert/runner/packs/testdata/steps/beacon"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
)

// Pack is all that the kit knows of the protocol beside its folders.
func Pack() pack.Pack {
	return pack.Pack{
		Name:    "beacon",
		Machine: judged.New, Answer: judged.JudgeAnswer, Judged: judged.Requirements,
		Vocabulary: steps.Vocabulary, Fixtures: steps.Fixtures,
		Preflight: preflight, Routes: routes, Config: client.Section(), Scripted: pack.StepMatches(`the order`),
		Stream:   pack.Stream{Recognise: recognise, Terminal: terminal},
		Registry: crosscheck.Rules{IDs: func(*record.Exchange, func(requirement, name, id string)) {}},
		Golden:   golden.Freedoms{Headers: []string{"content-type"}, IDs: map[string]string{"watch": "watch"}},
		Shape: &pack.Shape{
			Send: func(schema string, _ any, data []byte) ([]byte, record.End) {
				return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", schema[len("frames/"):], data), record.ClientClose
			},
		},
	}
}

// recognise knows a signal by its name: nothing in the data says what it is.
func recognise(f *wire.Frame) (judge.Profile, bool) {
	return judge.Enveloped, f.Event == "lit" || f.Event == "flash" || f.Event == "dark"
}

func terminal(_ judge.Profile, f *wire.Frame) bool { return f.Event == "dark" }

// preflight refuses a server that answers a watcher with something else than a stream.
func preflight(ctx context.Context, t *target.Target) (pack.Offer, error) {
	session := t.Session(ctx)
	defer session.Close()
	reader, err := client.Ask(session, session.NewName(), "")
	if err != nil {
		return pack.Offer{}, err
	}
	v, err := reader.Head()
	switch {
	case err != nil:
		return pack.Offer{}, fmt.Errorf("preflight: POST %s%s: %w", t.URL(), reader.Path, err)
	case v.Status != http.StatusOK && v.Status != http.StatusNotFound || pack.IsPage(v.Get("content-type"), v.Answer):
		return pack.Offer{}, fmt.Errorf("preflight: POST %s%s answered %d, expected 200 with an event stream, or 404 for an order that nobody gave; is routes.watch right?",
			t.URL(), reader.Path, v.Status)
	}
	return pack.Offer{}, nil
}

// routes lists the routes that a probe tries.
func routes(session *target.Session) []pack.Route {
	t := session.Target()
	return []pack.Route{{
		Name: "orders", Control: true, Scripts: true, Call: "POST " + t.Path(target.ControlPrefix()) + client.Orders(t), Needed: pack.StepMatches(`the order`),
		Try: func() (*target.Exchange, error) {
			return session.Call(http.MethodPost, client.Orders(t), client.Order(session.NewName(), nil), false)
		},
	}, {
		Name: "watch", Listens: true, Call: "POST " + t.Path(client.Watch()), Right: pack.Streams,
		Try: func() (*target.Exchange, error) {
			order := session.Coin("order")
			if call, err := session.Call(http.MethodPost, client.Orders(t), client.Order(order, []string{"probe"}), false); err != nil {
				return call, err
			}
			reader, err := client.Ask(session, order, "")
			if err != nil {
				return nil, err
			}
			_, err = reader.Ended()
			return reader.Exchange, err
		},
	}}
}
