package helix

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

func statusSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the stream is made (paused|active)$`, onStream1(func(s *stream, status string) error {
			err := s.must("POST", "/status", map[string]any{"status": status})
			s.paused = err == nil && status == "paused"
			return err
		}))
		steps.Step1(v, k, `^a call asks to make the stream (paused|active)$`, onStream1(func(s *stream, status string) error {
			// Whether it is refused or has no effect is the server's choice.
			_, err := s.control("POST", "/status", map[string]any{"status": status})
			return err
		}))
	})
	steps.Step2(v, features.Then, `^`+aClient+` receives the status (paused|active)$`, receivesStatus)
	steps.Step2(v, features.Given, `^`+aClient+` is told of the status (paused|active)$`, receivesStatus)
	steps.Step1(v, features.Then, `^`+aClient+` is told that the stream is active$`, receivesActive)
	steps.Step1(v, features.Then, `^`+aClient+` receives no status frame$`, noStatus)
}

func infoSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the info of the stream is asked for$`, func(w *world) error { return requestInfo(w, "") })
	})
	steps.Step0(v, features.When, `^the info of a stream that never was is asked for$`, func(w *world) error { return requestInfo(w, "unknown") })
	steps.Step1(v, features.Then, `^the info says the status "([^"]*)"$`, func(w *world, want string) error { return infoMember(w, "status", strconv.Quote(want)) })
	steps.Step1(v, features.Then, `^the info counts (\d+) chunks$`, func(w *world, n int) error { return infoMember(w, "chunkCount", strconv.Itoa(n)) })
	steps.Step1(v, features.Then, `^the latest sequence of the info is that of event (\d+)$`, onStream1(func(s *stream, n int) error {
		id, err := s.idOf(n)
		if err != nil {
			return err
		}
		return infoMember(s.w, "latestSequence", id)
	}))
	steps.Step1(v, features.Then, `^the latest sequence of the info is 0 or that of event (\d+), unless the reset was refused$`, onStream1(latestAfterReset))
	steps.Step0(v, features.Then, `^the latest sequence of the info is 0$`, func(w *world) error { return infoMember(w, "latestSequence", "0") })
	steps.Step1(v, features.Then, `^the latest sequence of the info is at least that of event (\d+)$`, latestAtLeast)
}

func silenceSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^nothing is written for the idle time$`, func(w *world) error {
			w.idle(w.Session().Target().Timing().Idle)
			return nil
		})
	})
	steps.Step1(v, features.When, `^nothing is written for a heartbeat of at most (\d+) s$`, func(w *world, most int) error {
		w.beat, w.longestBeat = w.Session().Target().Timing().Heartbeat, time.Duration(most)*time.Second
		if w.beat == 0 {
			return &steps.Unprovable{Reason: "the config names no timing.heartbeat"}
		}
		return nil
	})
	steps.Step1(v, features.Then, `^a comment has reached `+aClient+`$`, func(w *world, who string) error {
		return w.each(who, func(c *clientState) error {
			if w.beat > w.longestBeat { // the server promises a longer silence, so nobody has to wait for it
				return c.failure(fmt.Sprintf("a heartbeat of at most %s", w.longestBeat), fmt.Sprintf("one of %s, says timing.heartbeat", w.beat), nil)
			}
			// Two intervals, and what a busy machine may add to them.
			if !c.reader.Comment(2*w.beat + min(w.Session().Target().Timing().Deadline, 3*time.Second)) {
				return c.failure("a comment in two heartbeats of silence", "none", nil)
			}
			w.Saw(1)
			return nil
		})
	})
}

// idle lets time pass while watching a client, where the rule is about time
// itself.
func (w *world) idle(d time.Duration) {
	for _, name := range w.order {
		if c := w.clients[name]; c.reader != nil {
			c.reader.Silent(d)
			return
		}
	}
	w.Idle(d)
}

// receivesStatus waits for a status frame. A server may close the response at a
// pause instead; the client then attaches again and receives it there. It may also
// tell whoever comes to an active stream that it is active, before or behind what is
// stored, so one such frame may come ahead of the pause.
func receivesStatus(w *world, who, status string) error {
	return w.each(who, func(c *clientState) error {
		awaited := "a status frame that says " + status
		m, err := c.nextOf(awaited, true)
		if err == nil && status == "paused" && m != nil && m.Type == "status" && m.Status == "active" {
			m, err = c.nextOf(awaited, true)
		}
		if err != nil {
			return c.where(err)
		}
		if m == nil || m.Type != "status" || m.Status != status {
			return c.differs(fmt.Sprintf("a status frame that says %s", status), m)
		}
		w.Saw(1)
		return nil
	})
}

// receivesActive waits for a status frame that says active. A client whose response
// was closed at the pause has attached to an active stream and receives no such frame.
func receivesActive(w *world, who string) error {
	cs, err := w.clientsNamed(who)
	if err != nil {
		return err
	}
	mark, err := cs[0].stream.marker()
	if err != nil {
		return err
	}
	for _, c := range cs {
		m, err := c.nextOf("a status frame that says active", true)
		if err != nil {
			return c.where(err)
		}
		notified := m != nil && m.Type == "status" && m.Status == "active"
		again := len(c.readers) > 1 && m.is(mark)
		if !notified && !again {
			return c.differs("a status frame that says active", m)
		}
		if !notified { // it came back, and was sent what there is
			w.NoteAlternative()
		}
		w.Saw(1)
	}
	return nil
}

// noStatus reads up to a marker and fails on a status frame before it, except one
// that says that the stream is active: that is how it is, and no history.
func noStatus(w *world, who string) error {
	return w.each(who, func(c *clientState) error {
		mark, err := c.stream.marker()
		if err != nil {
			return err
		}
		present := false
		for {
			m, err := c.nextOf("the marker", true)
			if err != nil {
				return c.where(err)
			}
			if !present && m != nil && m.Type == "status" && m.Status == "active" {
				present = true
				w.NoteAlternative()
				continue
			}
			if m == nil || m.Type != "chunk" {
				return c.differs("chunks up to the marker and no status frame", m)
			}
			if m.is(mark) {
				w.Saw(1)
				break
			}
		}
		return nil
	})
}

func requestInfo(w *world, name string) error {
	id := ""
	if name == "unknown" {
		id = w.Session().NewStream()
	} else {
		s, err := w.stream("")
		if err != nil {
			return err
		}
		id = s.id
	}
	e, err := targethelix.AskInfo(w.Session(), target.DocumentRequest{Stream: id, Heading: w.Step()})
	w.answer = e
	return err
}

// infoMember compares one member of StreamInfo.
func infoMember(w *world, member, want string) error {
	got, err := info(w, member)
	if err != nil {
		return err
	}
	value, err := steps.Decode([]byte(want))
	if err != nil {
		return steps.Faultf("%s is not JSON", want)
	}
	if !steps.Same(got, value) {
		return &steps.Failure{Finding: record.Finding{Message: member + " of StreamInfo", Want: want, Got: string(steps.Encode(got)), Frame: -1}, Exchange: w.answer}
	}
	w.Saw(1)
	return nil
}

func info(w *world, member string) (any, error) {
	if w.answer == nil {
		return nil, steps.Faultf("no info was asked for")
	}
	v := w.answer.Now()
	got, err := steps.Decode(v.Answer)
	m, ok := got.(map[string]any)
	if err != nil || !ok || v.Status != 200 {
		return nil, &steps.Failure{
			Finding: record.Finding{Message: "StreamInfo", Want: "200 with a JSON object", Got: steps.StatusOf(v), Frame: -1}, Exchange: w.answer,
		}
	}
	return m[member], nil
}

// latestAfterReset accepts both readings of what was assigned: ever, or since.
func latestAfterReset(s *stream, n int) error {
	if refused, err := resetRefused(s.w); refused || err != nil {
		return err
	}
	id, err := s.idOf(n)
	if err != nil {
		return err
	}
	if got, err := info(s.w, "latestSequence"); err == nil && steps.Same(got, json.Number("0")) {
		s.w.NoteAlternative()
		s.w.Saw(1)
		return nil
	}
	return infoMember(s.w, "latestSequence", id)
}

func latestAtLeast(w *world, n int) error {
	e, err := numbered(w, n)
	if err != nil {
		return err
	}
	got, err := info(w, "latestSequence")
	if err != nil {
		return err
	}
	num, ok := got.(json.Number)
	low := steps.Float(json.Number(e.id))
	if !ok || !(steps.Float(num) >= low) {
		return &steps.Failure{Finding: record.Finding{Message: "latestSequence of StreamInfo", Want: "at least " + e.id, Got: string(steps.Encode(got)), Frame: -1}, Exchange: w.answer}
	}
	w.Saw(1)
	return nil
}
