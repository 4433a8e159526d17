package helixui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// returned is a reader that came back while the answer was open.
type returned struct {
	reader   *target.Reader
	id       string // that it came with
	behind   int    // how many parts were sent up to it
	page     bool   // it is a page that was refreshed, and has none
	messages []map[string]any
}

// rest are the parts behind the id that the reader came with. Some that share it may have been on their way when it came.
func (r *returned) rest(parts []model.Part) []model.Part {
	behind := r.behind
	for behind < len(parts) && parts[behind].ID == r.id {
		behind++
	}
	return parts[behind:]
}

// moment does what happens at a barrier, and has the agent go on.
func (p *play) moment(a *answer, barrier string, o Operation) error {
	var err error
	resumes := p.claims.Resume && len(a.parts) > 0
	switch {
	case o.Kind == "refreshes" && resumes && p.history:
		err = p.refresh(a, o.Count)
	case o.Kind == "returns" && resumes:
		for _, i := range spread(usable(a.parts), o.Count) {
			if err == nil {
				err = p.comeBack(a, i)
			}
		}
	case o.Kind == "twins" && resumes:
		for range o.Count {
			if err == nil && a.identified() {
				err = p.comeBack(a, len(a.parts)-1)
			}
		}
	case o.Kind == "departures" && resumes && a.identified():
		for n := range o.Count {
			if err == nil {
				p.leave(a)
				err = p.resume(a)
			}
			if err == nil && n+1 < o.Count { // who hasn't come can't leave
				err = p.arrived(a.reader, nil)
			}
		}
	case o.Kind == "absences" && resumes && a.identified():
		return p.stayAway(a, barrier)
	case o.Kind == "refusals":
		err = p.refused(a, o.Count)
	}
	if err != nil {
		return err
	}
	return p.release(a, barrier)
}

// release opens a barrier.
func (p *play) release(a *answer, barrier string) error {
	call, err := client.Release(p.session, a.asked, a.chat.name, barrier)
	if err != nil {
		return err
	}
	if call != nil && call.Now().Status/100 != 2 {
		return &target.UnavailableError{Call: "release", Status: call.Now().Status}
	}
	a.turn.Released(barrier)
	return nil
}

// identified reports whether the last part that came has an id.
func (a *answer) identified() bool { return a.parts[len(a.parts)-1].ID != "" }

// usable are the places of those parts behind which a reader may come back: the last of each id.
func usable(parts []model.Part) []int {
	var out []int
	for i, p := range parts {
		if p.ID != "" && (i+1 == len(parts) || parts[i+1].ID != p.ID) {
			out = append(out, i)
		}
	}
	return out
}

// spread picks so many of some places, the last one first.
func spread(of []int, count int) []int {
	var out []int
	for i := range min(count, len(of)) {
		out = append(out, of[len(of)-1-i*len(of)/min(count, len(of))])
	}
	return out
}

// comeBack has another reader come, behind a part.
func (p *play) comeBack(a *answer, i int) error {
	id := a.parts[i].ID
	reader, err := client.Resume(p.session, a.chat.name, &id, "a reader comes back")
	a.returned = append(a.returned, &returned{reader: reader, id: id, behind: i + 1})
	return p.arrived(reader, err)
}

// arrived waits until a reader that came back is answered, while the agent waits.
func (p *play) arrived(r *target.Reader, err error) error {
	if err != nil {
		return err
	}
	v, err := r.Head()
	switch {
	case err != nil:
		return campaign.Broken(r.Exchange, "helix-ui.resume.goes-on", "an answer", err.Error(), "a reader that comes back isn't answered")
	case v.Status == http.StatusTooManyRequests || v.Status == http.StatusServiceUnavailable:
		return campaign.ErrBusy
	case v.Status == http.StatusNotFound || v.Status == http.StatusMethodNotAllowed || v.Status == http.StatusNotImplemented:
		return &target.UnavailableError{Call: client.Stream().Name, Status: v.Status}
	}
	return nil
}

// leave cuts who asked. What it hadn't read it never had.
func (p *play) leave(a *answer) {
	a.reader.Cut()
	a.reader.DropAfter(a.reader.Taken())
	a.left = true
}

// stayAway cuts who asked, has the agent go on while nobody reads, and has the reader come back.
func (p *play) stayAway(a *answer, barrier string) error {
	p.leave(a)
	if err := p.rest(a, nil); err != nil { // the server notices that the reader has left
		return err
	}
	before := a.chat.before
	if err := p.release(a, barrier); err != nil {
		return err
	}
	if err := p.rest(a, before); err != nil { // and then the agent says what it has to say
		return err
	}
	return p.resume(a)
}

// mostRests is how often the history is asked for until it stays as it is. It needn't tell of an answer that is open.
const mostRests = 20

// rest asks for the history until it is another one than before and the same twice, so that the server has done what it was
// about to do.
func (p *play) rest(a *answer, before []json.RawMessage) error {
	if !p.history {
		return nil
	}
	same := func(x, y []json.RawMessage) bool {
		return slices.EqualFunc(x, y, func(m, n json.RawMessage) bool { return bytes.Equal(m, n) })
	}
	var last []json.RawMessage
	for range mostRests {
		if _, err := p.told(a.chat); err != nil {
			return err
		}
		if now := a.chat.before; last != nil && same(now, last) && !same(now, before) {
			return nil
		}
		last = a.chat.before
	}
	return nil
}

// resume has who asked come back with the latest id.
func (p *play) resume(a *answer) error {
	if err := p.judged(a.reader.Exchange); err != nil {
		return err
	}
	id := a.parts[len(a.parts)-1].ID
	reader, err := client.Resume(p.session, a.chat.name, &id, "the reader comes back")
	if err != nil {
		return err
	}
	a.reader, a.headed = reader, false
	return nil
}

// refresh loads the page: its history first, and then the stream.
func (p *play) refresh(a *answer, count int) error {
	for range count {
		messages, err := p.told(a.chat)
		if err != nil {
			return err
		}
		reader, err := client.Resume(p.session, a.chat.name, nil, "the page is refreshed")
		a.returned = append(a.returned, &returned{reader: reader, page: true, messages: messages})
		if err := p.arrived(reader, err); err != nil {
			return err
		}
	}
	return nil
}

// told asks for the history, and returns what it has of the answer that is open.
func (p *play) told(c *chat) ([]map[string]any, error) {
	e, err := client.History(p.session, c.name, "the history is asked for")
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
		return nil, &target.UnavailableError{Call: client.Messages().Name, Status: v.Status}
	case v.Status != http.StatusOK || json.Unmarshal(v.Answer, &document) != nil:
		return nil, campaign.Broken(e, "helix-ui.history.whole", "200 and an object with messages", fmt.Sprint(v.Status), "the messages of a chat aren't told")
	}
	if p.options.Schema != nil {
		if found := p.options.Schema(v.Answer); found != "" {
			return nil, campaign.Broken(e, "helix-ui.history.whole", "messages with an id, a role and parts", found, "a message isn't told as its schema says")
		}
	}
	c.before = document.Messages
	var messages []any
	for _, raw := range document.Messages {
		var m any
		_ = json.Unmarshal(raw, &m) // it is a part of what was read
		messages = append(messages, m)
	}
	open, err := c.said.Told(messages)
	return open, campaign.At(e, err)
}

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

// finish looks at everybody who read an answer that is over, and at what is told of it.
func (p *play) finish(a *answer) error {
	a.over, a.chat.free = true, !slices.ContainsFunc(a.operations, func(o Operation) bool { return o.Kind == "approvals" })
	for _, r := range a.returned {
		if err := p.compare(a, r); err != nil {
			return err
		}
	}
	early, failed := a.turn.Early()
	a.chat.said.Answered(a.account.Text(), early, failed)
	if p.claims.Resume && len(a.parts) > 0 && !a.quiet {
		if err := p.sweep(a); err != nil {
			return err
		}
	}
	if !p.history {
		return nil
	}
	_, err := p.told(a.chat)
	return err
}

// compare looks at what a reader got that came back.
func (p *play) compare(a *answer, r *returned) error {
	got, err := p.all(r.reader)
	switch {
	case err != nil:
		return err
	case r.page:
		if err := model.Page(&a.account, r.messages, got, p.ledger); err != nil {
			return campaign.At(r.reader.Exchange, err)
		}
		return p.pageReturns(a, got)
	case a.left: // who asked may lack parts that share an id with the one at which it left
		return nil
	}
	return campaign.At(r.reader.Exchange, model.Rest(r.id, r.rest(a.parts), got, p.ledger))
}

// pageReturns has a page that was refreshed come back behind some of what it got, once for a turn: the ids that it was sent are
// as good as those of whoever asked.
func (p *play) pageReturns(a *answer, got []model.Part) error {
	if a.quiet || a.revisited || !p.claims.Resume {
		return nil
	}
	a.revisited = true
	for _, i := range spread(usable(got), 4) {
		if i == len(got)-1 {
			continue
		}
		id := got[i].ID
		reader, err := client.Resume(p.session, a.chat.name, &id, "the page comes back")
		if err := p.arrived(reader, err); err != nil {
			return err
		}
		rest, err := p.all(reader)
		if err == nil {
			err = campaign.At(reader.Exchange, model.Rest(id, got[i+1:], rest, p.ledger))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// all reads an answer to its end.
func (p *play) all(r *target.Reader) ([]model.Part, error) {
	var got []model.Part
	for {
		part, err := p.next(r, nil)
		switch {
		case err != nil && p.session.Context().Err() == nil && err != campaign.ErrUnknown:
			return nil, campaign.Broken(r.Exchange, "helix-ui.resume.goes-on", "the end of the response", err.Error(), "a reader that came back isn't told the rest")
		case err != nil:
			return nil, err
		case part == nil:
			return got, p.judged(r.Exchange)
		}
		got = append(got, *part)
	}
}

// sweep has readers come back once the turn is over: behind some of its parts, behind the last one, and a page.
func (p *play) sweep(a *answer) error {
	if !a.left {
		for _, i := range spread(usable(a.parts), a.sweeps) {
			if i == len(a.parts)-1 {
				continue
			}
			id := a.parts[i].ID
			reader, err := client.Resume(p.session, a.chat.name, &id, "a reader comes back")
			if err := p.arrived(reader, err); err != nil {
				return err
			}
			if err := p.compare(a, &returned{reader: reader, id: id, behind: i + 1}); err != nil {
				return err
			}
		}
	}
	ids := []*string{nil}
	if a.identified() {
		ids = append(ids, &a.parts[len(a.parts)-1].ID)
	}
	for _, id := range ids {
		reader, err := client.Resume(p.session, a.chat.name, id, "a reader comes back")
		if err := p.arrived(reader, err); err != nil {
			return err
		}
		if p.ledger.Saw("helix-ui.resume.nothing"); reader.Now().Status != http.StatusNoContent {
			return campaign.Broken(reader.Exchange, "helix-ui.resume.nothing", "204", fmt.Sprint(reader.Now().Status), "there is something to read where nothing is left")
		}
	}
	return nil
}
