package helixui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// Failure is a program after which the server does something that the model rules out.
type Failure = campaign.Failure[Program]

// Result is the result of playing a program.
type Result struct {
	Failure   *Failure             // nil if the server did nothing wrong
	Occasions model.OccasionCounts // number of checks by requirement
	// Busy: the server refused a request because of its load or their rate, so that nothing was found out.
	Busy bool
	// Hides: the server claims to show reasoning, and sent none of what the program waited for.
	Hides bool
}

// Options configure how a program is played.
type Options struct {
	// Judge returns the judge's findings on an exchange, and its counts of checks; it may be nil.
	Judge campaign.Judge
	// Schema returns the first finding of the schema of histories, "" for none; it may be nil.
	Schema func(history []byte) string
	// Hides: the player doesn't wait for reasoning.
	Hides bool
}

// play is a program that is played.
type play struct {
	session   *target.Session
	options   Options
	claims    model.Claims
	hides     bool // the player waited for reasoning, and none came
	history   bool // the target has a history
	replays   bool // a refreshed page gets the turn's content so far again
	known     bool // its history of a chat with a usual name was read
	ownless   bool // it can't be scripted to send parts of an application
	occasions model.OccasionCounts
	// unauthorizedRequests counts requests without a valid credential.
	unauthorizedRequests int
	name                 string // with which those of its chats begin
	chats                map[int]*chat

	readerOps readerOps
	refusals  refusals
}

// chat is one chat of a program.
type chat struct {
	name      string
	model     model.Chat
	before    []json.RawMessage // its messages in the last read history
	turns     int               // turns so far
	free      bool              // the turn before is over, and has no barrier
	mayRefuse bool              // its name is one that a server may refuse
	last      string            // the id of the last part of the turn before; "" if it has none
}

// Play plays the turns of a program and checks the responses. The error is why the program could not be played.
func Play(ctx context.Context, t *target.Target, program Program, o Options) (Result, error) {
	session, offers := t.Session(ctx), Offers(t)
	defer session.Close()
	p := &play{
		session: session, options: o, occasions: model.OccasionCounts{}, chats: map[int]*chat{}, history: t.Claims("history"), replays: t.Claims("replay"),
		claims: model.Claims{Mapping: offers("mapping"), Metadata: offers("metadata"), Reasoning: t.Claims("reasoning") && !o.Hides, Resume: t.Claims("resume")},
	}
	p.readerOps, p.refusals = readerOps{p}, refusals{play: p}
	again, err := p.streamsAgain()
	if p.claims.Resume = p.claims.Resume && again; err == nil {
		err = p.rounds(program.scenes(int(t.Limits().Within().String)))
	}
	result := Result{Occasions: p.occasions, Busy: errors.Is(err, campaign.ErrBusy), Hides: o.Hides || p.hides}
	v, err := campaign.Ended(ctx, session, err, "playing turns")
	if v != nil {
		result.Failure = &Failure{Violation: *v, Program: program}
	}
	return result, err
}

// rounds plays concurrent turns alternately: each up to its next barrier.
func (p *play) rounds(all []*setup) error {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].concurrent {
			n++
		}
		var round []*answer
		for _, s := range all[:n] {
			a, err := p.request(s)
			if err != nil {
				return err
			}
			round = append(round, a)
		}
		for len(round) > 0 {
			for _, a := range round {
				if err := p.advance(a); err != nil {
					return err
				}
			}
			round = slices.DeleteFunc(round, func(a *answer) bool { return a.over })
		}
		all = all[n:]
	}
	return nil
}

// answer is a requested turn with its model.
type answer struct {
	*setup
	chat    *chat
	turn    *model.Turn
	request *target.Reader // the request, which identifies the barrier
	posted  client.Request
	nth     int    // spelling of the requests of this answer
	free    bool   // value of the turn before, when this one was sent
	before  string // the id of the last part of the turn before; "" if there is none
	reader  *target.Reader
	headed  bool // its head was looked at
	left    bool // the client has disconnected and resumed
	over    bool
	// revisited: a page that was refreshed has come back.
	revisited bool

	parts    []model.Part
	account  model.Account
	returned []*returned
}

// request posts the message of a turn. The messages before it are those of the history.
func (p *play) request(s *setup) (*answer, error) {
	c := p.chats[s.chat]
	if c == nil {
		if p.name == "" {
			p.name = p.session.Coin("stream")
		}
		c = &chat{name: chatName(p.name, s.chat), mayRefuse: s.chat > len(suffixes), model: model.Chat{Occasions: p.occasions, Forgets: !p.session.Target().Claims("failures")}}
		p.chats[s.chat] = c
	}
	c.turns++
	s.script.Chat, s.script.Names = c.name, client.NamesOf(p.session.Target())
	s.called(c.name)
	if !p.session.Target().Claims("agents") {
		s.rootOnly()
	}
	s.fit(p.session.Target())
	id := fmt.Sprintf("user-%d", c.turns)
	if c.mayRefuse { // which no message of another chat has
		id = fmt.Sprintf("user-%d-%d", s.chat, c.turns)
	}
	r := client.Request{Chat: c.name, Text: s.user[0], More: s.user[1:], ID: id, Before: p.before(c), Direct: p.session.Target().Scripts()}
	var err error
	r.Script = p.steps(s, &err)
	if s.members != nil {
		r.Metadata = written(s.members, &err)
	}
	if s.script.Start != nil {
		r.StartMetadata = written(s.script.Start, &err)
	}
	if s.script.Finish != nil {
		r.FinishMetadata = written(s.script.Finish, &err)
	}
	if err != nil {
		return nil, fmt.Errorf("writing a request: %w", err)
	}
	a := &answer{setup: s, chat: c, turn: model.NewTurn(s.script, p.claims, p.occasions), posted: r, free: c.free, before: c.last, nth: c.turns + len(s.user[0]) + len(s.script.Steps)}
	c.free, c.last = false, ""
	return a, p.post(a)
}

// steps returns the script of a turn as it is sent.
func (p *play) steps(s *setup, failed *error) []json.RawMessage {
	out := []json.RawMessage{}
	for _, a := range s.script.Steps {
		if a.Part == nil || !p.ownless {
			out = append(out, written(a, failed))
		}
	}
	return out
}

// withoutApplicationParts posts the message of a turn again, without the parts that some builds can't send.
func (p *play) withoutApplicationParts(a *answer) (bool, error) {
	p.ownless = true
	var err error
	if a.posted.Script = p.steps(a.setup, &err); err == nil {
		err = p.post(a)
	}
	if err != nil {
		return false, err
	}
	return p.head(a)
}

// post sends the message of a turn.
func (p *play) post(a *answer) (err error) {
	if a.transport == overHTTP2 {
		if offered, _ := p.session.Target().OffersHTTP2(p.session.Context(), client.Stream()); !offered {
			a.transport = ""
		}
	}
	a.posted.Spelling = func(body []byte) []byte { return campaign.Spelled(body, a.nth) }
	a.reader, err = client.Send(p.session, a.posted, target.StreamRequest{
		Heading: "a turn", Buffer: a.buffer(), Gzip: a.transport == overGzip, HTTP2: a.transport == overHTTP2, Headers: campaign.HeadersOf(p.session.Target(), a.nth, true),
	})
	if a.request = a.reader; err == nil {
		p.posts(a)
	}
	return err
}

// Between two requests that a server refuses because of a turn before, which it may still be putting away.
const shortestPause, longestPause = 5 * time.Millisecond, 200 * time.Millisecond

// again posts the message of a turn that a server refuses because of the one before, which is over, until it takes it.
func (p *play) again(a *answer) (bool, error) {
	by := p.session.Target().By()
	for pause := shortestPause; time.Now().Before(by); pause = min(2*pause, longestPause) {
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-p.session.Context().Done():
			timer.Stop()
			return false, p.session.Context().Err()
		}
		if err := p.post(a); err != nil {
			return false, err
		}
		if v, err := a.reader.Head(); err != nil || v.Status != http.StatusConflict {
			return p.head(a)
		}
	}
	return false, campaign.Broken(a.reader.Exchange, "helix-ui.wire.content-type", "200", "409", "a turn is refused because of one that is over")
}

func written(v any, failed *error) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		*failed = err
	}
	return text
}

// head checks the head of an answer. It reports whether there is a stream.
func (p *play) head(a *answer) (bool, error) {
	v, err := a.reader.Head()
	e := a.reader.Exchange
	switch {
	case err != nil:
		return false, campaign.Broken(e, "helix-ui.wire.content-type", "an answer", err.Error(), "a request isn't answered")
	case v.Status == http.StatusTooManyRequests || v.Status == http.StatusServiceUnavailable:
		return false, campaign.ErrBusy
	case v.Status == http.StatusOK:
		return true, nil
	case a.left:
		return false, campaign.Broken(e, "helix-ui.resume.goes-on", "200", fmt.Sprint(v.Status), "a reader that comes back gets nothing while the answer is open")
	case a.chat.mayRefuse && v.Status >= 400 && v.Status <= 499:
		return false, nil
	case v.Status == http.StatusNotImplemented && !p.ownless && a.sendsApplicationPart():
		return p.withoutApplicationParts(a)
	case v.Status == http.StatusNotImplemented || v.Status == http.StatusForbidden:
		return false, &target.UnavailableError{Call: "with a script", Status: v.Status}
	case v.Status == http.StatusConflict && a.free:
		return p.again(a)
	case v.Status == http.StatusConflict || v.Status == http.StatusRequestEntityTooLarge:
		return false, campaign.ErrUnknown
	case v.Status >= 400 && a.turn.Refused():
		return false, nil
	}
	return false, campaign.Broken(e, "helix-ui.wire.content-type", "200", fmt.Sprint(v.Status), "a request is refused")
}

// advance reads an answer up to its next barrier, or to its end.
func (p *play) advance(a *answer) error {
	if !a.headed {
		a.headed = true
		stream, err := p.head(a)
		if err != nil {
			return err
		}
		switch {
		case !stream && a.chat.mayRefuse: // a refused message isn't in the history
			a.over = true
			return nil
		case !stream:
			return p.finish(a)
		}
	}
	for {
		if barrier := a.turn.Waits(); barrier != "" && !a.turn.Over() {
			return p.readerOps.moment(a, barrier, a.moments[barrier])
		}
		part, err := p.next(a.reader, a.turn)
		switch {
		case errors.As(err, new(*target.TimeoutError)):
			return p.timedOut(a, err)
		case err != nil:
			return err
		case part == nil:
			return p.ended(a)
		}
		a.parts = append(a.parts, *part)
		a.account.Take(*part)
		if err := a.turn.Receive(*part); err != nil {
			return campaign.At(a.reader.Exchange, err)
		}
	}
}

// timedOut determines the meaning of a timeout.
func (p *play) timedOut(a *answer, err error) error {
	e := a.reader.Exchange
	speaks := a.turn.Speaks()
	if a.wakes() { // a server may wait for a reader that doesn't read
		return p.advance(a)
	}
	if !speaks && a.turn.Thinks() {
		p.hides, p.claims.Reasoning = true, false
	}
	switch barrier := a.turn.NextBarrier(); {
	case a.turn.Over():
		return campaign.Broken(e, "helix-ui.flow.closes", "the end of the body", err.Error(), "the body stays open behind the end")
	case barrier == "":
		return campaign.At(e, a.turn.Ended(false, err.Error()))
	case speaks:
		return campaign.At(e, a.turn.Silent(err.Error()))
	default:
		return p.readerOps.release(a, barrier)
	}
}

// next reads the next part; nil at the end of the body. The turn determines the meaning of unreadable data.
func (p *play) next(r *target.Reader, t *model.Turn) (*model.Part, error) {
	by := p.session.Target().By()
	for {
		f, err := r.Next("the next part", by)
		if err != nil || f == nil {
			return nil, err
		}
		if !f.Dispatched() || string(f.Data) == "[DONE]" {
			continue
		}
		part := &model.Part{}
		if f.HasID {
			part.ID = f.ID
		}
		if json.Unmarshal(f.Data, &part.Members) == nil && part.Members != nil {
			return part, nil
		}
		if t != nil {
			if err := t.Garbled(f.Data); err != nil {
				return nil, campaign.At(r.Exchange, err)
			}
		}
	}
}

// ended checks an answer whose body has ended.
func (p *play) ended(a *answer) error {
	if err := p.judged(a.reader.Exchange); err != nil {
		return err
	}
	v := a.reader.Now()
	if err := a.turn.Ended(v.End == record.Broken, "the end of the body"); err != nil {
		var b *model.Violation
		if a.left && errors.As(err, &b) {
			b.Requirement = "helix-ui.resume.goes-on"
		}
		return campaign.At(a.reader.Exchange, err)
	}
	if n := len(a.parts); p.claims.Resume && n > 0 {
		if p.occasions.Saw("helix-ui.resume.ids"); a.parts[n-1].ID == "" {
			return campaign.Broken(a.reader.Exchange, "helix-ui.resume.ids", "an id", "none", "the last part of an answer has no id")
		}
	}
	if a.left {
		p.occasions.Saw("helix-ui.resume.goes-on")
	}
	return answerCalls(p, a)
}

// judged passes an exchange to the judge of the pack. A violation of a recommendation ends no history.
func (p *play) judged(e *target.Exchange) error {
	return p.options.Judge.Check(e, model.Judged(), p.occasions)
}
