package streams

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func restartSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the server is killed and started again$`, restart)
		steps.Step2(v, k, `^the server is killed and started again while (\d+) writers write arrays of (\d+) events$`, killedWriting)
	})
	steps.Step1(v, features.Then, `^`+world.AClient+` receives each of the arrays whole and once, or, if it was not answered, not at all$`, receivesArrays)
}

// restart kills the server and starts it again. Clients lose their connections and resume; writers are opened again.
func restart(w *world.World) error {
	if err := w.Session().Restart(); errors.Is(err, target.ErrNoProgram) {
		return &steps.Unprovable{Reason: err.Error()}
	} else if err != nil {
		return &steps.Failure{Finding: record.Finding{Message: "the server after a kill", Want: "a server that runs again", Got: err.Error(), Frame: -1}}
	}
	for _, s := range w.Streams {
		forgetWriters(s)
		s.Reset = true // the server may still know an earlier writer, or not
	}
	return nil
}

const (
	mostArrays  = 400 // of one writer, in case the kill is slow
	answersEach = 3   // answered arrays of a writer before the server is killed, about
)

// killedWriting has writers write one array after the other, kills the server meanwhile and starts it again.
func killedWriting(w *world.World, writers, each int) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	written := make([][]*world.Array, writers)
	for i := range written {
		if err := world.OpenWriter(s, fmt.Sprint("w", i+1)); err != nil {
			return err
		}
	}
	var answered atomic.Int64
	var over atomic.Bool          // stops writers whose calls never failed
	enough := make(chan struct{}) // closed when enough arrays are answered, or all writers have stopped
	stop := sync.OnceFunc(func() { close(enough) })
	var all sync.WaitGroup
	for i := range written {
		all.Go(func() {
			for n := 0; n < mostArrays && !over.Load(); n++ {
				a := arrayOf(s, i, n, each)
				written[i] = append(written[i], a)
				call, err := world.Post(s, fmt.Sprint("w", i+1), steps.Encode(bodies(a.Events)))
				if err != nil || call.Now().Status/100 != 2 {
					return
				}
				a.Answered = true
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
		s.Arrays = append(s.Arrays, arrays...)
	}
	return restarted
}

// arrayOf returns the nth array of a writer, from 0.
func arrayOf(s *world.Stream, writer, n, each int) *world.Array {
	a := &world.Array{}
	for k := range each {
		label := fmt.Sprintf("w%d-%d-%d", writer+1, n+1, k+1)
		a.Events = append(a.Events, world.NewEvent("event "+label, s.World.TextDelta(label, k+1, world.AgentOf(fmt.Sprint("w", writer+1)))))
	}
	return a
}

func bodies(events []*world.Event) []any {
	out := make([]any, len(events))
	for i, e := range events {
		out[i] = e.Value()
	}
	return out
}

// receivesArrays reads up to a marker. Each answered array must be there, contiguous and in order; each unanswered one
// completely or not at all.
func receivesArrays(w *world.World, who string) error {
	return w.Each(who, func(c *world.Client) error {
		left, of := map[string]*world.Array{}, map[string]*world.Array{}
		for _, a := range c.Stream.Arrays {
			left[text(a.Events[0].Value())] = a
			for _, e := range a.Events {
				of[text(e.Value())] = a
			}
		}
		mark, err := c.Stream.Marker()
		if err != nil {
			return err
		}
		var open *world.Array
		at := 0
		if _, err = c.UpTo(mark, func(m *world.Message) error {
			a := of[text(m.Value())]
			switch {
			case a == nil: // an event from before the arrays
				return nil
			case open == nil && left[text(m.Value())] == a:
				open, at = a, 0
				delete(left, text(m.Value()))
			case open == nil:
				return c.Differs("each event of an array once", m)
			}
			if !m.Is(open.Events[at]) {
				return c.Differs(open.Events[at].Label, m)
			}
			w.Saw(1)
			if at++; at == len(open.Events) {
				open = nil
			}
			return nil
		}); err != nil {
			return err
		}
		if open != nil {
			return c.Failure(open.Events[at].Label+", the rest of an array", "the marker", c.Last)
		}
		for _, a := range left {
			if a.Answered {
				return c.Failure(a.Events[0].Label+", of an array that was answered", "the marker, and not this array", c.Last)
			}
		}
		return nil
	})
}

// text returns the delta of a chunk.
func text(chunk any) string {
	s, _ := steps.MemberOf(chunk, "delta").(string)
	return s
}
