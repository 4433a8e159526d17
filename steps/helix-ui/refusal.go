package helixui

import (
	"fmt"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/steps"
)

func refusalSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.When, `^a request with the body `+steps.JSONString+`$`, func(w *world, quoted string) error {
		body, err := unquoted(quoted)
		if err != nil {
			return err
		}
		return w.requestRaw(func(string) []byte { return []byte(body) }, target.StreamRequest{})
	})
	steps.Step0(v, features.When, `^a request without its credential$`, func(w *world) error { return w.requestRaw(textBody, target.StreamRequest{As: target.Anonymous}) })
	steps.Step0(v, features.When, `^a request with another credential$`, func(w *world) error { return w.requestRaw(textBody, target.StreamRequest{As: target.WrongToken}) })
	steps.Step0(v, features.Then, `^the request is refused$`, onTurn(func(t *turn) error { return refused(t, "a refusal (4xx)", 400, 499) }))
	steps.Step1(v, features.Then, `^the request is refused with (\d+)$`, onTurn1(func(t *turn, status int) error {
		return refused(t, fmt.Sprint(status), status, status)
	}))
}

// textBody returns a request without a script.
func textBody(chat string) []byte {
	return steps.Encode(map[string]any{"id": chat, "messages": []any{map[string]any{
		"id": "user-1", "role": "user", "parts": []any{map[string]any{"type": "text", "text": utterance}},
	}}})
}

// requestRaw posts a body to a new chat, as it is.
func (w *world) requestRaw(body func(chat string) []byte, r target.StreamRequest) error {
	switch t := w.Session().Target(); {
	case r.As != target.First && !t.Signs(target.First):
		return &steps.Unprovable{Reason: "the config names no credential (headers)"}
	case r.As == target.First && !t.Scripts():
		return &steps.Unprovable{Reason: "a server that is no test build is sent no request that might harm it (model.only)"}
	case t.ModelConfig().Start.IsSet():
		return &steps.Unprovable{Reason: "the request that starts a run is a template (model.start), which has no place for any other body"}
	}
	w.chat = w.Session().Coin("stream")
	r.Heading = w.Step()
	reader, err := client.RequestStream(w.Session(), w.chat, body(w.chat), r)
	if err != nil {
		return steps.Faultf("making a request: %v", err)
	}
	w.turns = append(w.turns, &turn{w: w.World, reader: reader, isResponse: true})
	return nil
}

// refused compares the status of a refusal.
func refused(t *turn, want string, low, high int) error {
	v, err := t.reader.Head()
	if err != nil {
		return err
	}
	if v.Status < low || v.Status > high {
		return t.failure(want, recorded(t.reader.Exchange), nil)
	}
	t.w.Saw(1)
	return nil
}

func refusals() []steps.Fixture {
	return []steps.Fixture{
		{Then: "the request is refused", Setup: setup(`a request with the body "{}"`), Mutant: "answers-nobody", Message: "a refusal"},
		{Then: "the request is refused with 401", Setup: setup("a request without its credential"), Mutant: "no-credential-is-forbidden", Message: "403"},
	}
}
