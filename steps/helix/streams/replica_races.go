package streams

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps/helix/world"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

func replicaRaceSteps(v *steps.Sentences[*world.World]) {
	steps.Step4(v, features.When, `^(\d+) writers race to write (\d+) events each on (\d+) replicas(, and the stream ends in their midst|)$`, raceSpread)
	steps.Step0(v, features.Then, `^there is an order of these calls in which each was answered as it was$`, sequential)
}

// contest is a race of calls to one stream by several clients.
type contest struct {
	s     *world.Stream // the stream that all clients call
	began time.Time     // times of calls count from it
	half  chan struct{} // closed when the first writer has made half of its calls

	mu    sync.Mutex             // guards calls and err
	calls []streammodel.Answered // that were answered
	err   error                  // all errors joined
}

// raceSpread has writers write, each on another replica and one event after the other, until a write is refused.
func raceSpread(w *world.World, writers, each, replicas int, end string) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	if err := spread(s, writers, replicas); err != nil {
		return err
	}
	c := &contest{s: s, began: time.Now(), half: make(chan struct{})}
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() { c.write(i, each) })
	}
	if end != "" {
		s.Ended = true
		all.Go(func() {
			<-c.half
			c.call(writers, nil, func() (*target.Exchange, error) {
				return steps.CallAt(w.World, replicas, "POST", "/streams/"+target.EscapeSegment(s.ID)+"/end", []byte("{}"), false)
			})
		})
	}
	all.Wait()
	s.Raced = c.calls
	return c.err
}

// write makes the calls of a writer.
func (c *contest) write(writer, each int) {
	once := sync.OnceFunc(func() { close(c.half) })
	for n := range each {
		if writer == 0 && 2*n >= each {
			once()
		}
		a := arrayOf(c.s, writer, n, 1)
		accepted := c.call(writer, []string{text(a.Events[0].Value())}, func() (*target.Exchange, error) {
			return world.Post(c.s, fmt.Sprint("w", writer+1), a.Events[0].Body)
		})
		if !accepted {
			break
		}
	}
	if writer == 0 {
		once()
	}
}

// call makes a call and records when it began and returned, and whether it was accepted.
func (c *contest) call(client int, chunks []string, request func() (*target.Exchange, error)) (accepted bool) {
	note := streammodel.Answered{Client: client, Chunks: chunks, Started: int64(time.Since(c.began))}
	call, err := request()
	note.Returned = int64(time.Since(c.began))
	if err == nil {
		status := call.Now().Status
		if note.Accepted = status/100 == 2; !note.Accepted && (status/100 != 4 || !c.s.Ended) {
			err = steps.Refused(call, "a call of a race")
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = errors.Join(c.err, err)
	if err == nil {
		c.calls = append(c.calls, note)
	}
	return note.Accepted
}

// sequential reads the stream and checks that an order of the calls explains the answers.
func sequential(w *world.World) error {
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	c, err := w.Attach("fresh after the race", "", target.ReadRequest{})
	if err != nil {
		return err
	}
	var mark *world.Event
	if !s.Ended {
		if mark, err = s.Marker(); err != nil {
			return err
		}
	}
	var log []string
	for {
		m, err := c.Next("the end of what was written in the race")
		if err != nil {
			return c.Where(err)
		}
		if m == nil {
			return c.Differs("the terminal frame", nil)
		}
		if mark != nil && m.Is(mark) || m.Type == "end" {
			break
		}
		if m.Type == "chunk" {
			log = append(log, text(m.Value()))
		}
	}
	if !streammodel.Sequential(log, s.Raced) {
		return &steps.Failure{Exchange: c.Reader.Exchange, Finding: record.Finding{
			Message: fmt.Sprintf("%d calls on several replicas", len(s.Raced)), Frame: -1,
			Want: "an order of them in which each lies between its beginning and its answer, and which the stream has",
			Got:  "a stream that no such order leads to: a chunk came before another one that had been answered when its write began, is lost, or came though it was refused",
		}}
	}
	w.Saw(len(s.Raced))
	return nil
}
