package streams

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps/helix/world"

	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

func statusSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the stream is made (paused|active)$`, world.OnStream1(func(s *world.Stream, status string) error {
			err := s.Must("POST", "/status", map[string]any{"status": status})
			s.Paused = err == nil && status == "paused"
			return err
		}))
		steps.Step1(v, k, `^a call asks to make the stream (paused|active)$`, world.OnStream1(func(s *world.Stream, status string) error {
			// The server may refuse it or accept it without effect.
			_, err := s.Control("POST", "/status", map[string]any{"status": status})
			return err
		}))
	})
	steps.Step2(v, features.Then, `^`+world.AClient+` receives the status (paused|active)$`, receivesStatus)
	steps.Step2(v, features.Given, `^`+world.AClient+` is told of the status (paused|active)$`, receivesStatus)
	steps.Step1(v, features.Then, `^`+world.AClient+` is told that the stream is active$`, receivesActive)
	steps.Step1(v, features.Then, `^`+world.AClient+` receives no status frame$`, noStatus)
}

func infoSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the info of the stream is asked for$`, func(w *world.World) error { return requestInfo(w, "") })
	})
	steps.Step0(v, features.When, `^the info of a stream that never was is asked for$`, func(w *world.World) error { return requestInfo(w, "unknown") })
	steps.Step1(v, features.Then, `^the info says the status "([^"]*)"$`, func(w *world.World, want string) error { return infoMember(w, "status", strconv.Quote(want)) })
	steps.Step1(v, features.Then, `^the info counts (\d+) chunks$`, func(w *world.World, n int) error { return infoMember(w, "chunkCount", strconv.Itoa(n)) })
	steps.Step1(v, features.Then, `^the latest sequence of the info is that of event (\d+)$`, world.OnStream1(func(s *world.Stream, n int) error {
		id, err := s.IdOf(n)
		if err != nil {
			return err
		}
		return infoMember(s.World, "latestSequence", id)
	}))
	steps.Step1(v, features.Then, `^the latest sequence of the info is 0 or that of event (\d+), unless the reset was refused$`, world.OnStream1(latestAfterReset))
	steps.Step0(v, features.Then, `^the latest sequence of the info is 0$`, func(w *world.World) error { return infoMember(w, "latestSequence", "0") })
	steps.Step1(v, features.Then, `^the latest sequence of the info is at least that of event (\d+)$`, latestAtLeast)
}

func silenceSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^nothing is written for the idle time$`, func(w *world.World) error {
			w.Watch(w.Session().Target().Timing().Idle)
			return nil
		})
	})
	steps.Step1(v, features.When, `^nothing is written for a heartbeat of at most (\d+) s$`, func(w *world.World, most int) error {
		w.Heartbeat, w.LongestHeartbeat = w.Session().Target().Timing().Heartbeat, time.Duration(most)*time.Second
		if w.Heartbeat == 0 {
			return &steps.Unprovable{Reason: "the config names no timing.heartbeat"}
		}
		return nil
	})
	steps.Step1(v, features.Then, `^a comment has reached `+world.AClient+`$`, func(w *world.World, who string) error {
		return w.Each(who, func(c *world.Client) error {
			if w.Heartbeat > w.LongestHeartbeat { // the server declares a longer interval, so that a wait proves nothing
				return c.Failure(fmt.Sprintf("a heartbeat of at most %s", w.LongestHeartbeat), fmt.Sprintf("one of %s, says timing.heartbeat", w.Heartbeat), nil)
			}
			// Two intervals, and the delay of a busy machine.
			if !c.Reader.Comment(2*w.Heartbeat + min(w.Session().Target().Timing().Deadline, 3*time.Second)) {
				return c.Failure("a comment in two heartbeats of silence", "none", nil)
			}
			w.Saw(1)
			return nil
		})
	})
}

// receivesStatus waits for a status frame. A server may close the response at a pause instead; the client then attaches
// again and receives the frame there. The server may also send a status frame "active" to a reader that attaches to an
// active stream, before or after the stored chunks, so one such frame may precede the pause.
func receivesStatus(w *world.World, who, status string) error {
	return w.Each(who, func(c *world.Client) error {
		awaited := "a status frame that says " + status
		m, err := c.NextOf(awaited, true)
		if err == nil && status == "paused" && m != nil && m.Type == "status" && m.Status == "active" {
			m, err = c.NextOf(awaited, true)
		}
		if err != nil {
			return c.Where(err)
		}
		if m == nil || m.Type != "status" || m.Status != status {
			return c.Differs(fmt.Sprintf("a status frame that says %s", status), m)
		}
		w.Saw(1)
		return nil
	})
}

// receivesActive waits for a status frame with the status active. A client whose response
// was closed at the pause has attached to an active stream and receives no such frame.
func receivesActive(w *world.World, who string) error {
	cs, err := w.ClientsNamed(who)
	if err != nil {
		return err
	}
	mark, err := cs[0].Stream.Marker()
	if err != nil {
		return err
	}
	for _, c := range cs {
		m, err := c.NextOf("a status frame that says active", true)
		if err != nil {
			return c.Where(err)
		}
		notified := m != nil && m.Type == "status" && m.Status == "active"
		again := len(c.Readers) > 1 && m.Is(mark)
		if !notified && !again {
			return c.Differs("a status frame that says active", m)
		}
		if !notified { // the client reconnected and received the stored chunks
			w.NoteAlternative()
		}
		w.Saw(1)
	}
	return nil
}

// noStatus reads up to a marker and fails on a status frame before it. One frame "active" may come, since it describes
// the present.
func noStatus(w *world.World, who string) error {
	return w.Each(who, func(c *world.Client) error {
		mark, err := c.Stream.Marker()
		if err != nil {
			return err
		}
		present := false
		for {
			m, err := c.NextOf("the marker", true)
			if err != nil {
				return c.Where(err)
			}
			if !present && m != nil && m.Type == "status" && m.Status == "active" {
				present = true
				w.NoteAlternative()
				continue
			}
			if m == nil || m.Type != "chunk" {
				return c.Differs("chunks up to the marker and no status frame", m)
			}
			if m.Is(mark) {
				w.Saw(1)
				break
			}
		}
		return nil
	})
}

func requestInfo(w *world.World, name string) error {
	id := ""
	if name == "unknown" {
		id = w.Session().NewStream()
	} else {
		s, err := w.Stream("")
		if err != nil {
			return err
		}
		id = s.ID
	}
	e, err := targethelix.GetInfo(w.Session(), target.DocumentRequest{Stream: id, Heading: w.Step()})
	w.Answer = e
	return err
}

// infoMember compares one member of StreamInfo.
func infoMember(w *world.World, member, want string) error {
	got, err := info(w, member)
	if err != nil {
		return err
	}
	value, err := steps.Decode([]byte(want))
	if err != nil {
		return steps.Faultf("%s is not JSON", want)
	}
	if !steps.Same(got, value) {
		return &steps.Failure{Finding: record.Finding{Message: member + " of StreamInfo", Want: want, Got: string(steps.Encode(got)), Frame: -1}, Exchange: w.Answer}
	}
	w.Saw(1)
	return nil
}

func info(w *world.World, member string) (any, error) {
	if w.Answer == nil {
		return nil, steps.Faultf("no info was asked for")
	}
	v := w.Answer.Now()
	got, err := steps.Decode(v.Answer)
	m, ok := got.(map[string]any)
	if err != nil || !ok || v.Status != 200 {
		return nil, &steps.Failure{
			Finding: record.Finding{Message: "StreamInfo", Want: "200 with a JSON object", Got: steps.StatusOf(v), Frame: -1}, Exchange: w.Answer,
		}
	}
	return m[member], nil
}

// latestAfterReset accepts both the latest sequence ever assigned and 0 after a reset.
func latestAfterReset(s *world.Stream, n int) error {
	if refused, err := resetRefused(s.World); refused || err != nil {
		return err
	}
	id, err := s.IdOf(n)
	if err != nil {
		return err
	}
	if got, err := info(s.World, "latestSequence"); err == nil && steps.Same(got, json.Number("0")) {
		s.World.NoteAlternative()
		s.World.Saw(1)
		return nil
	}
	return infoMember(s.World, "latestSequence", id)
}

func latestAtLeast(w *world.World, n int) error {
	e, err := world.Numbered(w, n)
	if err != nil {
		return err
	}
	got, err := info(w, "latestSequence")
	if err != nil {
		return err
	}
	num, ok := got.(json.Number)
	low := steps.Float(json.Number(e.ID))
	if !ok || !(steps.Float(num) >= low) {
		return &steps.Failure{Finding: record.Finding{Message: "latestSequence of StreamInfo", Want: "at least " + e.ID, Got: string(steps.Encode(got)), Frame: -1}, Exchange: w.Answer}
	}
	w.Saw(1)
	return nil
}
