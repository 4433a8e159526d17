package merlin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
)

// Modelled reports whether the model of a server alone performs a script, in a scenario of a requirement. The arguments are those
// of a StreamRequest.
func Modelled(requirement string, start, script []byte) bool {
	_, err := compile(StreamRequest{Requirement: requirement, Start: start, Instructions: script})
	return err == nil
}

// unseen lists requirements that a model can't demonstrate, by prefixes of their ids, with the reason.
var unseen = map[string]string{
	"merlin.aggregate.": "an aggregate", "merlin.upstream.calls-cut": "an aggregate",
	"merlin.failure.no-calls": "an aggregate", "merlin.failure.partial": "an aggregate",
	"merlin.pacing.some": "pieces that wait together", "merlin.pacing.full": "pieces that wait together",
}

// compile returns the model's part of a request. The error is a *target.Beyond for a script that a model can't perform.
func compile(r StreamRequest) (provider.Script, error) {
	for prefix, what := range unseen {
		if strings.HasPrefix(r.Requirement, prefix) {
			return provider.Script{}, &target.Beyond{What: what}
		}
	}
	var start map[string]any
	if err := json.Unmarshal(fmt.Appendf(nil, "{%s}", r.Start), &start); err != nil {
		return provider.Script{}, err
	}
	delete(start, "manager") // nothing happens that it would send
	if len(start) > 0 {
		return provider.Script{}, &target.Beyond{What: "a stream that begins with " + slices.Min(slices.Collect(maps.Keys(start)))}
	}
	var instructions []instruction
	if err := json.Unmarshal(r.Instructions, &instructions); err != nil {
		return provider.Script{}, err
	}
	var step provider.Step
	for i, a := range instructions {
		one, err := a.compiled(i == len(instructions)-1)
		if err != nil {
			return provider.Script{}, err
		}
		if one != nil {
			step.Actions = append(step.Actions, one)
		}
	}
	return provider.Script{Steps: []provider.Step{step}}, nil
}

// instruction is one instruction of a script, as far as a model does it.
type instruction struct {
	Delta, Usage json.RawMessage // the model's event, as it is sent
	Bytes, Await *string         // raw bytes of the body
	Split        *int            // size of the pieces in which the following bytes come
	Abort        bool            // the model's response breaks off
	Ends         string          // "clean", or "error"
}

// compiled returns the model's part of an instruction; nil if the model does it without an instruction. The error is a
// *target.Beyond for an instruction that a model can't perform.
func (a instruction) compiled(last bool) (provider.Action, error) {
	var delta struct {
		Calls []struct{ Type any } `json:"tool_calls"`
	}
	_ = json.Unmarshal(a.Delta, &delta) // invalid deltas call nothing
	switch {
	case a.Bytes != nil && strings.HasPrefix(*a.Bytes, "data: [DONE]") && last:
		return nil, nil
	case a.Bytes != nil && strings.Contains(*a.Bytes, "[DONE]"): // a client that reads on after it waits for a response that has ended
		return nil, &target.Beyond{What: "an event behind [DONE]"}
	case len(delta.Calls) > 0 && delta.Calls[0].Type != nil: // the agent continues with the call's result
		return nil, &target.Beyond{What: "a call"}
	case a.Delta != nil:
		return provider.Delta(a.Delta), nil
	case a.Usage != nil:
		return provider.Usage(a.Usage), nil
	case a.Bytes != nil:
		return provider.Bytes(*a.Bytes), nil
	case a.Split != nil:
		return provider.Pieces(*a.Split), nil
	case a.Await != nil:
		return provider.Await(*a.Await), nil
	case a.Ends == "clean":
		return provider.Close{}, nil
	case a.Ends == "error":
		return provider.Break{Fault: provider.Broken}, nil
	case a.Abort:
		return provider.Disconnect{}, nil
	}
	return nil, &target.Beyond{What: "an act that isn't the model's"}
}

// modelled requests a stream whose model performs a script. The error is a *target.Beyond for a script that a model can't
// perform.
func modelled(s *target.Session, r StreamRequest) (*target.Reader, error) {
	t := s.Target()
	script, err := compile(r)
	if err == nil && r.Untrusted {
		err = &target.Beyond{What: "a script without its token"}
	}
	if err != nil {
		return nil, err
	}
	start := t.ModelConfig().Start
	if start.IsSet() && !start.HasPlaceholder("version") && t.Claims("v1") && t.Claims("v2") {
		return nil, &target.UnavailableError{Reason: "model.start.path has no place for the version ({version}), and neither v1 nor v2 is left out (without)"}
	}
	mark := s.Play(script)
	text := question + provider.Marker(mark)
	ask := target.StreamRequest{Route: Stream(r.Version), Heading: r.Heading, Hidden: r.Heading == "", Mark: mark, Body: Request(text, "", nil, nil), Headers: ofPage(t), Gzip: r.Gzip, HTTP2: r.HTTP2, Unsized: r.Unsized, ReuseConnection: r.ReuseConnection, Buffer: r.Buffer}
	if start.IsSet() {
		places := map[string]string{"stream": r.Stream, "thread": r.Stream, "version": strconv.Itoa(r.Version)}
		if ask.Path, ask.Body, err = start.Fill(text, places); err != nil {
			return nil, err
		}
		ask.Method = start.Method
		maps.Copy(ask.Headers, start.Headers)
	}
	reader, err := s.RequestStream(ask)
	if err == nil {
		s.Plays(reader.Exchange, mark)
	}
	return reader, err
}
