package helixui

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// Offers reports whether a target has an ability that a program may need: a capability; "scripts" or "model", the means by
// which the suite provokes it; "tools", whose outputs are scripted; "body", if requests are those of the pack; "seven
// streams" concurrently.
func Offers(t *target.Target) func(string) bool {
	return func(name string) bool {
		switch name {
		case "scripts":
			return t.Scripts()
		case "model":
			return !t.Scripts()
		case "mapping", "metadata", "approval", "clientTools":
			return t.Scripts() && t.Claims(name)
		case "tools":
			return t.Scripts() || t.ModelConfig().Tools
		case "body":
			return t.Scripts() || !t.ModelConfig().Start.IsSet()
		case "seven streams":
			most := t.Limits().Streams
			return most == 0 || most > 7
		}
		return t.Claims(name)
	}
}

// instead maps operations that a model can't do to similar ones that it can.
var instead = map[string]string{
	"texts in chunks": "texts", "whole thoughts": "thoughts", "thoughts in chunks": "thoughts", "calls side by side": "calls",
	"start metadata": "spellings", "resyncs": "spellings", "patches": "spellings",
	"interruptions": "clean ends", "pauses": "clean ends", "approvals": "said errors", "failing chunks": "said errors",
}

// longText is the length of a large text of a model in bytes: more than a server buffers for a slow reader.
const longText = 200_000

// byModel returns the replacement of an operation for a model.
func byModel(o Operation) Operation {
	if kind := instead[o.Kind]; kind != "" {
		o.Kind = kind
	}
	if !kinds[o.Kind].data {
		o.Class, o.Size = "", 0
	}
	if o.Kind == "texts" && o.Size > longText/4 {
		o.Size = longText
	}
	return o
}

// mostCalls is the number of calls that the scenarios make in a turn: a server may limit its steps.
const mostCalls = 2

// fit adapts a setup to a model without the control binding: it uses the one tool that the scenarios use.
func (s *setup) fit(t *target.Target) {
	if t.Scripts() {
		return
	}
	if t.ModelConfig().Start.IsSet() {
		s.user = []string{strings.Join(s.user, "")}
	}
	calls := 0
	var acts []model.ScriptStep
	for _, a := range s.script.Steps {
		if a.Tool != nil {
			if calls++; calls > mostCalls {
				continue
			}
			a.Tool.Name = "weather"
		}
		acts = append(acts, a)
	}
	s.script.Steps = acts
}

// spell has the model write its events in other ways, a text in each. Only an answer of the model can begin with a mark.
func (w *writer) spell(o Operation) {
	acts := w.part.script.Steps
	ways, usual := client.Spellings(), ""
	way := ways[1+o.Choice%(len(ways)-1)]
	if n := len(acts); n == 0 || acts[n-1].Tool != nil {
		way = ways[0]
	}
	if slices.Contains(w.usual, way) {
		way = usual
	}
	w.addStep(model.ScriptStep{Spelling: &way})
	w.text(Operation{Class: "plain", Size: 5})
	w.addStep(model.ScriptStep{Spelling: &usual})
}

// posts records the user's messages in a request, and the inputs that the model sent instead of the script's.
func (p *play) posts(a *answer) {
	user := client.MarkedText(p.session, a.reader.Exchange, a.user[0])
	if user != a.user[0] {
		a.turn.Sent = func(call int, input any) any {
			if sent := client.Input(p.session, a.request.Exchange, call, ""); sent != "" {
				_ = json.Unmarshal([]byte(sent), &input) // the provider has written it
			}
			return input
		}
	}
	a.chat.model.UserMessage(user + strings.Join(a.user[1:], ""))
}

// streamsAgain reports whether a server has the route at which answers are read again. A server that doesn't claim it may
// have none, if the suite's model is all that it has for the suite.
func (p *play) streamsAgain() (bool, error) {
	if p.session.Target().Scripts() {
		return true, nil
	}
	r, err := client.Read(p.session, target.ReadRequest{Stream: p.session.Coin("stream"), Heading: "is anything streamed again?"})
	if err != nil {
		return false, err
	}
	v, err := r.Head()
	return err == nil && (v.Status == http.StatusOK || v.Status == http.StatusNoContent), nil
}

// before returns the messages of a chat that a request brings: none where it has no member for them.
func (p *play) before(c *chat) []json.RawMessage {
	if Offers(p.session.Target())("body") {
		return c.before
	}
	return nil
}
