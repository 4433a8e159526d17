package steps

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
)

func loadSteps(v *Vocabulary) {
	step0(v, features.Given, `^a stalled client$`, func(w *World) error {
		c, err := w.attach("stalled client", "", target.ReadRequest{Stalled: true})
		if err != nil {
			return err
		}
		if _, err := c.reader.Head(); err != nil {
			return c.where(err)
		}
		return nil
	})
	step1(v, features.When, `^the writer writes (\d+) events of 48 KiB$`, func(w *World, n int) error { return w.writeLarge(n, nil) })
	both(func(k features.Keyword) {
		step1(v, k, `^the writer writes (\d+) events of 48 KiB of step 2$`, func(w *World, n int) error {
			return w.writeLarge(n, map[string]any{"step": 2})
		})
	})
	step0(v, features.When, `^the stalled client reads on$`, func(w *World) error {
		w.clients["stalled client"].reader.Resume()
		return nil
	})
	step0(v, features.Then, `^the stalled client has received everything, on one connection or by resuming$`, func(w *World) error {
		c := w.clients["stalled client"]
		c.reader.Resume()
		return w.receivedEvenIfCut(c)
	})
	step0(v, features.Then, `^the huge chunk was refused or the connection was closed$`, func(w *World) error {
		if w.attempt == nil {
			w.saw(1) // the server hung up
			return nil
		}
		return w.mustRefuse()
	})
}

// writeLarge writes events so large that they don't fit the buffers between a
// server and a client that doesn't read.
func (w *World) writeLarge(n int, extra map[string]any) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	filler := strings.Repeat("x", 48<<10)
	for range n {
		label := fmt.Sprintf("event %d", len(s.events)+1)
		members := map[string]any{"type": "text_delta", "delta": label + " " + filler}
		for k, v := range extra {
			members[k] = v
		}
		e := newEvent(label, chunk(members))
		s.events = append(s.events, e)
		if err := w.write(s, "", e); err != nil {
			return err
		}
	}
	return nil
}

// receivedEvenIfCut checks that a client gets every event once. A broken
// connection is a cut that it may resume from, as a clean end is.
func (w *World) receivedEvenIfCut(c *clientState) error {
	c.resumes = true
	return w.received([]*clientState{c}, c.stream.events)
}
