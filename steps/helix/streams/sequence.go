package streams

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func concurrentSteps(v *steps.Sentences[*world.World]) {
	steps.Step2(v, features.When, `^(\d+) writers write (\d+) events each at the same time$`, writeAtOnce)
	steps.Step1(v, features.Then, `^`+world.AClient+` receives every one of them once, each writer's in its order$`, receivesInterleaved)
	steps.Step0(v, features.Then, `^every client has received the same order with the same sequences$`, sameOrder)
	steps.Step3(v, features.Then, `^`+world.AClient+` receives event (\d+) with sequence (\d+)$`, func(w *world.World, who string, n, seq int) error {
		cs, err := receives(w, who, fmt.Sprint("event ", n))
		if err != nil {
			return err
		}
		for _, c := range cs {
			if c.Last.ID != fmt.Sprint(seq) {
				return c.Failure(fmt.Sprintf("event %d with id %d", n, seq), fmt.Sprintf("id %q", c.Last.ID), c.Last)
			}
		}
		return nil
	})
	steps.Step2(v, features.Then, `^`+world.AClient+` receives `+world.Events+` with sequences that follow each other$`, consecutive)
	steps.Step0(v, features.Then, `^every sequence named one chunk on every connection$`, oneChunkEach)
}

// writeAtOnce has several writers write concurrently. Events groups their events by writer.
func writeAtOnce(w *world.World, writers, each int) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	for i := range writers {
		if err := world.OpenWriter(s, fmt.Sprint("w", i+1)); err != nil {
			return err
		}
	}
	return writeAll(s, writers, each)
}

// writeAll has open writers write concurrently.
func writeAll(s *world.Stream, writers, each int) error {
	plan := make([][]*world.Event, writers)
	for i := range plan {
		name := fmt.Sprint("w", i+1)
		for k := range each {
			label := fmt.Sprintf("%s-%d", name, k+1)
			e := world.NewEvent("event "+label, s.World.TextDelta(label, k+1, world.AgentOf(name)))
			plan[i] = append(plan[i], e)
			s.Events = append(s.Events, e)
		}
	}
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for i, evs := range plan {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, e := range evs {
				if errs[i] = s.Write(fmt.Sprint("w", i+1), e); errs[i] != nil {
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

// receivesInterleaved reads as many chunks as were written and checks that each came once and that the chunks of each
// writer stored their order.
func receivesInterleaved(w *world.World, who string) error {
	return w.Each(who, func(c *world.Client) error {
		left := map[string][]*world.Event{} // writer → events to come, in order
		for _, e := range c.Stream.Events {
			left[writerOf(e)] = append(left[writerOf(e)], e)
		}
		ids := map[string]bool{}
		for range c.Stream.Events {
			m, err := c.Next("an event of one of the writers")
			if err != nil {
				return c.Where(err)
			}
			if m == nil || m.Type != "chunk" {
				return c.Differs("an event of one of the writers", m)
			}
			agent, _ := m.Member("agentId").(string)
			queue := left[agent]
			if len(queue) == 0 || !m.Is(queue[0]) {
				want := "no more events of " + agent
				if len(queue) > 0 {
					want = queue[0].Label
				}
				return c.Differs(want, m)
			}
			if ids[m.ID] {
				return c.Failure("a sequence of its own for every event", fmt.Sprintf("id %q twice", m.ID), m)
			}
			ids[m.ID] = true
			left[agent] = queue[1:]
			w.Saw(1)
		}
		return nil
	})
}

func writerOf(e *world.Event) string {
	agent, _ := steps.MemberOf(e.Value(), "agentId").(string)
	return agent
}

// sameOrder checks that all clients received the same chunks with the same ids in the same order.
func sameOrder(w *world.World) error {
	var first []string
	var of *world.Client
	for _, name := range w.Order {
		c := w.Clients[name]
		var got []string
		for _, r := range c.Readers {
			for _, f := range r.Now().Frames {
				if m := world.ReadFrame(f); m != nil && m.Type == "chunk" {
					got = append(got, m.ID+" "+string(steps.Encode(m.Value())))
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
				return c.Failure(fmt.Sprintf("as event %d what %s received (%s)", i+1, of.Title(), steps.Clip([]byte(a))), steps.Clip([]byte(b)), nil)
			}
		}
		w.Saw(len(got))
	}
	return nil
}

func nth(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

// consecutive checks that the ids of all chunks on the connection ascend by one.
func consecutive(w *world.World, who, list string) error {
	cs, err := receives(w, who, list)
	if err != nil {
		return err
	}
	for _, c := range cs {
		before := ""
		for _, f := range c.Reader.Now().Frames {
			m := world.ReadFrame(f)
			if m == nil || m.Type != "chunk" {
				continue
			}
			if next := plus(before, 1); before != "" && (next == before || m.ID != next) {
				return c.Failure("the number after id "+strconv.Quote(before), "id "+strconv.Quote(m.ID), m)
			}
			before = m.ID
			w.Saw(1)
		}
	}
	return nil
}

// oneChunkEach checks that each id names the same chunk on every connection of the scenario.
func oneChunkEach(w *world.World) error {
	named := map[string]any{}
	for _, name := range w.Order {
		c := w.Clients[name]
		for _, r := range c.Readers {
			for _, f := range r.Now().Frames {
				m := world.ReadFrame(f)
				if m == nil || m.Type != "chunk" {
					continue
				}
				first, seen := named[m.ID]
				if !seen {
					named[m.ID] = m.Value()
					continue
				}
				if !steps.Same(first, m.Value()) {
					return &steps.Failure{
						Finding: record.Finding{Message: "the chunk with id " + m.ID, Want: steps.Clip(steps.Encode(first)) + ", as on another connection", Got: steps.Clip(m.Chunk), Frame: m.Frame.Index}, Exchange: r.Exchange,
					}
				}
				w.Saw(1)
			}
		}
	}
	return nil
}
