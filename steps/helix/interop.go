package helix

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/runner/target/interop"
	"github.com/streamcert/streamcert/steps"
)

// thirdParty is a client that this kit didn't write.
type thirdParty struct {
	reader *interop.Reader
	stream *stream
	by     func() time.Time // when what is awaited from now on must have come
	last   *message
}

func interopSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^an off-the-shelf client reads the stream$`, func(w *world) error { return subscribe(w, "") })
	})
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^an off-the-shelf client resumes after event (\d+)$`, onStream1(func(s *stream, n int) error {
			id, err := s.idOf(n)
			if err != nil {
				return err
			}
			return subscribe(s.w, id)
		}))
	})
	steps.Step1(v, features.Then, `^the off-the-shelf client receives `+events+`$`, thirdPartyReceives)
	steps.Step1(v, features.Then, `^the off-the-shelf client receives the (end|fail) frame$`, func(w *world, kind string) error {
		m, err := w.thirdParty.next(kind)
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

func subscribe(w *world, after string) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	w.thirdParty = &thirdParty{reader: interop.Subscribe(w.Session(), targethelix.Read(), s.id, after), stream: s, by: w.Session().Target().By}
	return nil
}

// next returns the next chunk or terminal frame.
func (f *thirdParty) next(awaited string) (*message, error) {
	by := f.by()
	for {
		e, err := f.reader.Next(awaited, by)
		if err != nil {
			return nil, f.delayed(err)
		}
		if e == nil {
			return nil, &steps.Failure{Finding: record.Finding{Message: "what the off-the-shelf client received", Want: awaited, Got: "the end of the response", Frame: -1}}
		}
		m := &message{id: e.ID}
		if err := json.Unmarshal(e.Data, m); err != nil {
			return nil, &steps.Failure{Finding: record.Finding{Message: "what the off-the-shelf client received", Want: awaited, Got: steps.Clip(e.Data), Frame: -1}}
		}
		switch m.Type {
		case "chunk", "end", "fail":
			f.last = m
			return m, nil
		}
	}
}

// delayed says of a wait in vain how far the client had come.
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
		failure.Got += "; the last frame was " + f.stream.nameOf(f.last)
	}
	return err
}

func thirdPartyReceives(w *world, list string) error {
	ns, err := numbers(list)
	if err != nil {
		return err
	}
	for _, n := range ns {
		e, err := w.thirdParty.stream.event(n)
		if err != nil {
			return err
		}
		m, err := w.thirdParty.next(e.label)
		if err != nil {
			return err
		}
		if !m.is(e) {
			return &steps.Failure{Finding: record.Finding{Message: "what the off-the-shelf client received", Want: e.label, Got: fmt.Sprintf("%s with id %q", steps.Clip(m.Chunk), m.id), Frame: -1}}
		}
		w.Saw(1)
	}
	return nil
}
