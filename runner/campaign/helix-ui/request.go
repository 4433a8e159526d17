package helixui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

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
	c.choice = s.choice
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
	a := &answer{setup: s, chat: c, turn: model.NewTurn(s.script, p.claims, p.occasions), posted: r, free: c.free, before: c.last}
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
	a.posted.Spelling = func(body []byte) []byte { return campaign.Spelled(body, a.choice) }
	a.reader, err = client.Send(p.session, a.posted, target.StreamRequest{
		Heading: "a turn", Buffer: a.buffer(), Gzip: a.transport == overGzip, HTTP2: a.transport == overHTTP2, Headers: campaign.HeadersOf(p.session.Target(), a.choice, true),
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
