package aep

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/steps"
)

// turn is one request to an agent and its response.
type turn struct {
	w      *world         // the scenario
	name   string         // by which steps refer to it; "" if it is the only one
	reader *target.Reader // of the response
	events []*event       // the events of the response so far
	over   *event         // its terminal event, once it came

	began      time.Time // when the request was sent
	released   time.Time // time of the last release of a barrier of its agent
	concurrent *turn     // the request on the same thread that was being answered then; nil for none
	hangs      bool      // the scenario waits for the server to end it
}

// event is one event of a response, as a client understands it.
type event struct {
	kind  string         // its member event
	value map[string]any // members under the names of the specification
	frame *wire.Frame    // in which it came
}

func (e *event) text(member string) string {
	s, _ := e.value[member].(string)
	return s
}

// ofTurn is the part of a pattern that names a response, aTurn the request of one.
const (
	ofTurn = `(the response|the response to request "[^"]+")`
	aTurn  = `(the request|request "[^"]+")`
)

// request makes a request, whose body has the names and shapes of the specification. The name of a request that has none is "".
func (w *world) request(name string, r target.StreamRequest) (*turn, error) {
	return w.begin(name, r, func(s *target.Session, r target.StreamRequest) (*target.Reader, error) {
		return targetaep.Send(s, r.Body, r)
	})
}

// requestRaw makes a request whose body is sent as it is.
func (w *world) requestRaw(body []byte) error {
	if w.Session().Target().ModelConfig().Start.IsSet() {
		return &steps.Unprovable{Reason: "the request that starts a run is a template (model.start), which has no place for any other body"}
	}
	_, err := w.begin("", target.StreamRequest{Body: body}, targetaep.RequestStream)
	return err
}

func (w *world) begin(name string, r target.StreamRequest, send func(*target.Session, target.StreamRequest) (*target.Reader, error)) (*turn, error) {
	if r.Heading == "" {
		r.Heading = w.Step()
	}
	if r.As == targetaep.Other && len(w.config.Other) == 0 {
		return nil, &steps.Unprovable{Reason: "the config names no other user (aep.other)"}
	}
	reader, err := send(w.Session(), r)
	if _, missing := target.IsUnavailable(err); missing || errors.Is(err, targetaep.ErrBlocks) {
		return nil, &steps.Unprovable{Reason: err.Error()}
	}
	if err != nil {
		return nil, steps.Faultf("making a request: %v", err)
	}
	t := &turn{w: w, name: name, reader: reader, began: time.Now()}
	w.turns = append(w.turns, t)
	return t, nil
}

// turnNamed finds the latest request, or the one of that name.
func (w *world) turnNamed(who string) (*turn, error) {
	name, named := "", false
	if q := strings.Split(who, `"`); len(q) == 3 {
		name, named = q[1], true
	}
	for _, t := range slices.Backward(w.turns) {
		if !named || t.name == name {
			return t, nil
		}
	}
	return nil, steps.Faultf("%s was never made", who)
}

// onTurn calls a step with the response that it names.
func onTurn(f func(*turn) error) func(*world, string) error {
	return func(w *world, who string) error {
		t, err := w.turnNamed(who)
		if err != nil {
			return err
		}
		return t.where(f(t))
	}
}

// onTurn2 is onTurn for a step that captures something else besides.
func onTurn2[A any](f func(*turn, A) error) func(*world, string, A) error {
	return func(w *world, who string, a A) error {
		return onTurn(func(t *turn) error { return f(t, a) })(w, who)
	}
}

// where adds the exchange to a failure that names none.
func (t *turn) where(err error) error {
	if err == nil {
		return nil
	}
	err = steps.Classify(err)
	if f, ok := err.(*steps.Failure); ok && f.Exchange == nil {
		f.Exchange, f.Frame = t.reader.Exchange, -1
		if n := len(t.events); f.Message == steps.TimedOut && n > 0 && t.events[n-1].kind == "continuation" {
			f.DemandedBy = "aep.actions.pauses"
		}
	}
	return err
}

func (t *turn) title() string {
	if t.name == "" {
		return "the response"
	}
	return fmt.Sprintf("the response to request %q", t.name)
}

func (t *turn) failure(want, got string, at *event) *steps.Failure {
	f := &steps.Failure{Finding: record.Finding{Message: t.title(), Want: want, Got: got, Frame: -1}, Exchange: t.reader.Exchange}
	if at != nil {
		f.Frame = at.frame.Index
	}
	return f
}

// next reads the next event; nil at the end of the body. It skips invalid events, which the judge reports.
func (t *turn) next(awaited string) (*event, error) {
	by := t.w.Session().Target().By()
	for {
		f, err := t.reader.Next(awaited, by)
		if late := (*target.TimeoutError)(nil); errors.As(err, &late) && t.inLine() {
			return nil, &steps.Unprovable{Reason: "a request waits while another one of its thread is being answered"}
		}
		if err != nil {
			return nil, err
		}
		if f == nil {
			return nil, t.served()
		}
		if !f.Dispatched() {
			continue
		}
		v, err := steps.Decode(f.Data)
		object, _ := v.(map[string]any)
		if err != nil || object == nil {
			continue
		}
		e := &event{frame: f}
		e.kind, _ = object["event"].(string)
		e.value = t.w.names.Specified(e.kind, object)
		t.events = append(t.events, e)
		if e.kind == "done" || e.kind == "error" || e.kind == "aborted" {
			t.over = e
		}
		if e.kind == "error" && e.text("code") == "stream_timeout" {
			return e, t.timedOut() // an end after the declared time proves nothing
		}
		return e, nil
	}
}

// inLine reports whether nothing came while another request of the thread is being
// answered: a server may answer them one after the other.
func (t *turn) inLine() bool {
	return t.concurrent != nil && t.concurrent.over == nil && len(t.events) == 0
}

// timedOut is nil, or reports that the server ended a stream which took longer than it
// may, because the scenario or the machine was slow.
func (t *turn) timedOut() error {
	limit := t.w.config.StreamTimeout
	if t.hangs || limit == 0 || time.Since(t.began) < limit {
		return nil
	}
	return &steps.Unprovable{Reason: fmt.Sprintf("the server ended the stream after its %v (aep.streamTimeout) before the scenario was over; "+
		"a longer one, or an agent of its own for that limit (aep.timeoutAgent), gives it time", limit)}
}

// served checks that an ended response was a stream.
func (t *turn) served() error {
	v := t.reader.Now()
	switch {
	case v.Status == 501:
		return &steps.Unprovable{Reason: "the agent doesn't know how to do what the script says: " + steps.Clip(v.Answer)}
	case v.Status == 409 && t.inLine():
		return &steps.Unprovable{Reason: "a request is refused while another one of its thread is being answered: " + steps.Clip(v.Answer)}
	case v.Status == 504 && t.timedOut() != nil:
		return t.timedOut()
	case v.Status != 200:
		return t.failure("a stream", fmt.Sprintf("%d %s", v.Status, steps.Clip(v.Answer)), nil)
	}
	return nil
}

// until reads up to an event for which enough returns true. It returns nil when the
// response ended before.
func (t *turn) until(awaited string, enough func(*event) bool) (*event, error) {
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

// metadata reads up to the event with the ids of the request.
func (t *turn) metadata() (*event, error) {
	e, err := t.until("metadata", func(e *event) bool { return e.kind == "metadata" })
	if err == nil && e == nil {
		err = t.failure("metadata", "the end of the response", nil)
	}
	return e, err
}

// requestID returns the requestId, whichever event has it.
func requestID(t *turn) (string, error) {
	e, err := t.until("an event with a requestId", func(e *event) bool { return e.text("requestId") != "" })
	if err != nil {
		return "", err
	}
	if e == nil {
		return "", t.failure("an event with a requestId", "the end of the response", nil)
	}
	return e.text("requestId"), nil
}

func threadOf(t *turn) (string, error) {
	e, err := t.metadata()
	if err != nil {
		return "", err
	}
	if e.text("threadId") == "" {
		return "", t.failure("metadata with a threadId", steps.Clip(e.frame.Data), e)
	}
	return e.text("threadId"), nil
}

// terminal reads up to the terminal event.
func (t *turn) terminal(awaited string) (*event, error) {
	for t.over == nil {
		e, err := t.next(awaited)
		if err != nil {
			return nil, err
		}
		if e == nil {
			return nil, t.failure(awaited, endOf(t), nil)
		}
	}
	return t.over, nil
}

// endOf describes the end of a response without a terminal event.
func endOf(t *turn) string {
	if v := t.reader.Now(); v.End == record.Broken {
		return fmt.Sprintf("a broken connection (%v)", v.Err)
	}
	return "the end of the response"
}

// scripted reports an agent without scripts as unprovable: its behaviour proves nothing.
func (t *turn) scripted() error {
	if t.w.Env().Unscripted != "" {
		return &steps.Unprovable{Reason: t.w.Env().Unscripted}
	}
	return nil
}

// endsWith checks how the response ends.
func (t *turn) endsWith(kind string) error { return t.endsAfter(kind, "") }

// endsAfter checks how the response ends. Without an event of the kind that should come
// before, there is nothing to judge.
func (t *turn) endsAfter(kind, after string) error {
	if err := t.scripted(); err != nil && kind != "done" {
		return err
	}
	e, err := t.terminal(kind)
	if err != nil {
		return err
	}
	if e.kind != kind {
		return t.failure(kind, steps.Clip(e.frame.Data), e)
	}
	if t.shows(after) {
		t.w.Saw(1)
	}
	return nil
}

// readToEnd reads a response that has to succeed to its end.
func readToEnd(t *turn) error {
	_, err := t.terminal("a terminal event")
	return err
}

// finish waits for the end of a body whose terminal event, or refusal, has come.
func (t *turn) finish() {
	if st := t.reader.Now().Status; t.over != nil || st != 0 && st != 200 {
		// The judge checks the content at the deadline.
		_, _ = t.reader.Ended()
	}
}
