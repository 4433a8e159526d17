package aep

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/runner/wire"
)

// turn is a request and its response.
type turn struct {
	*model.Turn
	thread   *thread        // in whose live it is until it has ended
	conn     *target.Reader // of its response
	as       target.User    // who made the request
	id       string         // the requestId, once it is known
	began    time.Time      // when it was sent
	headed   bool           // its status was compared with the model
	asleep   bool           // its response isn't read yet
	ending   bool           // a cancellation was accepted, and may take its time
	spelling int            // the choice of its operation
}

// sentIn returns a function that returns the arguments that the model sent instead of those of a call of a turn.
func (t *turn) sentIn(session *target.Session) func(call int, arguments any) any {
	return func(call int, arguments any) any { return aep.Arguments(session, t.conn.Exchange, call, arguments) }
}

// turns reads the responses to requests, and releases barriers.
type turns struct {
	play      *play  // of which it is a part
	over      []over // requests that have ended
	unfailing bool   // the server can't be made to fail before a stream begins
}

// head waits for the head of a response.
func (p *turns) head(t *turn) error {
	if t.headed {
		return nil
	}
	v, err := t.conn.Head()
	if err != nil && (t.Concurrent() && !t.free() || t.conn.Reused()) { // a server may delay it for the other request, or have closed an idle connection
		return campaign.ErrUnknown
	}
	if err != nil {
		return campaign.Broken(t.conn.Exchange, "aep.request.post", "an answer", err.Error(), "a request was not answered")
	}
	t.headed = true
	if t.Early && v.Status >= http.StatusBadRequest {
		p.unfailing = v.Status == http.StatusNotImplemented
		return campaign.At(t.conn.Exchange, t.Answered(v.Status))
	}
	switch v.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return campaign.ErrBusy
	case http.StatusNotImplemented:
		return &target.UnavailableError{Call: "with a script", Status: v.Status}
	case http.StatusGatewayTimeout:
		return model.ErrSlow
	}
	return campaign.At(t.conn.Exchange, t.Answered(v.Status))
}

// free reports whether no other request of the thread is being answered any more, whether or not its response was read.
func (t *turn) free() bool {
	var ended []*model.Turn
	for _, other := range t.thread.live {
		if _, over := other.conn.EndedWithin(0); over {
			ended = append(ended, other.Turn)
		}
	}
	return t.Alone(ended...)
}

// settle reads the first response of a thread up to the next barrier or its end, and those after it that had to wait for
// it.
func (p *turns) settle(t *thread) error {
	for len(t.live) > 0 {
		first := t.live[0]
		if first.asleep {
			first.conn.Resume()
			first.asleep = false
		}
		if err := p.read(first); err != nil {
			return err
		}
		if !first.Over() {
			return nil
		}
		t.live = slices.Delete(t.live, 0, 1)
		if err := p.drop(first); err != nil {
			return err
		}
	}
	return nil
}

// read reads the events up to the next barrier or the end.
func (p *turns) read(t *turn) error {
	if err := p.head(t); err != nil || t.Over() {
		return err
	}
	var by time.Time
	for awaited := ""; ; {
		due := t.Expected()
		switch due {
		case "":
			if !t.Over() {
				return campaign.At(t.conn.Exchange, t.Waiting())
			}
			return nil
		case awaited: // events that needn't come don't extend the wait
		default:
			awaited, by = due, p.play.target.By()
		}
		f, err := t.conn.Next(due, by)
		switch {
		case err != nil:
			return campaign.At(t.conn.Exchange, t.Missed(err.Error()))
		case f == nil:
			return campaign.At(t.conn.Exchange, t.Missed("the end of the body"))
		case !f.Dispatched():
			continue
		}
		e, err := p.event(f)
		if err != nil {
			return campaign.Broken(t.conn.Exchange, "aep.wire.json", "a JSON object", e.Raw, "an event is no JSON object")
		}
		if id, _ := e.Members["requestId"].(string); t.id == "" {
			t.id = id
		}
		if e.Kind == "error" && p.play.target.Shows(t.as, e.Raw) {
			return campaign.Broken(t.conn.Exchange, secret, "an error without the credential", "its text", "an error repeats the credential that came with its request")
		}
		switch e.Kind {
		case "text", "thinking", "tool_call", "tool_result", "continuation": // output before the end
			by = p.play.target.By()
		}
		if err := t.Take(e); err != nil {
			return p.reason(t, err)
		}
	}
}

// event returns an event in the specification's names.
func (p *turns) event(f *wire.Frame) (model.Event, error) {
	e := model.Event{Raw: string(f.Data)}
	if err := json.Unmarshal(f.Data, &e.Members); err != nil {
		return e, err
	}
	e.Kind, _ = e.Members["event"].(string)
	e.Members = p.play.names.Specified(e.Kind, e.Members)
	content, _ := e.Members["content"].([]any)
	for i, item := range content {
		if block, ok := item.(map[string]any); ok {
			kind, _ := block["type"].(string)
			content[i] = p.play.names.Specified(kind, block)
		}
	}
	return e, nil
}

// reason adds the exchange to an error of the model. A stream that ended before its time is a violation, and so is one
// whose end nothing delayed.
func (p *turns) reason(t *turn, err error) error {
	switch limit := p.play.config.StreamTimeout; {
	case !errors.Is(err, model.ErrSlow):
	case limit == 0, time.Since(t.began) < leastOf(limit):
		return campaign.Broken(t.conn.Exchange, "aep.flow.done", "an open stream", "stream_timeout", "a stream ended because it took too long, which it didn't")
	case p.play.starved(t):
		return campaign.Broken(t.conn.Exchange, "aep.flow.done", "done", "stream_timeout", "a stream took too long whose agent waits for nothing")
	}
	return campaign.At(t.conn.Exchange, err)
}

// drop waits for the end of a body that is over, shows it to the judge and forgets it.
func (p *turns) drop(t *turn) error {
	if t.id != "" {
		p.over = append(p.over, over{t.id, t.as})
	}
	v, err := t.conn.Ended()
	if err == nil && v.Status >= http.StatusBadRequest {
		if p.play.target.Shows(t.as, string(v.Answer)) {
			return campaign.Broken(t.conn.Exchange, secret, "a refusal without the credential", "its body", "a refusal repeats the credential that came with its request")
		}
		p.play.world.Occasions[secret]++
	}
	if err != nil {
		return campaign.Broken(t.conn.Exchange, "aep.flow.body-closes", "the end of the response", err.Error(), "the response stayed open")
	}
	return p.judged(t)
}

func (p *turns) judged(t *turn) error {
	defer p.play.session.Forget(t.conn)
	return p.play.options.Judge.Check(t.conn.Exchange, model.Judged(), p.play.world.Occasions)
}

// next opens the barrier at which the agent of the first request waits, and reads up to its next one.
func (p *turns) next(t *thread) error {
	if err := p.settle(t); err != nil || len(t.live) == 0 {
		return err
	}
	if err := p.release(t.live[0]); err != nil {
		return err
	}
	return p.settle(t)
}

// release opens the next barrier of a request that waits there.
func (p *turns) release(t *turn) error {
	barrier := t.Release()
	if barrier == "" {
		return nil
	}
	return p.play.at(t, func() error {
		_, err := aep.Release(p.play.session, t.conn, t.id, barrier, false)
		return err
	})
}

func (p *turns) finishAll(t *thread) error {
	for len(t.live) > 0 {
		if err := p.finishFirst(t); err != nil {
			return err
		}
	}
	return nil
}

// heed gives a server the time to answer the second request of a thread concurrently with the first one, and to send its
// answer. The server may delay it. A refused one is over, and is replaced by another.
func (p *turns) heed(t *thread) error {
	if err := p.settle(t); err != nil || len(t.live) < 2 || t.live[1].asleep {
		return err
	}
	quiet := p.play.target.Timing().Quiet
	later := t.live[1]
	if later.conn.Silence(quiet) {
		return nil
	}
	if v, ended := later.conn.EndedWithin(quiet); !ended || v.Status < http.StatusBadRequest {
		return nil
	}
	if err := p.head(later); err != nil || !later.Refused() {
		return err
	}
	t.live = slices.Delete(t.live, 1, 2)
	return p.drop(later)
}

// finishFirst has the first request of a thread answered.
func (p *turns) finishFirst(t *thread) error {
	if err := p.settle(t); err != nil || len(t.live) == 0 {
		return err
	}
	for first := t.live[0]; len(t.live) > 0 && t.live[0] == first; {
		if err := p.next(t); err != nil {
			return err
		}
	}
	return nil
}

// leave closes the connection of the first request, and releases its barriers: a server may let the run finish.
func (p *turns) leave(t *thread) error {
	if len(t.live) == 0 {
		return nil
	}
	if !t.live[0].asleep {
		if err := p.settle(t); err != nil || len(t.live) == 0 {
			return err
		}
	}
	first := t.live[0]
	t.live = t.live[1:]
	if first.id != "" {
		p.over = append(p.over, over{first.id, first.as})
	}
	first.conn.Disconnect()
	first.conn.DropAfter(first.conn.Taken())
	if err := p.releaseRemaining(first); err != nil {
		return err
	}
	if err := campaign.At(first.conn.Exchange, first.Disconnect()); err != nil {
		return err
	}
	if err := p.judged(first); err != nil {
		return err
	}
	return p.settle(t)
}

// releaseRemaining opens every barrier of a request that may have ended.
func (p *turns) releaseRemaining(t *turn) error {
	for t.id != "" {
		barrier := t.Release()
		if barrier == "" {
			break
		}
		err := p.play.at(t, func() error {
			_, err := aep.Release(p.play.session, t.conn, t.id, barrier, true)
			return err
		})
		if _, gone := target.IsUnavailable(err); err != nil && !gone {
			return err
		}
	}
	return nil
}

// connectAndLeave makes requests and leaves before anything has come.
func (p *turns) connectAndLeave(t *thread, n, choice int) error {
	if t.ID == "" {
		return nil
	}
	for i := range n {
		src := &source{marker: t.Marker(t.Turns() + 1)}
		asking := model.Request{User: t.Owner, Script: src.script([]step{{"text", words, 3}}, p.play.family)}
		var blocks [][]string
		asking.Texts, blocks = src.messages(Operation{count: 1, class: ascii, size: 1}, t.MaySay)
		gone, err := p.play.asking.send(t, asking, blocks, t.id(p.play), Operation{choice: choice + i})
		if err != nil {
			return err
		}
		gone.conn.Sent()
		p.play.session.Forget(gone.conn)
		if err := gone.Disconnect(); err != nil {
			return err
		}
	}
	return nil
}

// secret is the requirement that no error contains a credential.
const secret = "aep.security.no-secret-echo"

// starved reports whether a stream exceeded its time although its agent didn't wait: neither the suite, nor another request
// of its thread, nor the machine delayed its end.
func (p *play) starved(t *turn) bool {
	limit := p.config.StreamTimeout
	waits := slices.ContainsFunc(t.Script, func(a model.ScriptStep) bool { return a.Name == "await" })
	return p.timed && limit >= ample && !waits && !t.Concurrent() && p.target.Grace(t.began, t.began.Add(limit)) <= 0
}

// leastOf returns the minimum duration of a stream with a time-out.
func leastOf(limit time.Duration) time.Duration { return limit * 3 / 4 }

// ample is the shortest time-out that gives every server the time for a few words.
const ample = time.Second
