package helixui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// bodies are request bodies that a server must refuse.
var bodies = []string{`{"text": 7}`, `{"messages": [`, `{"messages": []}`, `[]`, `"words"`, `null`, ``, `{"messages": "words"}`, `{"messages": {}}`,
	`{"messages": {"0": {"id": "user-1", "role": "user", "parts": [{"type": "text", "text": "words"}]}}}`, `{"messages": [7]}`}

// endings replace the last brace of a request to make it invalid JSON.
var endings = []string{`,"n":NaN}`, ",}", "/**/}"}

// refusals sends requests that the server must refuse.
type refusals struct {
	play *play   // of which it is a part
	a    *answer // open while they are sent, so that the chat has a reason to refuse
}

// refused sends invalid requests to a chat with an active answer, then more to an unknown chat, and requests with an
// invalid end: without an active answer there is no other reason to refuse them.
func (p refusals) refused(o Operation) error {
	chat := p.a.chat.name
	for n := range o.Count {
		if err := p.refuses(chat, []byte(bodies[(o.Choice+n)%len(bodies)])); err != nil {
			return err
		}
		chat = p.play.name + "-refused"
	}
	chat = p.play.name + "-refused"
	whole := client.Request{Chat: chat, Text: "a request with another end"}.Body()
	for _, ending := range []string{"}}", endings[o.Choice%len(endings)]} {
		if err := p.refuses(chat, append(whole[:len(whole)-1:len(whole)-1], ending...)); err != nil {
			return err
		}
	}
	return p.barred(o)
}

// refuses sends an invalid request.
func (p refusals) refuses(chat string, body []byte) error {
	r, err := client.RequestStream(p.play.session, chat, body, target.StreamRequest{Heading: "what is no request"})
	if err != nil {
		return err
	}
	v, err := r.Head()
	switch {
	case err != nil:
		return campaign.Broken(r.Exchange, "helix-ui.requests.refused", "a status of 400 to 499", err.Error(), "what is no request isn't answered")
	case v.Status == http.StatusServiceUnavailable:
		return campaign.ErrBusy
	case v.Status < 400 || v.Status > 499:
		return campaign.Broken(r.Exchange, "helix-ui.requests.refused", "a status of 400 to 499", fmt.Sprint(v.Status), "what is no request is taken")
	}
	p.play.occasions.Saw("helix-ui.requests.refused")
	return nil
}

// barred sends requests with two almost right credentials. One of them then reads the chat, and so does a request without a
// credential.
func (p refusals) barred(o Operation) error {
	t, nearly := p.play.session.Target(), target.Nearly()
	if !t.Claims("auth") || !t.Signs(target.First) {
		return nil
	}
	as, chat := target.LongToken, p.play.name+"-barred"
	for n := range 2 {
		if other := nearly[(2*o.Choice+n)%len(nearly)]; t.Signs(other) {
			as = other
		}
		r, err := client.RequestStream(p.play.session, chat, client.Request{Chat: chat, Text: "a request of somebody else"}.Body(), target.StreamRequest{As: as, Heading: "somebody else asks"})
		if err == nil {
			err = p.denied(r, as)
		}
		if err != nil {
			return err
		}
	}
	for _, as := range []target.User{as, target.Anonymous} {
		if err := p.barredFromReading(as); err != nil {
			return err
		}
	}
	return nil
}

// barredFromReading makes another user read the history of a chat, and its answer after the last part.
func (p refusals) barredFromReading(as target.User) error {
	leave, headers := p.play.session.Target().Credentials(), p.play.session.Target().Showing(as)
	if p.play.history {
		e, err := p.play.session.Document(target.DocumentRequest{
			Route: client.Messages(), Stream: p.a.chat.name, Heading: "somebody else asks for the history", LeaveOut: leave, Headers: headers,
		})
		if err == nil {
			err = p.unauthorized(e, as, e.Now().Status)
		}
		if err != nil {
			return err
		}
	}
	if !p.play.claims.Resume || len(p.a.parts) == 0 || !p.a.identified() {
		return nil
	}
	r, err := client.Read(p.play.session, target.ReadRequest{
		Stream: p.a.chat.name, Cursor: &p.a.parts[len(p.a.parts)-1].ID, Heading: "somebody else reads", LeaveOut: leave, Headers: headers,
	})
	if err != nil {
		return err
	}
	defer r.Disconnect()
	return p.denied(r, as)
}

// denied checks the refusal of a user without a valid credential.
func (p refusals) denied(r *target.Reader, as target.User) error {
	v, err := r.Head()
	if err != nil {
		return campaign.Broken(r.Exchange, "helix-ui.requests.credential", "401", err.Error(), "a request whose credential is a %s isn't answered", as)
	}
	return p.unauthorized(r.Exchange, as, v.Status)
}

// unauthorized checks the status for a user without a valid credential.
func (p refusals) unauthorized(e *target.Exchange, as target.User, status int) error {
	switch status {
	case http.StatusUnauthorized:
		p.play.occasions.Saw("helix-ui.requests.credential")
		return nil
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		return campaign.ErrBusy
	}
	return campaign.Broken(e, "helix-ui.requests.credential", "401", fmt.Sprint(status), "a request whose credential is a %s isn't refused", as)
}

// soon is the approximate time within which a server refuses a request.
const soon = time.Second

// intrude posts other messages to a chat with an active answer. A server may refuse them, and they must have no effect
// then. If it answers or delays them, the result is inconclusive.
func (p refusals) intrude(count int) error {
	for range count {
		request := client.Request{
			Chat: p.a.chat.name, Text: "Meanwhile", ID: "user-meanwhile", Before: p.a.chat.before, Script: []json.RawMessage{[]byte(`{"text":"Meanwhile."}`)}, Direct: p.play.session.Target().Scripts(),
		}
		r, err := client.Send(p.play.session, request, target.StreamRequest{Heading: "a message while another one is answered"})
		if err != nil {
			return err
		}
		v, ended := r.EndedWithin(soon)
		switch {
		case ended && v.Status == http.StatusServiceUnavailable:
			return campaign.ErrBusy
		case !ended || v.Status < 400 || v.Status > 499:
			r.Disconnect()
			return campaign.ErrUnknown
		}
	}
	return nil
}
