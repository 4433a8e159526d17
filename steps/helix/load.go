package helix

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

func loadSteps(v *steps.Sentences[*world]) {
	steps.Step0(v, features.Given, `^a stalled client$`, func(w *world) error {
		c, err := w.attach("stalled client", "", target.ReadRequest{Stalled: true})
		if err != nil {
			return err
		}
		if _, err := c.reader.Head(); err != nil {
			return c.where(err)
		}
		return nil
	})
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the writer writes (\d+) events of 48 KiB$`, func(w *world, n int) error { return writeLarge(w, n, nil) })
		steps.Step1(v, k, `^the writer writes (\d+) events of 48 KiB of step 2$`, func(w *world, n int) error {
			return writeLarge(w, n, map[string]any{"step": 2})
		})
	})
	steps.Step0(v, features.When, `^the stalled client reads on$`, func(w *world) error {
		w.clients["stalled client"].reader.Resume()
		return nil
	})
	steps.Step1(v, features.Then, `^(the client|the stalled client) has received everything, on one connection or by resuming$`, func(w *world, who string) error {
		return w.each(who, func(c *clientState) error {
			c.reader.Resume()
			return receivedEvenIfDisconnected(w, c)
		})
	})
	steps.Step0(v, features.Then, `^the huge chunk was refused or the connection was closed$`, func(w *world) error {
		if w.attempt == nil {
			w.Saw(1) // the server hung up
			return nil
		}
		return mustRefuse(w)
	})
}

// writeLarge writes events so large that they don't fit the buffers between a
// server and a client that doesn't read.
func writeLarge(w *world, n int, extra map[string]any) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	length := min(48<<10, w.longestString()-len("event 1000 "))
	for range n {
		label := fmt.Sprintf("event %d", len(s.events)+1)
		members := map[string]any{"type": "text_delta", "delta": label + " …"}
		for k, v := range extra {
			members[k] = v
		}
		e := newEvent(label, lengthened(w.chunk(members), length))
		s.events = append(s.events, e)
		if err := s.write("", e); err != nil {
			return err
		}
	}
	return nil
}

// lengthened is a chunk with so many letters in the place of its one ellipsis. Encoding
// megabytes would take longer than all that the rest of a scenario does.
func lengthened(chunk []byte, letters int) []byte {
	before, after, _ := bytes.Cut(chunk, []byte("…"))
	out := make([]byte, len(before)+letters+len(after))
	copy(out, before)
	filler := out[len(before) : len(before)+letters]
	for n := copy(filler, "x"); n > 0 && n < letters; n *= 2 {
		copy(filler[n:], filler[:n])
	}
	copy(out[len(before)+letters:], after)
	return out
}

// receivedEvenIfDisconnected checks that a client gets every event once, from the one on that follows what it has. A broken
// connection is a cut that it may resume from, as a clean end is: a server may cut a reader that a busy machine makes slow.
func receivedEvenIfDisconnected(w *world, c *clientState) error {
	c.resumes = true
	missing := c.stream.events
	if c.last != nil {
		missing = missing[1+slices.IndexFunc(missing, c.last.is):]
	}
	return received(w, []*clientState{c}, missing)
}
