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

// bodies are no requests.
var bodies = []string{`{"text": 7}`, `{"messages": [`, `{"messages": []}`, `[]`, `"words"`, `null`, ``, `{"messages": "words"}`, `{"messages": {}}`}

// refused sends what is no request to a chat that is being answered, and then a request with more behind it to a chat of which
// nothing is known: there is no other answer for which it could be refused.
func (p *play) refused(a *answer, count int) error {
	for i := range count + 1 {
		chat, body := a.chat.name, []byte(bodies[i%len(bodies)])
		if i == count {
			chat = p.name + "-refused"
			body = append(client.Request{Chat: chat, Text: "a request with more behind it"}.Body(), '}')
		}
		r, err := client.Ask(p.session, chat, body, target.AskRequest{Heading: "what is no request"})
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
		p.ledger.Saw("helix-ui.requests.refused")
	}
	return nil
}

// soon is within what time a server refuses what it refuses, about.
const soon = time.Second

// intrude posts other messages to a chat that is being answered. A server may refuse them, and then nothing has come of them.
// Of one that answers them too, or has them wait, nothing follows.
func (p *play) intrude(a *answer, count int) error {
	for range count {
		request := client.Request{
			Chat: a.chat.name, Text: "Meanwhile", ID: "user-meanwhile", Before: a.chat.before, Script: []json.RawMessage{[]byte(`{"text":"Meanwhile."}`)}, Direct: true,
		}
		r, err := client.Send(p.session, request, target.AskRequest{Heading: "a message while another one is answered"})
		if err != nil {
			return err
		}
		v, ended := r.EndedWithin(soon)
		switch {
		case ended && v.Status == http.StatusServiceUnavailable:
			return campaign.ErrBusy
		case !ended || v.Status < 400 || v.Status > 499:
			r.Cut()
			return campaign.ErrUnknown
		}
	}
	return nil
}
