package steps

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
)

func statusSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		step1(v, k, `^the stream is made (paused|active)$`, onStream1(func(w *World, s *stream, status string) error {
			err := w.must(s, "POST", "/status", map[string]any{"status": status})
			s.paused = err == nil && status == "paused"
			return err
		}))
		step1(v, k, `^a call asks to make the stream (paused|active)$`, onStream1(func(w *World, s *stream, status string) error {
			// Whether it is refused or has no effect is the server's choice.
			_, err := w.control(s, "POST", "/status", map[string]any{"status": status})
			return err
		}))
	})
	step2(v, features.Then, `^`+client+` receives the status (paused|active)$`, func(w *World, who, status string) error {
		return w.receivesStatus(who, status)
	})
	step2(v, features.Given, `^`+client+` is told of the status (paused|active)$`, func(w *World, who, status string) error {
		return w.receivesStatus(who, status)
	})
	step1(v, features.Then, `^`+client+` is told that the stream is active$`, func(w *World, who string) error { return w.toldActive(who) })
	step1(v, features.Then, `^`+client+` receives no status frame$`, func(w *World, who string) error { return w.noStatus(who) })
}

func infoSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		step0(v, k, `^the info of the stream is asked for$`, func(w *World) error { return w.askInfo("") })
	})
	step0(v, features.When, `^the info of a stream that never was is asked for$`, func(w *World) error { return w.askInfo("unknown") })
	step1(v, features.Then, `^the info says the status "([^"]*)"$`, func(w *World, want string) error { return w.infoMember("status", strconv.Quote(want)) })
	step1(v, features.Then, `^the info counts (\d+) chunks$`, func(w *World, n int) error { return w.infoMember("chunkCount", strconv.Itoa(n)) })
	step1(v, features.Then, `^the latest sequence of the info is that of event (\d+)$`, onStream1(func(w *World, s *stream, n int) error {
		id, err := w.idOf(s, n)
		if err != nil {
			return err
		}
		return w.infoMember("latestSequence", id)
	}))
	step0(v, features.Then, `^the latest sequence of the info is 0$`, func(w *World) error { return w.infoMember("latestSequence", "0") })
	step1(v, features.Then, `^the latest sequence of the info is at least that of event (\d+)$`, func(w *World, n int) error { return w.latestAtLeast(n) })
}

func silenceSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		step0(v, k, `^nothing is written for the idle time$`, func(w *World) error {
			w.idle(w.session.Target().Timing().Idle)
			return nil
		})
	})
	step0(v, features.When, `^nothing is written for a heartbeat$`, func(w *World) error {
		beat := w.session.Target().Timing().Heartbeat
		if beat == 0 {
			return &Unprovable{"the config names no timing.heartbeat"}
		}
		w.beat = beat
		return nil
	})
	step1(v, features.Then, `^a comment has reached `+client+`$`, func(w *World, who string) error {
		return w.each(who, func(c *clientState) error {
			// Two intervals, and what a busy machine may add to them.
			if !c.reader.Comment(2*w.beat + 300*time.Millisecond) {
				return c.failure("a comment in two heartbeats of silence", "none", nil)
			}
			w.saw(1)
			return nil
		})
	})
}

// idle lets time pass while watching a client, where the rule is about time
// itself.
func (w *World) idle(d time.Duration) {
	for _, name := range w.order {
		if c := w.clients[name]; c.reader != nil {
			c.reader.Silent(d)
			return
		}
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.session.Context().Done():
	}
}

// receivesStatus waits for a status frame. A server may close the response at a
// pause instead; the client then attaches again and is told there.
func (w *World) receivesStatus(who, status string) error {
	return w.each(who, func(c *clientState) error {
		m, err := c.nextOf("a status frame that says "+status, true)
		if err != nil {
			return c.where(err)
		}
		if m == nil || m.Type != "status" || m.Status != status {
			return c.differs(fmt.Sprintf("a status frame that says %s", status), m)
		}
		w.saw(1)
		return nil
	})
}

// toldActive waits for a status frame that says active. A client whose response
// was closed at the pause has attached to an active stream and is told nothing.
func (w *World) toldActive(who string) error {
	cs, err := w.clientsNamed(who)
	if err != nil {
		return err
	}
	mark, err := w.marker(cs[0].stream)
	if err != nil {
		return err
	}
	for _, c := range cs {
		m, err := c.nextOf("a status frame that says active", true)
		if err != nil {
			return c.where(err)
		}
		told := m != nil && m.Type == "status" && m.Status == "active"
		again := len(c.readers) > 1 && m.is(mark)
		if !told && !again {
			return c.differs("a status frame that says active", m)
		}
		w.saw(1)
	}
	return nil
}

// noStatus reads up to a marker and fails on a status frame before it.
func (w *World) noStatus(who string) error {
	return w.each(who, func(c *clientState) error {
		mark, err := w.marker(c.stream)
		if err != nil {
			return err
		}
		for {
			m, err := c.nextOf("the marker", true)
			if err != nil {
				return c.where(err)
			}
			if m == nil || m.Type != "chunk" {
				return c.differs("chunks up to the marker and no status frame", m)
			}
			if m.is(mark) {
				w.saw(1)
				break
			}
		}
		return nil
	})
}

func (w *World) askInfo(name string) error {
	id := ""
	if name == "unknown" {
		id = w.session.NewStream()
	} else {
		s, err := w.stream("")
		if err != nil {
			return err
		}
		id = s.id
	}
	e, err := w.session.Document(target.DocumentRequest{Stream: id, Heading: w.heading})
	w.answer = e
	return err
}

// infoMember compares one member of StreamInfo.
func (w *World) infoMember(member, want string) error {
	got, err := w.info(member)
	if err != nil {
		return err
	}
	value, err := decode([]byte(want))
	if err != nil {
		return fault("%s is not JSON", want)
	}
	if !same(got, value) {
		return &Failure{Message: member + " of StreamInfo", Want: want, Got: string(encode(got)), Exchange: w.answer, Frame: -1}
	}
	w.saw(1)
	return nil
}

func (w *World) info(member string) (any, error) {
	if w.answer == nil {
		return nil, fault("no info was asked for")
	}
	v := w.answer.Now()
	got, err := decode(v.Answer)
	m, ok := got.(map[string]any)
	if err != nil || !ok || v.Status != 200 {
		return nil, &Failure{
			Message: "StreamInfo", Want: "200 with a JSON object", Got: statusOf(v), Exchange: w.answer, Frame: -1,
		}
	}
	return m[member], nil
}

func (w *World) latestAtLeast(n int) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	e, err := s.event(n)
	if err != nil {
		return err
	}
	if e.id == "" {
		return fault("no client has received event %d", n)
	}
	got, err := w.info("latestSequence")
	if err != nil {
		return err
	}
	num, ok := got.(json.Number)
	low := float(json.Number(e.id))
	if !ok || !(float(num) >= low) {
		return &Failure{Message: "latestSequence of StreamInfo", Want: "at least " + e.id, Got: string(encode(got)), Exchange: w.answer, Frame: -1}
	}
	w.saw(1)
	return nil
}
