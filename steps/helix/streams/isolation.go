package streams

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func isolationSteps(v *steps.Sentences[*world.World]) {
	steps.Step2(v, features.Given, `^streams `+steps.JSONString+` and `+steps.JSONString+` with an event each$`, twoStreams)
	steps.Step0(v, features.When, `^a client attaches to each of them$`, func(w *world.World) error {
		for _, name := range []string{"one", "other"} {
			if w.Streams[name].Writers == nil {
				continue // the server refused to make it
			}
			if _, err := w.Attach(name, name, target.ReadRequest{}); err != nil {
				return err
			}
		}
		return nil
	})
	steps.Step0(v, features.Then, `^each client receives its own stream's events alone$`, isolated)
	steps.Step1(v, features.When, `^the writer tries to write a chunk of more than (\d+) MiB$`, world.OnStream1(tryHuge))
}

// twoStreams makes two streams with an event each. The names are JSON strings in which {base} stands for an id that
// only this scenario uses. A server may refuse an unusual name.
func twoStreams(w *world.World, one, other string) error {
	base := w.Session().NewStream()
	texts := map[string]string{"one": one, "other": other}
	for _, name := range []string{"one", "other"} {
		text := texts[name]
		var id string
		if err := json.Unmarshal([]byte(text), &id); err != nil {
			return steps.Faultf("%s is not a JSON string", text)
		}
		// A dot after it keeps an id of digits different from that of another scenario: sc-1 and 1 are sc-11.
		id = strings.ReplaceAll(id, "{base}", base+".")
		s := world.StreamOf(w, name, id)
		w.Streams[name] = s
		call, err := w.Session().Call("POST", "/streams/"+target.EscapeSegment(id)+"/writers", steps.Encode(map[string]any{"agentId": "agent-1", "agentType": "assistant"}), true)
		if err != nil {
			return err
		}
		var answer struct {
			WriterID string `json:"writerId"`
		}
		switch st := call.Now().Status; {
		case st >= 400 && st < 500:
			s.Writers = nil
			w.NoteAlternative()
			continue
		case st/100 != 2, json.Unmarshal(call.Now().Answer, &answer) != nil:
			return steps.Refused(call, fmt.Sprintf("opening a writer on stream %q", id))
		}
		w.Session().Owns(id)
		s.Writers[""] = answer.WriterID
		e := world.NewEvent("the event of stream "+name, w.TextDelta("for stream "+name, 1, nil))
		s.Events = append(s.Events, e)
		if err := s.Write("", e); err != nil {
			return err
		}
	}
	if w.Streams["one"].Writers == nil {
		return &steps.Unprovable{Reason: "the server refuses the first of the two stream ids"}
	}
	return nil
}

// isolated checks that every client receives the event of its stream and then the marker of its stream, and nothing of
// the other stream between.
func isolated(w *world.World) error {
	if w.Streams["other"].Writers == nil {
		w.Saw(1) // refusing such an id is an accepted alternative
	}
	for _, name := range w.Order {
		c := w.Clients[name]
		head, err := c.Reader.Head()
		if err != nil {
			return c.Where(err)
		}
		if name == "other" && head.Status >= 400 && head.Status < 500 {
			w.Saw(1)
			continue
		}
		if err := received(w, []*world.Client{c}, c.Stream.Events); err != nil {
			return err
		}
		if err := nothingElse(w, []*world.Client{c}); err != nil {
			return err
		}
	}
	return nil
}

// tryHuge writes a chunk over a limit in MiB. A server may answer, or close the connection while the body is being
// sent.
func tryHuge(s *world.Stream, mib int) error {
	e := world.NewEvent("the huge chunk", lengthened(s.World.Chunk(map[string]any{"type": "text_delta", "delta": "…"}), mib<<20))
	err := try(s, "", e)
	var delayed *target.TimeoutError
	if _, missing := target.IsUnavailable(err); missing || errors.As(err, &delayed) {
		return err
	}
	if err != nil {
		world.Put[*attempt](s.World, nil)
	}
	return nil
}
