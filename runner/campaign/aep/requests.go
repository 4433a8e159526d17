package aep

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/aep"
)

const (
	// mostLive limits the concurrent requests of a thread: the order of two that aren't answered yet is unknown.
	mostLive = 2
	// most is the approximate limit of the bytes that a program makes the server send.
	most = 12 << 20
	// mostRepeated limits the history, in bytes, that an agent repeats before the end of a program.
	mostRepeated = 6 << 10
	// maxReusedBody is the size of a body, in bytes, from which a request uses a new connection: a server may refuse the request
	// and close the connection before it has read the body.
	maxReusedBody = 64 << 10
	// small is a size of message, in bytes, that every server accepts.
	small = 2 << 10
)

// asking sends requests to threads.
type asking struct{ *play }

// request sends a request. If other requests of its thread are active, its response isn't read until they are over: a
// server may delay or refuse it.
func (p asking) request(t *thread, o Operation) error {
	if len(t.live) >= mostLive {
		if err := p.turns.finishFirst(t); err != nil {
			return err
		}
	}
	// Its thread isn't known yet, or its agent may not have begun: a server may serve the next request first.
	if len(t.live) > 0 && (t.ID == "" || t.live[0].asleep) {
		if err := p.turns.settle(t); err != nil {
			return err
		}
	}
	turn, blocks, err := p.join(t, o)
	if err != nil || turn == nil {
		return err
	}
	if turn.asleep, t.latest = o.stalled, turn; t.opening == nil {
		t.opening, t.opened = turn, blocks
	}
	t.last, t.blocks = turn, blocks
	switch {
	case len(t.live) > 1:
		return nil
	case o.stalled:
		return p.turns.head(turn)
	}
	return p.turns.settle(t)
}

// repeat makes the last request of a thread once more, once it has ended.
func (p asking) repeat(t *thread) error {
	if err := p.turns.finishAll(t); err != nil || t.last == nil || !t.last.Ended() {
		return err
	}
	asking := t.last.Request
	asking.Repeats = t.last.Number()
	for _, text := range asking.Texts {
		if !t.MaySay(text) {
			return nil
		}
	}
	size, long := 0, t.Length() > mostRepeated
	for _, act := range asking.Script {
		size += 3*len(act.Text) + 600
		if long && act.Name == "echo" && act.Text == "history" {
			return nil
		}
	}
	if p.bytes+size > most/4 {
		return nil
	}
	p.bytes += size
	turn, err := p.send(t, asking, t.blocks, t.id(p.play), Operation{choice: t.last.spelling})
	if err != nil {
		return err
	}
	t.live, t.last = append(t.live, turn), turn
	return p.turns.settle(t)
}

// failEarly makes a request, with the result of an action if there is one, that the server fails before its stream starts.
func (p asking) failEarly(t *thread, choice int) error {
	if err := p.turns.finishAll(t); err != nil || p.turns.unfailing || t.ID == "" || p.target.Model() != nil {
		return err
	}
	asking, blocks, ok := p.asking(t, Operation{kind: makeRequest, count: 1, class: ascii, size: 1 + t.Turns(), brings: one})
	if !ok {
		return nil
	}
	asking.Early, asking.Script = true, nil
	turn, err := p.send(t, asking, blocks, t.id(p.play), Operation{choice: choice})
	if err != nil {
		return err
	}
	if err := p.turns.read(turn); err != nil {
		return err
	}
	return p.turns.drop(turn)
}

// chat makes short requests, one after the other.
func (p asking) chat(t *thread, n, choice int) error {
	for i := range n {
		if err := p.request(t, Operation{kind: makeRequest, choice: choice + i, count: 1, class: ascii, size: 3, steps: []step{{"text", words, 1}}}); err != nil {
			return err
		}
	}
	return nil
}

// afresh makes the request that began a thread once more, to the letter. It begins another one.
func (p asking) afresh(t *thread) error {
	if t.opening == nil || t.opening.Refused() {
		return nil
	}
	asking, twin := t.opening.Request, &thread{Thread: t.Twin(), last: t.opening}
	asking.Repeats = t.opening.Number() // which a kill may have come before
	turn, err := p.send(twin, asking, t.opened, "", Operation{choice: t.opening.spelling})
	if err != nil {
		return err
	}
	twin.live = append(twin.live, turn)
	return p.turns.finishAll(twin)
}

// converse begins conversations that aren't continued.
func (p asking) converse(n, choice int) error {
	for i := range n {
		t := &thread{Thread: model.NewThread(p.world, p.family, fmt.Sprint(mostThreads+p.sent+i), 0)}
		if err := p.request(t, Operation{kind: makeRequest, choice: choice + i, count: 1, class: ascii, size: 2, steps: []step{{"text", words, 2}}}); err != nil {
			return err
		}
	}
	return nil
}

// alike sends the same message on every thread concurrently, and makes the agents repeat their histories.
func (p asking) alike(n, choice int) error {
	o := Operation{kind: makeRequest, choice: choice, count: 1, class: sample, size: n, steps: []step{
		{"text", words, 2}, {name: "await"}, {name: "echo", class: "messages"}, {name: "echo", class: "history"},
	}}
	for _, t := range p.threads {
		if err := p.turns.finishAll(t); err != nil {
			return err
		}
		if err := p.request(t, o); err != nil {
			return err
		}
		o.choice++
	}
	for _, t := range p.threads {
		if err := p.turns.finishAll(t); err != nil {
			return err
		}
	}
	return nil
}

// id returns the thread's, "" where the server remembers none.
func (t *thread) id(p *play) string {
	if !p.target.Claims("threads") {
		return ""
	}
	return t.ID
}

// asking returns the content of a request; ok is false if it can't be sent.
func (p asking) asking(t *thread, o Operation) (a model.Request, blocks [][]string, ok bool) {
	src := &source{marker: t.Marker(t.Turns() + 1)}
	a.User = t.Owner
	if limit := int(p.config.Message); limit > 0 {
		o.size = max(1, min(o.size, limit/2-201))
	}
	if o.brings != none {
		a.Results = p.results(t, o.brings, src, o)
	}
	if len(a.Results) == 0 && (o.count == 0 || o.brings != none && len(t.Open()) > 0) {
		return a, nil, false
	}
	a.Texts, blocks = src.messages(o, t.MaySay)
	for _, text := range a.Texts {
		if limit := int(p.config.Message); limit > 0 && len(text) > limit {
			return a, nil, false
		}
		a.Large = a.Large || p.config.Message == 0 && len(text) > small
	}
	a.Context = src.context(t.Turns(), o)
	acts := p.within(t, o.steps)
	for i := range acts {
		if acts[i].name == "only" && !t.MayAnswer() {
			acts[i].name = "text"
		}
	}
	a.Script = src.script(acts, p.family)
	return a, blocks, true
}

// within removes steps that would make the server send too much: an echoed history is part of the next one.
func (p asking) within(t *thread, acts []step) []step {
	var out []step
	for _, a := range acts {
		a = byModel(p.target, a)
		if a.name == "echo" && a.class == "history" && t.Length() > mostRepeated && !p.last {
			continue
		}
		size := 3*a.size + 4<<10
		if a.class == words {
			size = a.size * (600 + 20)
		} else if a.class == every {
			size = 200 << 10
		} else if a.name == "tool" || a.name == "failing" {
			size = a.size * 60
		}
		if p.bytes+size > most || !p.plays(a) {
			continue
		}
		p.bytes += size
		out = append(out, a)
	}
	return out
}

// plays reports whether the agent can perform a step: if the kit plays its model, whether a model can.
func (p asking) plays(a step) bool {
	if p.target.Model() == nil {
		return true
	}
	switch a.name {
	case "echo":
		return aep.Echoes(a.class)
	case "fail":
		return aep.Fails(a.class) || a.class == aep.CleanEnd || a.class == aep.ErrorInBody
	case "tool", "failing":
		return p.target.ModelConfig().Tools
	}
	return a.name != "continue"
}

// results picks the results that a request brings; nil if there is no such action.
func (p asking) results(t *thread, which outcome, src *source, o Operation) []model.Result {
	others, foreign := p.openElsewhere(t)
	give := func(actions []*model.Action, n int) (out []model.Result) {
		for i := range min(n, len(actions)) {
			r := model.Result{ActionID: actions[(i+o.size)%len(actions)].ID, Failed: which == failed}
			r.Value = src.value(step{class: o.class, size: o.size + 3*i*(o.size%2)}) // the same for all, or another one
			if o.size%4 == 1 {
				r.Status = "approved"
			}
			if r.Failed = r.Failed || which == mixed && (i+o.size)%2 == 0; r.Failed {
				if r.Value, r.Status = src.text(step{class: ascii, size: o.size}), ""; (i+o.size)%4 == 0 {
					r.Value = ""
				}
			}
			out = append(out, r)
		}
		return out
	}
	nothing := p.nothing(t, o.size)
	switch own := t.Open(); which {
	case one, failed:
		return give(own, 1)
	case all, mixed:
		return give(own, len(own))
	case retried:
		unsure := t.Undecided()
		return give(unsure, 1+o.size%max(1, len(unsure)))
	case again:
		resolved := t.Resolved()
		slices.Reverse(resolved) // the latest first
		return give(resolved, 1)
	case never:
		return []model.Result{nothing}
	case elsewhere:
		return give(others, 1)
	case somebodys:
		return give(foreign, 1)
	case doubled:
		return slices.Repeat(give(own, 1), 2)
	case nameless:
		return withOthers(give(own, 1), []model.Result{{Value: true}})
	case withUnknown:
		return withOthers(give(own, 1), []model.Result{nothing})
	case withRepeated:
		return withOthers(give(own, 1), give(t.Resolved(), 1))
	case withOtherThread:
		return withOthers(give(own, 1), give(others, 1))
	case allWithOtherThread:
		return withOthers(give(own, len(own)), give(others, 1))
	case withOtherUser:
		return withOthers(give(own, 1), give(foreign, 1))
	}
	return nil
}

// openElsewhere returns the open actions of other threads: those of the same user, and those of other users.
func (p asking) openElsewhere(t *thread) (others, foreign []*model.Action) {
	for _, other := range p.threads {
		if other != t && other.Owner == t.Owner {
			others = append(others, other.Open()...)
		} else if other != t {
			foreign = append(foreign, other.Open()...)
		}
	}
	return others, foreign
}

// mixed returns a right result with others after it; nil if either list is nil.
func withOthers(right, more []model.Result) []model.Result {
	if right == nil || more == nil {
		return nil
	}
	return append(right, more...)
}

// nothing returns a result for an unknown action, whose id is new or similar to that of one of the thread's.
func (p asking) nothing(t *thread, n int) model.Result {
	nothing := model.Result{ActionID: p.session.NewName(), Value: true}
	if all := append(t.Open(), t.Resolved()...); len(all) > 0 {
		switch id := all[n%len(all)].ID; n % 5 {
		case 1:
			nothing.ActionID = " " + id
		case 2:
			nothing.ActionID = id + more
		case 3:
			if len(id) > counted {
				nothing.ActionID = id[:len(id)/2]
			}
		case 4:
			if other := recased(id); other != "" {
				nothing.ActionID = other
			}
		}
	}
	return nothing
}

// send posts a request, in the form of an operation.
func (p asking) send(t *thread, asking model.Request, blocks [][]string, id string, o Operation) (*turn, error) {
	p.sent++
	n := o.choice
	raw := campaign.Spelled(body(written(p.target, asking, o), blocks, id, n%5 == 1 && p.target.Claims("actions")), n)
	asking.Large = asking.Large || len(raw) > max(16*small, int(p.config.Message))
	asked := &turn{thread: t, as: p.users[asking.User], began: time.Now(), spelling: n}
	if asking.Unauthorized {
		asked.as = p.unauthorizedUser(n)
	}
	asking.Replica = p.replica
	asked.Turn = t.Begin(asking)
	asked.Sent = asked.sentIn(p.session)
	request := target.StreamRequest{
		As: asked.as, Heading: "a request", Stalled: o.stalled, Gzip: o.over == "gzip", ReuseConnection: (n%3 > 0 || asking.Unauthorized) && len(raw) < maxReusedBody && o.kind != crowd, // an unanswered request must not be lost with an idle connection
	}
	if o.stalled {
		request.Buffer = campaign.NarrowBuffer
	}
	if p.timed {
		request.PathValues = map[string]string{"agent": p.config.TimedAgent()}
	}
	if o.over == "HTTP/2" {
		request.HTTP2, _ = p.target.OffersHTTP2(p.session.Context(), aep.Stream())
	}
	request.Headers = campaign.HeadersOf(p.target, n, true)
	switch plain := o.kind == makeRequest && o.brings == none && !request.HTTP2; {
	case plain && len(raw) >= maxReusedBody:
		request.Unsized = n%2 == 0
	case plain:
		request.Unsized = n%3 == 2
	}
	var err error
	if asked.conn, err = aep.Send(p.session, raw, request); err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	if !request.Unsized {
		return asked, nil
	}
	// With this status a server asks for the length: the request is repeated with it.
	if v, err := asked.conn.Head(); err != nil || v.Status != http.StatusLengthRequired {
		return asked, nil
	}
	p.session.Forget(asked.conn)
	request.Unsized = false
	if asked.conn, err = aep.Send(p.session, raw, request); err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	return asked, nil
}
