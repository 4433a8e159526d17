package helixui

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
)

// Send posts a message. Its script is performed by the model if the kit plays that. It returns at once; the error can be a
// *target.UnavailableError for a script that the model can't perform, or that of [target.Session.RequestStream].
func Send(s *target.Session, r Request, ask target.StreamRequest) (*target.Reader, error) {
	t := s.Target()
	ask.Control = r.Script != nil && !ask.Untrusted
	if t.Model() == nil || r.Script == nil || r.Direct {
		return RequestStream(s, r.Chat, r.Body(), ask)
	}
	script, err := compile(r, t.ModelConfig().Tools)
	if err == nil && ask.Untrusted {
		err = &target.Beyond{What: "a script without its token"}
	}
	switch refused := (*target.Beyond)(nil); {
	case errors.As(err, &refused) && t.Scripts():
		return RequestStream(s, r.Chat, r.Body(), ask)
	case errors.As(err, &refused):
		return nil, target.Unmodelled(refused.What)
	case err != nil:
		return nil, err
	}
	mark := s.Play(script)
	reader, err := marked(s, t.ModelConfig().Start, r, mark, ask)
	if err == nil {
		s.Plays(reader.Exchange, mark)
	}
	return reader, err
}

// marked posts a message that has the model play a script.
func marked(s *target.Session, start target.Start, r Request, mark string, ask target.StreamRequest) (*target.Reader, error) {
	r.Script, ask.Control, ask.Mark = nil, false, mark
	r.Text += provider.Marker(mark)
	if !start.IsSet() {
		return RequestStream(s, r.Chat, r.Body(), ask)
	}
	if r.Before != nil || r.Metadata != nil {
		return nil, target.Unmodelled("a message with others before it, or with metadata, for which model.start has no place,")
	}
	path, body, err := start.Fill(r.Text, map[string]string{"stream": r.Chat, "thread": r.Chat})
	if err != nil {
		return nil, err
	}
	headers := maps.Clone(start.Headers)
	if headers == nil {
		headers = map[string]string{}
	}
	maps.Copy(headers, ask.Headers)
	ask.Method, ask.Path, ask.Headers = start.Method, path, headers
	return RequestStream(s, r.Chat, body, ask)
}

// instruction is one instruction of a script.
type instruction struct {
	Text, Fail, Finish, Await *string         // at most one member is set, but for Spelling and Ends
	Spelling                  *string         // of the events that follow
	Ends                      string          // "clean", or "error"
	Thinking                  json.RawMessage // a text, or its pieces
	Hang                      bool
	Tool                      *struct {
		Name      string
		Arguments json.RawMessage
		Result    json.RawMessage
		Error     *string
		Approval  bool
		Client    bool
	}
}

// compile returns the model's part of a request. The error is a *target.Beyond for a script that a model can't perform.
func compile(r Request, tools bool) (provider.Script, error) {
	if r.StartMetadata != nil || r.FinishMetadata != nil {
		return provider.Script{}, &target.Beyond{What: "metadata of the server's configuration"}
	}
	c := &compiler{tools: tools}
	for _, raw := range r.Script {
		if err := c.add(raw); err != nil {
			return provider.Script{}, err
		}
	}
	if !c.over {
		c.close()
	}
	return c.script, nil
}

// compiler translates a script into the model's steps: a call ends a step, and the next one follows the tool's result.
type compiler struct {
	script  provider.Script   // the steps so far, and the tools
	actions []provider.Action // of the step that isn't complete
	finish  string            // finish reason of that step; "" for the usual one
	tools   bool              // the server's tools request their results from the kit
	over    bool              // the last step is there
}

func (c *compiler) close() {
	c.script.Steps = append(c.script.Steps, provider.Step{Actions: c.actions, Finish: c.finish})
	c.actions = nil
}

func (c *compiler) add(raw json.RawMessage) error {
	var a instruction
	if err := json.Unmarshal(raw, &a); err != nil {
		return err
	}
	switch {
	case a.Text != nil:
		c.actions = append(c.actions, provider.Text(*a.Text))
	case a.Thinking != nil:
		return c.think(a.Thinking)
	case a.Await != nil:
		c.actions = append(c.actions, provider.Await(*a.Await))
	case a.Hang:
		c.actions = append(c.actions, provider.Stall(0))
	case a.Finish != nil && slices.Contains([]string{"length", "content-filter"}, *a.Finish):
		c.finish = map[string]string{"length": "length", "content-filter": "content_filter"}[*a.Finish]
	case a.Spelling != nil:
		c.actions = append(c.actions, provider.Spelling(*a.Spelling))
	case a.Ends == "clean":
		c.end(provider.Close{})
	case a.Ends == "error":
		c.end(provider.Break{Fault: provider.Broken})
	case a.Fail != nil:
		c.fail()
	case a.Tool != nil && (a.Tool.Approval || a.Tool.Client):
		return &target.Beyond{What: "a call that waits for the client"}
	case a.Tool != nil:
		return c.call(a)
	default:
		return &target.Beyond{What: "the act " + string(raw)}
	}
	return nil
}

// think has the model think a text, or texts with barriers between them.
func (c *compiler) think(raw json.RawMessage) error {
	var whole string
	if json.Unmarshal(raw, &whole) == nil {
		c.actions = append(c.actions, provider.Thinking(whole))
		return nil
	}
	var pieces []json.RawMessage
	if err := json.Unmarshal(raw, &pieces); err != nil {
		return err
	}
	for _, piece := range pieces {
		var said string
		var wait struct{ Await string }
		if json.Unmarshal(piece, &said) == nil {
			c.actions = append(c.actions, provider.Thinking(said))
		} else if err := json.Unmarshal(piece, &wait); err != nil {
			return err
		} else {
			c.actions = append(c.actions, provider.Await(wait.Await))
		}
	}
	return nil
}

// fail ends the answer with an error, or refuses the request if the answer is empty.
func (c *compiler) fail() {
	if len(c.actions) == 0 {
		c.over = true
		c.script.Steps = append(c.script.Steps, provider.Step{Fault: &provider.BadRequest})
		return
	}
	c.end(provider.Disconnect{})
}

// end ends the model's last answer before its finish reason.
func (c *compiler) end(how provider.Action) {
	c.over = true
	c.actions = append(c.actions, how)
	c.close()
}

// call adds a tool call. String arguments are the model's output as it is, valid JSON or not: a tool is only called with
// valid ones. Other arguments are adapted if the server's schema for the tool rejects them.
func (c *compiler) call(a instruction) error {
	arguments := string(written(a.Tool.Arguments))
	var text string
	isText := json.Unmarshal(a.Tool.Arguments, &text) == nil
	if isText {
		arguments = text
	} else if !c.tools {
		return target.BeyondTools()
	}
	c.actions = append(c.actions, provider.Call{Name: a.Tool.Name, Arguments: arguments, Tool: len(c.script.Tools), Fit: !isText})
	c.script.Tools = append(c.script.Tools, provider.Tool{Result: a.Tool.Result, Error: a.Tool.Error})
	c.close()
	return nil
}

// Modelled reports whether a model plays every instruction of a script, which is a JSON array.
func Modelled(t *target.Target, script string) bool {
	var r Request
	if json.Unmarshal([]byte(script), &r.Script) != nil {
		return false
	}
	_, err := compile(r, t.ModelConfig().Tools)
	return err == nil
}

// Input returns the input of a call as JSON: that of the script, or the one that the model sent instead to satisfy the
// server's schema. nth counts the calls of the script from 0.
func Input(s *target.Session, e *target.Exchange, nth int, scripted string) string {
	if script := s.PlayedBy(e); script != "" {
		if sent, changed := s.Target().Model().Arguments(script, nth); changed {
			return sent
		}
	}
	return scripted
}

// MarkedText returns the user's text as the request contains it: with a marker at its end if a model plays the script.
func MarkedText(s *target.Session, e *target.Exchange, text string) string {
	if script := s.PlayedBy(e); script != "" {
		return text + provider.Marker(script)
	}
	return text
}

// Spellings lists the ways in which a model can write its events; the first one only at the beginning of an answer.
func Spellings() []string { return append([]string{string(provider.Marked)}, provider.Spellings()...) }

// Release opens a barrier of the agent that answers a request, by its model or by the control binding. The exchange is nil
// if the model opened it. The error is that of Session.Call.
func Release(s *target.Session, reader *target.Reader, chat, barrier string) (*target.Exchange, error) {
	if script := s.PlayedBy(reader.Exchange); script != "" {
		s.Target().Model().Release(script, barrier)
		return nil, nil
	}
	return s.Call(http.MethodPost, ReleasePath(chat), written(map[string]string{"barrier": barrier}), false)
}

// ReleasePath returns the path of a release, below the control prefix of the config.
func ReleasePath(chat string) string { return "/chat/" + target.EscapeSegment(chat) + "/release" }
