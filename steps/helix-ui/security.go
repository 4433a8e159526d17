package helixui

import (
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/steps"
)

func securitySteps(v *steps.Sentences[*world]) {
	steps.Doc1(v, features.Given, `^a request in another chat, with this script:$`, func(w *world, script string) error {
		w.chat = ""
		return w.request(script, client.Request{})
	})
	steps.Step0(v, features.When, `^the other user reads the answer$`, otherReads)
	steps.Step0(v, features.When, `^the other user asks for the history$`, otherRecalls)
	steps.Step1(v, features.Then, `^the other user gets nothing of `+steps.JSONString+`$`, otherGetsNothing)
	steps.Step1(v, features.When, `^a request with secrets and the body `+steps.JSONString+`$`, func(w *world, quoted string) error {
		body, err := unquoted(quoted)
		if err != nil {
			return err
		}
		return w.requestRaw(func(string) []byte { return []byte(body) }, target.StreamRequest{Headers: steps.Secrets()})
	})
	steps.Step0(v, features.Then, `^the refusal holds no secret$`, onTurn(keepsSecrets))
}

// asOther returns the headers of the second user, and the headers of the config that they replace.
func asOther(w *world) (headers map[string]string, leave []string, err error) {
	t := w.Session().Target()
	if !t.Signs(client.Second) {
		return nil, nil, &steps.Unprovable{Reason: "the config names no second user (helix-ui.other)"}
	}
	return t.Showing(client.Second), t.Credentials(), nil
}

func otherReads(w *world) error {
	headers, leave, err := asOther(w)
	if err != nil {
		return err
	}
	reader, err := client.Read(w.Session(), target.ReadRequest{Stream: w.chat, Heading: w.Step(), Headers: headers, LeaveOut: leave})
	if err != nil {
		return steps.Faultf("making a request: %v", err)
	}
	w.turns = append(w.turns, &turn{w: w.World, reader: reader, scripted: true, waits: true})
	return nil
}

func otherRecalls(w *world) error {
	headers, leave, err := asOther(w)
	if err != nil {
		return err
	}
	w.history, err = client.History(w.Session(), target.DocumentRequest{Stream: w.chat, Heading: w.Step(), Headers: headers, LeaveOut: leave})
	return err
}

// otherGetsNothing checks that no answer to the second user has a text. The server may refuse, or answer that there is nothing.
func otherGetsNothing(w *world, quoted string) error {
	text, err := unquoted(quoted)
	if err != nil {
		return err
	}
	if asked, err := w.requestedTurn(); err != nil || asked.canScript() != nil {
		return asked.canScript()
	}
	if w.history.Exchange != nil {
		v := w.history.Now()
		if v.Status == 200 && strings.Contains(string(w.history.Document), text) {
			return w.historyFailure("nothing of "+quoted, steps.Clip(v.Answer))
		}
		w.Saw(1)
		return nil
	}
	t, err := w.latest()
	if err != nil {
		return err
	}
	v, err := t.reader.Head()
	if err == nil && v.Status == 200 {
		var first *part
		for first == nil || first.kind != "text-delta" {
			if first, err = t.next("a part of the answer"); err != nil || first == nil {
				break
			}
		}
		if first != nil && err == nil {
			return t.where(t.failure("nothing of "+quoted, steps.Clip(first.frame.Data), first))
		}
	}
	w.Saw(1)
	return nil
}

// keepsSecrets checks that a refusal has none of the secrets of its request.
func keepsSecrets(t *turn) error {
	v, err := t.reader.Ended()
	if err != nil {
		return err
	}
	if steps.RepeatsSecret(v) {
		return t.failure("an error without the secrets of the request", steps.Clip(v.Answer), nil)
	}
	if v.Status >= 400 {
		t.w.Saw(1)
	}
	return nil
}

func keepings() []steps.Fixture {
	mine := setup(scripted(`[{"text": "Mine. "}, {"await": "b"}]`), `the response has the text "Mine. " so far`)
	return []steps.Fixture{
		{Then: `the other user gets nothing of "Mine. "`, Setup: append(mine, "the other user reads the answer"), Mutant: "chats-of-everybody", Message: "Mine."},
		{Then: "the refusal holds no secret", Setup: setup(`a request with secrets and the body "{}"`), Mutant: "echoes-headers-in-error", Message: "without the secrets"},
		{Then: "each of the parts data-one, data-two and data-three has an id of its own, or a part after it has",
			Setup:  setup(scripted(`[{"chunk": {"type": "custom", "eventName": "one", "data": 1}}, {"chunk": {"type": "custom", "eventName": "two", "data": 2}}, {"chunk": {"type": "custom", "eventName": "three", "data": 3}}]`)),
			Mutant: "ids-of-a-clock", Message: "another id"},
		{Then: "the history has the answer under the messageId of its start",
			Setup:  setup(scripted(`[{"text": "Hello."}]`), "the response has been read", "the history is asked for"),
			Mutant: "history-with-numbers", Message: "messageId"},
	}
}
