package steps

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
)

// turn is one request to an agent and its response.
type turn struct {
	w      *World
	name   string
	reader *target.Reader
	events []*told // what was read of the response
	over   *told   // its terminal event, once it came
}

// told is an event as a client understands it.
type told struct {
	kind  string
	value map[string]any
	frame *wire.Frame
}

func (t *told) text(member string) string {
	s, _ := t.value[member].(string)
	return s
}

// ofTurn is the part of a pattern that names a response, aTurn the request of one.
const (
	ofTurn = `(the response|the response to request "[^"]+")`
	aTurn  = `(the request|request "[^"]+")`
)

// ask makes a request. The name of a request that has none is "".
func (w *World) ask(name string, r target.AskRequest) (*turn, error) {
	if r.Heading == "" {
		r.Heading = w.heading
	}
	if r.As == target.Other && len(w.session.Target().AEP().Other) == 0 {
		return nil, &Unprovable{"the config names no other user (aep.other)"}
	}
	reader, err := w.session.Ask(r)
	if err != nil {
		return nil, fault("making a request: %v", err)
	}
	t := &turn{w: w, name: name, reader: reader}
	w.turns = append(w.turns, t)
	return t, nil
}

// turnNamed finds the latest request, or the one of that name.
func (w *World) turnNamed(who string) (*turn, error) {
	name, named := "", false
	if q := strings.Split(who, `"`); len(q) == 3 {
		name, named = q[1], true
	}
	for _, t := range slices.Backward(w.turns) {
		if !named || t.name == name {
			return t, nil
		}
	}
	return nil, fault("%s was never made", who)
}

// onTurn hands a step the response that it names.
func onTurn(f func(*turn) error) func(*World, string) error {
	return func(w *World, who string) error {
		t, err := w.turnNamed(who)
		if err != nil {
			return err
		}
		return t.where(f(t))
	}
}

// onTurn2 is onTurn for a step that captures something else besides.
func onTurn2[A any](f func(*turn, A) error) func(*World, string, A) error {
	return func(w *World, who string, a A) error {
		return onTurn(func(t *turn) error { return f(t, a) })(w, who)
	}
}

// where adds the exchange to a failure that names none.
func (t *turn) where(err error) error {
	if err == nil {
		return nil
	}
	err = classify(err)
	if f, ok := err.(*Failure); ok && f.Exchange == nil {
		f.Exchange, f.Frame = t.reader.Exchange, -1
	}
	return err
}

func (t *turn) title() string {
	if t.name == "" {
		return "the response"
	}
	return fmt.Sprintf("the response to request %q", t.name)
}

func (t *turn) failure(want, got string, at *told) *Failure {
	f := &Failure{Message: t.title(), Want: want, Got: got, Exchange: t.reader.Exchange, Frame: -1}
	if at != nil {
		f.Frame = at.frame.Index
	}
	return f
}

// next reads the next event; nil at the end of the body. What is no event is
// passed over, since that is for the judge to report.
func (t *turn) next(awaited string) (*told, error) {
	by := t.w.session.Target().By()
	for {
		f, err := t.reader.Next(awaited, by)
		if err != nil {
			return nil, err
		}
		if f == nil {
			return nil, t.served()
		}
		if !f.Dispatched() {
			continue
		}
		v, err := decode(f.Data)
		object, _ := v.(map[string]any)
		if err != nil || object == nil {
			continue
		}
		e := &told{value: object, frame: f}
		e.kind, _ = object["event"].(string)
		t.events = append(t.events, e)
		if e.kind == "done" || e.kind == "error" || e.kind == "aborted" {
			t.over = e
		}
		return e, nil
	}
}

// served says of a response that ended whether it was a stream at all.
func (t *turn) served() error {
	v := t.reader.Now()
	switch {
	case v.Status == 501:
		return &Unprovable{"the agent doesn't know how to do what the script says: " + clip(v.Answer)}
	case v.Status != 200:
		return t.failure("a stream", fmt.Sprintf("%d %s", v.Status, clip(v.Answer)), nil)
	}
	return nil
}

// until reads up to an event for which enough says so. It returns nil when the
// response ended before.
func (t *turn) until(awaited string, enough func(*told) bool) (*told, error) {
	for _, e := range t.events {
		if enough(e) {
			return e, nil
		}
	}
	for t.over == nil {
		e, err := t.next(awaited)
		if err != nil || e == nil {
			return nil, err
		}
		if enough(e) {
			return e, nil
		}
	}
	return nil, nil
}

// metadata reads up to the event that says what the request is called.
func (t *turn) metadata() (*told, error) {
	e, err := t.until("metadata", func(e *told) bool { return e.kind == "metadata" })
	if err == nil && e == nil {
		err = t.failure("metadata", "the end of the response", nil)
	}
	return e, err
}

// id is the requestId, whichever event has it.
func (t *turn) id() (string, error) {
	e, err := t.until("an event with a requestId", func(e *told) bool { return e.text("requestId") != "" })
	if err != nil {
		return "", err
	}
	if e == nil {
		return "", t.failure("an event with a requestId", "the end of the response", nil)
	}
	return e.text("requestId"), nil
}

func (t *turn) thread() (string, error) {
	e, err := t.metadata()
	if err != nil {
		return "", err
	}
	if e.text("threadId") == "" {
		return "", t.failure("metadata with a threadId", clip(e.frame.Data), e)
	}
	return e.text("threadId"), nil
}

// terminal reads up to the terminal event.
func (t *turn) terminal(awaited string) (*told, error) {
	for t.over == nil {
		e, err := t.next(awaited)
		if err != nil {
			return nil, err
		}
		if e == nil {
			return nil, t.failure(awaited, "the end of the response", nil)
		}
	}
	return t.over, nil
}

// scripted says of an agent that can't be told what to do that nothing can be
// proven by what it does.
func (t *turn) scripted() error {
	if t.w.env.Unscripted != "" {
		return &Unprovable{t.w.env.Unscripted}
	}
	return nil
}

// endsWith checks how the response ends.
func (t *turn) endsWith(kind string) error {
	if err := t.scripted(); err != nil && kind != "done" {
		return err
	}
	e, err := t.terminal(kind)
	if err != nil {
		return err
	}
	if e.kind != kind {
		return t.failure(kind, clip(e.frame.Data), e)
	}
	t.w.saw(1)
	return nil
}

// whole reads a response that has to succeed, so that what it holds is all there.
func (t *turn) whole() error {
	_, err := t.terminal("the end of the response")
	return err
}

// finish waits for what a client that was told of the end still sees.
func (t *turn) finish() {
	if st := t.reader.Now().Status; t.over != nil || st != 0 && st != 200 {
		// What was seen at the deadline is for the judge to say.
		_, _ = t.reader.Ended()
	}
}
