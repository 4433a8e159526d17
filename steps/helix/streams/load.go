package streams

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func loadSteps(v *steps.Sentences[*world.World]) {
	steps.Step0(v, features.Given, `^a stalled client$`, func(w *world.World) error {
		c, err := w.Attach("stalled client", "", target.ReadRequest{Stalled: true})
		if err != nil {
			return err
		}
		if _, err := c.Reader.Head(); err != nil {
			return c.Where(err)
		}
		return nil
	})
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the writer writes (\d+) events of 48 KiB$`, func(w *world.World, n int) error { return writeLarge(w, n, nil) })
		steps.Step1(v, k, `^the writer writes (\d+) events of 48 KiB of step 2$`, func(w *world.World, n int) error {
			return writeLarge(w, n, map[string]any{"step": 2})
		})
	})
	steps.Step0(v, features.When, `^the stalled client reads on$`, func(w *world.World) error {
		w.Clients["stalled client"].Reader.Resume()
		return nil
	})
	steps.Step1(v, features.Then, `^(the client|the stalled client) has received everything, on one connection or by resuming$`, func(w *world.World, who string) error {
		return w.Each(who, func(c *world.Client) error {
			c.Reader.Resume()
			return receivedEvenIfDisconnected(w, c)
		})
	})
	steps.Step0(v, features.Then, `^the huge chunk was refused or the connection was closed$`, func(w *world.World) error {
		if world.Get[*attempt](w) == nil {
			w.Saw(1) // the server closed the connection
			return nil
		}
		return mustRefuse(w)
	})
}

// writeLarge writes n events larger than the buffers between a server and a client that doesn't read.
func writeLarge(w *world.World, n int, extra map[string]any) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	length := min(48<<10, w.LongestString()-len("event 1000 "))
	for range n {
		label := fmt.Sprintf("event %d", len(s.Events)+1)
		members := map[string]any{"type": "text_delta", "delta": label + " …"}
		for k, v := range extra {
			members[k] = v
		}
		e := world.NewEvent(label, lengthened(w.Chunk(members), length))
		s.Events = append(s.Events, e)
		if err := s.Write("", e); err != nil {
			return err
		}
	}
	return nil
}

// lengthened replaces the only ellipsis of a chunk by a number of letters. Encoding megabytes would take longer than the
// other steps of a scenario.
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

// receivedEvenIfDisconnected checks that a client receives every event once, from the one after its last. The client
// resumes after a broken connection as after a clean end: a server may disconnect a reader that a busy machine makes
// slow.
func receivedEvenIfDisconnected(w *world.World, c *world.Client) error {
	c.Resumes = true
	missing := c.Stream.Events
	if c.Last != nil {
		missing = missing[1+slices.IndexFunc(missing, c.Last.Is):]
	}
	return received(w, []*world.Client{c}, missing)
}
