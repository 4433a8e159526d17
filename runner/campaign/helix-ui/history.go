package helixui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// mostRests limits the requests for the history until it is stable. It needn't contain an open answer.
const mostRests = 20

// settle requests the history until it differs from before and is the same twice, so that the server has completed its
// writes.
func (p *play) settle(a *answer, before []json.RawMessage) error {
	if !p.history {
		return nil
	}
	same := func(x, y []json.RawMessage) bool {
		return slices.EqualFunc(x, y, func(m, n json.RawMessage) bool { return bytes.Equal(m, n) })
	}
	var last []json.RawMessage
	for range mostRests {
		if _, err := p.openAnswer(a.chat); err != nil {
			return err
		}
		if now := a.chat.before; last != nil && same(now, last) && !same(now, before) {
			return nil
		}
		last = a.chat.before
	}
	return nil
}

// openAnswer requests the history, and returns its part of the open answer.
func (p *play) openAnswer(c *chat) ([]map[string]any, error) {
	e, err := client.History(p.session, target.DocumentRequest{Stream: c.name, Heading: "the history is asked for", Headers: campaign.HeadersOf(p.session.Target(), c.choice, false)})
	if err != nil {
		return nil, err
	}
	v := e.Now()
	var document struct {
		Messages []json.RawMessage `json:"messages"`
	}
	switch {
	case v.Status == http.StatusTooManyRequests || v.Status == http.StatusServiceUnavailable:
		return nil, campaign.ErrBusy
	case v.Status == http.StatusNotFound || v.Status == http.StatusMethodNotAllowed || v.Status == http.StatusNotImplemented:
		if c.mayRefuse && p.known {
			return nil, campaign.Broken(e.Exchange, "helix-ui.history.whole", "the messages of "+strconv.Quote(c.name), strconv.Itoa(v.Status), "the messages of a chat aren't told, and its answer was")
		}
		if p.history = p.session.Target().Scripts(); !p.history { // a server with nothing but a model may have no such route
			return nil, nil
		}
		return nil, &target.UnavailableError{Call: client.Messages().Name, Status: v.Status}
	case v.Status != http.StatusOK || json.Unmarshal(e.Document, &document) != nil:
		return nil, campaign.Broken(e.Exchange, "helix-ui.history.whole", "200 and an object with messages", fmt.Sprint(v.Status), "the messages of a chat aren't told")
	}
	if p.options.Schema != nil {
		if found := p.options.Schema(e.Document); found != "" {
			return nil, campaign.Broken(e.Exchange, "helix-ui.history.whole", "messages with an id, a role and parts", found, "a message isn't told as its schema says")
		}
	}
	c.before, p.known = document.Messages, p.known || !c.mayRefuse
	var messages []any
	for _, raw := range document.Messages {
		var m any
		_ = json.Unmarshal(raw, &m) // a part of a parsed value
		messages = append(messages, m)
	}
	open, err := c.model.CheckHistory(messages)
	return open, campaign.At(e.Exchange, err)
}
