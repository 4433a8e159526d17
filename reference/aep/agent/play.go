package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/text"
)

// Scripted is an Agent that performs its turn's script, and without one follows its model.
type Scripted struct {
	// SplitText cuts texts and reasoning into pieces; [text.Words] by default.
	SplitText func(string) []string
	// SplitArguments cuts the JSON of arguments; into pieces of a few bytes by default.
	SplitArguments func(string) []string
}

// Run implements Agent.
func (s Scripted) Run(ctx context.Context, turn Turn, say func(Delta) error) error {
	p := player{Scripted: s, turn: turn, say: say}
	if p.SplitText == nil {
		p.SplitText = text.Words // aep.content.whole-characters: it cuts before white space
	}
	if p.SplitArguments == nil {
		p.SplitArguments = fragments
	}
	if turn.Script == nil && turn.Model != nil {
		return turn.Model.Answer(ctx, turn, func(act Instruction) error { return p.play(ctx, act) })
	}
	if turn.Script == nil {
		return p.words(Text, fmt.Sprintf("I do what a script says, and there is none. Messages read: %d.", len(turn.Messages)))
	}
	for _, act := range turn.Script.Instructions {
		if err := p.play(ctx, act); err != nil {
			return err
		}
	}
	return nil
}

// player is one turn.
type player struct {
	Scripted
	turn  Turn              // with the request, and the barriers
	say   func(Delta) error // an error of it ends the turn
	calls int               // tool calls so far; the number of the latest
}

var errServer = errors.New("the script has the server fail")

func (p *player) play(ctx context.Context, act Instruction) error {
	switch act.Name {
	case "text":
		return p.words(Text, act.Text)
	case "thinking":
		return p.words(Thinking, act.Text)
	case "echo":
		return p.words(Text, p.handed(act.Text))
	case "tool":
		return p.tool(act.Tool)
	case "continue":
		return p.say(Delta{Kind: Action, ActionKind: act.Continue.Kind, Payload: act.Continue.Payload})
	case "await":
		return p.turn.Await(ctx, act.Text)
	case "hang":
		<-ctx.Done()
		return ctx.Err()
	case "fail":
		return failure(act.Text)
	}
	return fmt.Errorf("playing a script: there is no act %q", act.Name)
}

func failure(code string) error {
	switch code {
	case "agent_error":
		// aep.errors.agent: the failure carries the code agent_error.
		return &Failure{Code: code, Message: "the agent failed"}
	case "tool_error":
		// aep.errors.tool: a tool that the agent needs fails the turn; other failures are Outcomes.
		return &Failure{Code: code, Message: "a tool failed, and the agent can't go on without it"}
	}
	return errServer
}

// words emits a text piece by piece.
func (p *player) words(kind Kind, text string) error {
	for _, piece := range p.SplitText(text) {
		if err := p.say(Delta{Kind: kind, Piece: piece}); err != nil {
			return err
		}
	}
	return nil
}

// tool calls a tool. The arguments come as a model writes them, in pieces.
func (p *player) tool(t Tool) error {
	p.calls++
	n := p.calls
	deltas := []Delta{{Kind: Call, Call: n, Tool: t.Name}}
	// aep.tools.arguments, aep.tools.one-value: the pieces join to one JSON object.
	for _, piece := range p.SplitArguments(string(t.Arguments)) {
		deltas = append(deltas, Delta{Kind: Arguments, Call: n, Piece: piece})
	}
	// aep.tools.result-after-call: the outcome follows the end of the call.
	deltas = append(deltas, Delta{Kind: Called, Call: n},
		Delta{Kind: Outcome, Call: n, Tool: t.Name, Failed: t.Error != nil, Summary: t.Summary, Returned: t.Result})
	for _, d := range deltas {
		if err := p.say(d); err != nil {
			return err
		}
	}
	return nil
}

// handed returns the JSON of something that the agent was handed.
func (p *player) handed(what string) string {
	switch what {
	case "messages":
		return encode(p.turn.Messages)
	case "history":
		return encode(p.turn.History)
	case "results":
		return encode(p.turn.Results)
	}
	if p.turn.Context == nil {
		return "{}"
	}
	return string(p.turn.Context)
}

func encode[T any](list []T) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(append([]T{}, list...)); err != nil { // texts, and JSON that was read
		panic(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// fragment is about how many bytes of arguments come at once.
const fragment = 12

func fragments(text string) []string {
	var pieces []string
	for len(text) > fragment {
		n := fragment
		for !utf8.RuneStart(text[n]) {
			n--
		}
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	return append(pieces, text)
}
