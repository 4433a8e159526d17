package streams

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps/helix/world"

	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/runner/target/interop"
	"github.com/streamcert/streamcert/steps"
)

// thirdParty is a client that isn't part of this suite.
type thirdParty struct {
	reader *interop.Reader  // subscribed until the scenario ends
	stream *world.Stream    // that it reads
	by     func() time.Time // returns the deadline of a wait that begins now
	last   *world.Message   // that it received; nil before the first
}

func interopSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^an off-the-shelf client reads the stream$`, func(w *world.World) error { return subscribe(w, "") })
	})
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^an off-the-shelf client resumes after event (\d+)$`, world.OnStream1(func(s *world.Stream, n int) error {
			id, err := s.IdOf(n)
			if err != nil {
				return err
			}
			return subscribe(s.World, id)
		}))
	})
	steps.Step1(v, features.Then, `^the off-the-shelf client receives `+world.Events+`$`, thirdPartyReceives)
	steps.Step1(v, features.Then, `^the off-the-shelf client receives the (end|fail) frame$`, func(w *world.World, kind string) error {
		m, err := world.Get[*thirdParty](w).next(kind)
		if err != nil {
			return err
		}
		if m.Type != kind {
			return &steps.Failure{Finding: record.Finding{Message: "what the off-the-shelf client received", Want: "the " + kind + " frame", Got: "a frame of type " + strconv.Quote(m.Type), Frame: -1}}
		}
		w.Saw(1)
		return nil
	})
}

func subscribe(w *world.World, after string) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	reader := interop.Subscribe(w.Session(), targethelix.Read(), s.ID, after)
	world.Put(w, &thirdParty{reader: reader, stream: s, by: w.Session().Target().By})
	w.Closing = append(w.Closing, reader.Close)
	return nil
}

// next returns the next chunk or terminal frame.
func (f *thirdParty) next(awaited string) (*world.Message, error) {
	by := f.by()
	for {
		e, err := f.reader.Next(awaited, by)
		if err != nil {
			return nil, f.delayed(err)
		}
		if e == nil {
			return nil, &steps.Failure{Finding: record.Finding{Message: "what the off-the-shelf client received", Want: awaited, Got: "the end of the response", Frame: -1}}
		}
		m := &world.Message{ID: e.ID}
		if m.Content, err = frame.Decode(e.Data); err != nil {
			return nil, &steps.Failure{Finding: record.Finding{Message: "what the off-the-shelf client received", Want: awaited, Got: steps.Clip(e.Data), Frame: -1}}
		}
		switch m.Type {
		case "chunk", "end", "fail":
			f.last = m
			return m, nil
		}
	}
}

// delayed adds the client's last frame to the failure of a timeout.
func (f *thirdParty) delayed(err error) error {
	if errors.Is(err, interop.ErrBusy) {
		return &steps.Unprovable{Reason: "the server refused the off-the-shelf client: " + err.Error()}
	}
	err = steps.Classify(err)
	failure, ok := err.(*steps.Failure)
	switch {
	case !ok || failure.Message != steps.TimedOut:
	case f.last == nil:
		failure.Got += "; no event had come before"
	default:
		failure.Got += "; the last frame was " + f.stream.NameOf(f.last)
	}
	return err
}

func thirdPartyReceives(w *world.World, list string) error {
	ns, err := world.Numbers(list)
	if err != nil {
		return err
	}
	for _, n := range ns {
		e, err := world.Get[*thirdParty](w).stream.Event(n)
		if err != nil {
			return err
		}
		m, err := world.Get[*thirdParty](w).next(e.Label)
		if err != nil {
			return err
		}
		if !m.Is(e) {
			return &steps.Failure{Finding: record.Finding{Message: "what the off-the-shelf client received", Want: e.Label, Got: fmt.Sprintf("%s with id %q", steps.Clip(m.Chunk), m.ID), Frame: -1}}
		}
		w.Saw(1)
	}
	return nil
}
