package steps

import (
	"fmt"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
)

func loadSteps(v *Vocabulary) {
	step2(v, features.When, `^(\d+) writers write (\d+) events each at the same time$`, func(w *World, writers, each int) error {
		return w.writeAtOnce(writers, each)
	})
	step1(v, features.Then, `^`+client+` receives every one of them once, each writer's in its order$`, func(w *World, who string) error {
		return w.receivesInterleaved(who)
	})
	step0(v, features.Then, `^every client has received the same order with the same sequences$`, func(w *World) error { return w.sameOrder() })
	step3(v, features.Then, `^`+client+` receives event (\d+) with sequence (\d+)$`, func(w *World, who string, n, seq int) error {
		cs, err := w.receives(who, fmt.Sprint("event ", n))
		if err != nil {
			return err
		}
		for _, c := range cs {
			if c.last.id != fmt.Sprint(seq) {
				return c.failure(fmt.Sprintf("event %d with id %d", n, seq), fmt.Sprintf("id %q", c.last.id), c.last)
			}
		}
		return nil
	})
	step2(v, features.Then, `^`+client+` receives `+events+` with sequences that follow each other$`, func(w *World, who, list string) error {
		return w.consecutive(who, list)
	})
	step0(v, features.Then, `^every sequence named one chunk on every connection$`, func(w *World) error { return w.oneChunkEach() })
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

// writeAtOnce lets several writers write concurrently. The ledger holds their
// events grouped by writer.
func (w *World) writeAtOnce(writers, each int) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	plan := make([][]*event, writers)
	for i := range plan {
		name := fmt.Sprint("w", i+1)
		if err := w.openWriter(s, name); err != nil {
			return err
		}
		for k := range each {
			label := fmt.Sprintf("%s-%d", name, k+1)
			e := newEvent("event "+label, textDelta(label, k+1, agentOf(name)))
			plan[i] = append(plan[i], e)
			s.events = append(s.events, e)
		}
	}
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for i, evs := range plan {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, e := range evs {
				if errs[i] = w.write(s, fmt.Sprint("w", i+1), e); errs[i] != nil {
					return
				}
			}
		}()
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// receivesInterleaved reads as many chunks as were written and checks that each
// came once and that no writer's were reordered.
func (w *World) receivesInterleaved(who string) error {
	cs, err := w.clientsNamed(who)
	if err != nil {
		return err
	}
	for _, c := range cs {
		left := map[string][]*event{} // writer → what is still to come, in order
		for _, e := range c.stream.events {
			left[writerOf(e)] = append(left[writerOf(e)], e)
		}
		ids := map[string]bool{}
		for range c.stream.events {
			m, err := c.next("an event of one of the writers")
			if err != nil {
				return c.where(err)
			}
			if m == nil || m.Type != "chunk" {
				return c.differs("an event of one of the writers", m)
			}
			agent, _ := m.chunk.(map[string]any)["agentId"].(string)
			queue := left[agent]
			if len(queue) == 0 || !same(queue[0].value, m.chunk) {
				want := "no more events of " + agent
				if len(queue) > 0 {
					want = queue[0].label
				}
				return c.differs(want, m)
			}
			if ids[m.id] {
				return c.failure("a sequence of its own for every event", fmt.Sprintf("id %q twice", m.id), m)
			}
			ids[m.id] = true
			left[agent] = queue[1:]
			w.saw(1)
		}
	}
	return nil
}

func writerOf(e *event) string {
	agent, _ := e.value.(map[string]any)["agentId"].(string)
	return agent
}

// sameOrder compares what the clients have received, id by id.
func (w *World) sameOrder() error {
	var first []string
	var of *clientState
	for _, name := range w.order {
		c := w.clients[name]
		var got []string
		for _, r := range c.readers {
			for _, f := range r.Now().Frames {
				if m := understand(f); m != nil && m.Type == "chunk" {
					got = append(got, m.id+" "+string(encode(m.chunk)))
				}
			}
		}
		if of == nil {
			first, of = got, c
			continue
		}
		for i := range max(len(first), len(got)) {
			a, b := nth(first, i), nth(got, i)
			if a != b {
				return c.failure(fmt.Sprintf("as event %d what %s received (%s)", i+1, of.title(), clip([]byte(a))), clip([]byte(b)), nil)
			}
		}
		w.saw(len(got))
	}
	return nil
}

func nth(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
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

// consecutive checks that the ids of the listed events count up by one.
func (w *World) consecutive(who, list string) error {
	cs, err := w.receives(who, list)
	if err != nil {
		return err
	}
	for _, c := range cs {
		before := ""
		for _, f := range c.reader.Now().Frames {
			m := understand(f)
			if m == nil || m.Type != "chunk" {
				continue
			}
			if before != "" && m.id != plus(before, 1) {
				return c.failure("id "+plus(before, 1)+" after "+before, "id "+m.id, m)
			}
			before = m.id
			w.saw(1)
		}
	}
	return nil
}

// oneChunkEach compares, over every connection of the scenario, the chunk that
// an id stood for.
func (w *World) oneChunkEach() error {
	named := map[string]any{}
	for _, name := range w.order {
		c := w.clients[name]
		for _, r := range c.readers {
			for _, f := range r.Now().Frames {
				m := understand(f)
				if m == nil || m.Type != "chunk" {
					continue
				}
				first, seen := named[m.id]
				if !seen {
					named[m.id] = m.chunk
					continue
				}
				if !same(first, m.chunk) {
					return &Failure{
						Message: "the chunk with id " + m.id, Want: clip(encode(first)) + ", as on another connection",
						Got: clip(encode(m.chunk)), Exchange: r.Exchange, Frame: m.frame.Index,
					}
				}
				w.saw(1)
			}
		}
	}
	return nil
}
