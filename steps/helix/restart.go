package helix

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

func restartSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the server is killed and started again$`, restart)
		steps.Step2(v, k, `^the server is killed and started again while (\d+) writers write arrays of (\d+) events$`, killedWriting)
	})
	steps.Step1(v, features.Then, `^`+aClient+` receives each of the arrays whole and once, or, if it was not answered, not at all$`, receivesArrays)
}

// restart kills the server and starts it again. Clients are cut by it, and resume; writers are opened again.
func restart(w *world) error {
	if err := w.Session().Restart(); errors.Is(err, target.ErrNoProgram) {
		return &steps.Unprovable{Reason: err.Error()}
	} else if err != nil {
		return &steps.Failure{Finding: record.Finding{Message: "the server after a kill", Want: "a server that runs again", Got: err.Error(), Frame: -1}}
	}
	for _, s := range w.streams {
		s.forgetWriters()
		s.reset = true // a writer of before may be known still, or not
	}
	return nil
}

// array is a write of several events, and whether it was answered.
type array struct {
	events   []*event
	answered bool
}

const (
	mostArrays  = 400 // that one writer writes, should the kill be slow to come
	answersEach = 3   // arrays of a writer that are answered, more or less, before the server is killed
)

// killedWriting lets writers write one array after the other and kills the server in the midst of it.
func killedWriting(w *world, writers, each int) error {
	s, err := w.stream("")
	if err != nil {
		return err
	}
	written := make([][]*array, writers)
	for i := range written {
		if err := openWriter(s, fmt.Sprint("w", i+1)); err != nil {
			return err
		}
	}
	var answered atomic.Int64
	var over atomic.Bool          // a writer that noticed nothing stops too
	enough := make(chan struct{}) // are answered, or nobody writes any more
	stop := sync.OnceFunc(func() { close(enough) })
	var all sync.WaitGroup
	for i := range written {
		all.Go(func() {
			for n := 0; n < mostArrays && !over.Load(); n++ {
				a := arrayOf(s, i, n, each)
				written[i] = append(written[i], a)
				call, err := post(s, fmt.Sprint("w", i+1), steps.Encode(bodies(a.events)))
				if err != nil || call.Now().Status/100 != 2 {
					return
				}
				a.answered = true
				if answered.Add(1) == int64(answersEach*writers) {
					stop()
				}
			}
		})
	}
	go func() {
		all.Wait()
		stop()
	}()
	<-enough
	restarted := restart(w)
	over.Store(true)
	all.Wait()
	for _, arrays := range written {
		s.arrays = append(s.arrays, arrays...)
	}
	return restarted
}

// arrayOf makes the nth array of a writer.
func arrayOf(s *stream, writer, n, each int) *array {
	a := &array{}
	for k := range each {
		label := fmt.Sprintf("w%d-%d-%d", writer+1, n+1, k+1)
		a.events = append(a.events, newEvent("event "+label, s.w.textDelta(label, k+1, agentOf(fmt.Sprint("w", writer+1)))))
	}
	return a
}

func bodies(events []*event) []any {
	out := make([]any, len(events))
	for i, e := range events {
		out[i] = e.value()
	}
	return out
}

// receivesArrays reads up to a marker. What was answered has to be there, next to each other and in order; of what wasn't,
// everything or nothing.
func receivesArrays(w *world, who string) error {
	return w.each(who, func(c *clientState) error {
		left, of := map[string]*array{}, map[string]*array{}
		for _, a := range c.stream.arrays {
			left[text(a.events[0].value())] = a
			for _, e := range a.events {
				of[text(e.value())] = a
			}
		}
		mark, err := c.stream.marker()
		if err != nil {
			return err
		}
		var open *array
		at := 0
		if _, err = c.upTo(mark, func(m *message) error {
			a := of[text(m.value())]
			switch {
			case a == nil: // written before
				return nil
			case open == nil && left[text(m.value())] == a:
				open, at = a, 0
				delete(left, text(m.value()))
			case open == nil:
				return c.differs("each event of an array once", m)
			}
			if !m.is(open.events[at]) {
				return c.differs(open.events[at].label, m)
			}
			w.Saw(1)
			if at++; at == len(open.events) {
				open = nil
			}
			return nil
		}); err != nil {
			return err
		}
		if open != nil {
			return c.failure(open.events[at].label+", the rest of an array", "the marker", c.last)
		}
		for _, a := range left {
			if a.answered {
				return c.failure(a.events[0].label+", of an array that was answered", "the marker, and not this array", c.last)
			}
		}
		return nil
	})
}

// text is the delta of a chunk.
func text(chunk any) string {
	s, _ := steps.MemberOf(chunk, "delta").(string)
	return s
}
