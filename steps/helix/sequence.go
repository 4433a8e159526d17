package helix

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
)

func concurrentSteps(v *steps.Sentences[*world]) {
	steps.Step2(v, features.When, `^(\d+) writers write (\d+) events each at the same time$`, writeAtOnce)
	steps.Step1(v, features.Then, `^`+aClient+` receives every one of them once, each writer's in its order$`, receivesInterleaved)
	steps.Step0(v, features.Then, `^every client has received the same order with the same sequences$`, sameOrder)
	steps.Step3(v, features.Then, `^`+aClient+` receives event (\d+) with sequence (\d+)$`, func(w *world, who string, n, seq int) error {
		cs, err := receives(w, who, fmt.Sprint("event ", n))
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
	steps.Step2(v, features.Then, `^`+aClient+` receives `+events+` with sequences that follow each other$`, consecutive)
	steps.Step0(v, features.Then, `^every sequence named one chunk on every connection$`, oneChunkEach)
}

// writeAtOnce lets several writers write concurrently. The ledger holds their
// events grouped by writer.
func writeAtOnce(w *world, writers, each int) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	for i := range writers {
		if err := openWriter(s, fmt.Sprint("w", i+1)); err != nil {
			return err
		}
	}
	return writeAll(s, writers, each)
}

// writeAll lets open writers write concurrently.
func writeAll(s *stream, writers, each int) error {
	plan := make([][]*event, writers)
	for i := range plan {
		name := fmt.Sprint("w", i+1)
		for k := range each {
			label := fmt.Sprintf("%s-%d", name, k+1)
			e := newEvent("event "+label, s.w.textDelta(label, k+1, agentOf(name)))
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
				if errs[i] = s.write(fmt.Sprint("w", i+1), e); errs[i] != nil {
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
func receivesInterleaved(w *world, who string) error {
	return w.each(who, func(c *clientState) error {
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
			agent, _ := m.member("agentId").(string)
			queue := left[agent]
			if len(queue) == 0 || !m.is(queue[0]) {
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
			w.Saw(1)
		}
		return nil
	})
}

func writerOf(e *event) string {
	agent, _ := steps.MemberOf(e.value(), "agentId").(string)
	return agent
}

// sameOrder compares what the clients have received, id by id.
func sameOrder(w *world) error {
	var first []string
	var of *clientState
	for _, name := range w.order {
		c := w.clients[name]
		var got []string
		for _, r := range c.readers {
			for _, f := range r.Now().Frames {
				if m := understand(f); m != nil && m.Type == "chunk" {
					got = append(got, m.id+" "+string(steps.Encode(m.value())))
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
				return c.failure(fmt.Sprintf("as event %d what %s received (%s)", i+1, of.title(), steps.Clip([]byte(a))), steps.Clip([]byte(b)), nil)
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

// consecutive checks that the ids of the listed events count up by one.
func consecutive(w *world, who, list string) error {
	cs, err := receives(w, who, list)
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
			if next := plus(before, 1); before != "" && (next == before || m.id != next) {
				return c.failure("the number after id "+strconv.Quote(before), "id "+strconv.Quote(m.id), m)
			}
			before = m.id
			w.Saw(1)
		}
	}
	return nil
}

// oneChunkEach compares, over every connection of the scenario, the chunk that
// an id stood for.
func oneChunkEach(w *world) error {
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
					named[m.id] = m.value()
					continue
				}
				if !steps.Same(first, m.value()) {
					return &steps.Failure{
						Finding: record.Finding{Message: "the chunk with id " + m.id, Want: steps.Clip(steps.Encode(first)) + ", as on another connection", Got: steps.Clip(m.Chunk), Frame: m.frame.Index}, Exchange: r.Exchange,
					}
				}
				w.Saw(1)
			}
		}
	}
	return nil
}
