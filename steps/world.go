package steps

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
)

// Env is what every scenario of a run shares.
type Env struct {
	Schemas *schemas.Set
	Judge   func(judge.Origin) judge.Machine
	Answer  func(judge.Answer) ([]judge.Finding, map[string]int)
	// Unscripted says why the server's agent can't be told what to do, "" if it can.
	Unscripted string
	// Withheld says why the scenario can't be played at all, "" if it can.
	Withheld string
	// Seed draws what scenarios leave to chance.
	Seed int64
}

// World is what one scenario knows. Steps of one scenario run one after another;
// only the pieces that a step itself runs concurrently are locked.
type World struct {
	env         Env
	session     *target.Session
	requirement string
	heading     string // text of the step that is running

	streams map[string]*stream
	clients map[string]*clientState
	order   []string // client names in order of their making
	fresh   int

	attempt *attempt         // the last write that might have been refused
	answer  *target.Exchange // the last document asked for
	calls   []*target.Exchange
	foreign *foreign      // a client that this kit didn't write
	agent   *agentRun     // the run on the server's own runtime
	beat    time.Duration // the heartbeat interval that the scenario watches
	turns   []*turn       // requests to agents, in the order of their making
	sweep   *sweep        // clients that were cut again and again

	otherwise bool // the server did what the spec accepts and the reference doesn't do

	mu        sync.Mutex
	occasions int
	err       error
}

// NewWorld begins the world of a scenario that proves one requirement.
func NewWorld(env Env, session *target.Session, requirement string) *World {
	return &World{
		env: env, session: session, requirement: requirement,
		streams: map[string]*stream{}, clients: map[string]*clientState{},
	}
}

// Heading notes which step runs; exchanges are recorded under it.
func (w *World) Heading(text string) { w.heading = text }

// Session is the record of the scenario.
func (w *World) Session() *target.Session { return w.session }

// Err is the outcome of the first step that did not succeed: a *Failure, an
// *Unprovable or a *Fault; nil when all did.
func (w *World) Err() error { return w.err }

// Occasions is how many things the scenario's Thens have looked at.
func (w *World) Occasions() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.occasions
}

// Otherwise reports whether the server did something that the spec accepts in
// place of what the reference does, so that a transcript of the reference says
// nothing about it.
func (w *World) Otherwise() bool { return w.otherwise }

// saw counts n occasions: things that a Then looked at and found right.
func (w *World) saw(n int) {
	w.mu.Lock()
	w.occasions += n
	w.mu.Unlock()
}

func (w *World) settle(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Finish waits until every response that sent a terminal frame, or is no stream,
// has been closed or the deadline has passed, so that the record shows it.
func (w *World) Finish() {
	if w.foreign != nil {
		w.foreign.reader.Close()
	}
	for _, name := range w.order {
		c := w.clients[name]
		if c.reader == nil {
			continue
		}
		if st := c.reader.Now().Status; c.terminal != nil || st != 0 && st != 200 {
			// What was seen at the deadline is for the judge to say.
			_, _ = c.reader.Ended()
		}
	}
	for _, t := range w.turns {
		t.finish()
	}
}

// Taken returns how many frames of an exchange the steps have looked at.
func (w *World) Taken(e *target.Exchange) int {
	for _, c := range w.clients {
		for _, r := range c.readers {
			if r.Exchange == e {
				return r.Taken()
			}
		}
	}
	for _, t := range w.turns {
		if t.reader.Exchange == e {
			return t.reader.Taken()
		}
	}
	return 0
}

// clientsNamed resolves who receives. A fresh client attaches now.
func (w *World) clientsNamed(who string) ([]*clientState, error) {
	switch {
	case who == "every client":
		var all []*clientState
		for _, name := range w.order {
			if c := w.clients[name]; c.reader != nil {
				all = append(all, c)
			}
		}
		if len(all) == 0 {
			return nil, fault("no client is attached")
		}
		return all, nil
	case who == "a fresh client":
		w.fresh++
		c, err := w.attach(fmt.Sprintf("fresh %d", w.fresh), "", target.ReadRequest{})
		if err != nil {
			return nil, err
		}
		return []*clientState{c}, nil
	}
	c, ok := w.clients[clientName(who)]
	if !ok || c.reader == nil {
		return nil, fault("%s is not attached", who)
	}
	return []*clientState{c}, nil
}

// each does something with every client that a step names, up to the first
// error. An error that names no connection gets the client's.
func (w *World) each(who string, f func(*clientState) error) error {
	cs, err := w.clientsNamed(who)
	if err != nil {
		return err
	}
	for _, c := range cs {
		if err := f(c); err != nil {
			return c.where(err)
		}
	}
	return nil
}

// clientName is the key of a client: `client "A"` is A, `the client` is client.
func clientName(who string) string {
	if q := strings.Split(who, `"`); len(q) == 3 {
		return q[1]
	}
	return strings.TrimPrefix(who, "the ")
}

// Timestamps are those of the chunks that the scenario wrote.
func (w *World) Timestamps() []int64 {
	var out []int64
	for _, s := range w.streams {
		for n := range len(s.events) + 2 {
			out = append(out, epoch+int64(n))
		}
	}
	return out
}
