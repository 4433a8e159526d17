package helixui

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// readerOps performs the operations of readers.
type readerOps struct{ *play }

// moment plays the operation of a barrier, and releases it.
func (p readerOps) moment(a *answer, barrier string, o Operation) error {
	err := p.catchUp(a)
	if err != nil {
		return err
	}
	resumes := p.claims.Resume && len(a.parts) > 0
	switch {
	case o.Kind == "refreshes" && resumes && p.history:
		err = p.refresh(a, o)
	case o.Kind == "returns" && resumes:
		for n, i := range spread(usable(a.parts), o.Count) {
			if err == nil {
				err = p.comeBack(a, i, o.Choice+n)
			}
		}
	case o.Kind == "twins" && resumes:
		for n := range o.Count {
			if err == nil && a.identified() {
				err = p.comeBack(a, len(a.parts)-1, o.Choice+n)
			}
		}
	case o.Kind == "departures" && resumes && a.identified():
		for n := range o.Count {
			if err == nil {
				p.leave(a)
				err = p.resume(a, o.Choice+n)
			}
			if err == nil && n+1 < o.Count { // who hasn't come can't leave
				err = p.arrived(a.reader, nil)
			}
		}
	case o.Kind == "absences" && resumes && a.identified():
		return p.stayAway(a, barrier, o.Choice)
	case o.Kind == "refusals":
		err = refusals{p.play, a}.refused(o)
	case o.Kind == "intrusions":
		err = refusals{p.play, a}.intrude(o.Count)
	case o.Kind == "latecomers" && resumes && a.before != "":
		err = p.resumePreviousTurn(a, o)
	case o.Kind == "stalls" && resumes && a.identified():
		err = p.stall(a)
	}
	if err != nil {
		return err
	}
	return p.release(a, barrier)
}

// catchUp makes refreshed pages read the new content of the answer while the agent waits again.
func (p readerOps) catchUp(a *answer) error {
	said := len(a.account.Text())
	for _, r := range a.returned {
		if !r.page || a.left { // who has left may lack something itself
			continue
		}
		if err := p.readsUpTo(a, r, said); err != nil {
			return err
		}
	}
	return nil
}

// readsUpTo makes a page read until it has so many bytes of text. A body that ends before is a violation.
func (p readerOps) readsUpTo(a *answer, r *returned, said int) error {
	for r.received < said {
		part, err := p.next(r.reader, nil)
		switch {
		case errors.As(err, new(*target.TimeoutError)):
			if ids := r.skipped(a.parts, p.replays); len(ids) > 0 {
				return campaign.Broken(r.reader.Exchange, "helix-ui.replay.once", fmt.Sprintf("%d parts, of the ids %s …", len(ids), strings.Join(ids[:min(len(ids), 5)], ", ")), "later parts, and none of these", "a page that was refreshed lacks parts that the client received that asked")
			}
			return campaign.Broken(r.reader.Exchange, "helix-ui.text.live", fmt.Sprintf("%d bytes of text", said), fmt.Sprintf("%d, and %v", r.received, err), "a text doesn't come to a page that was refreshed while the agent waits")
		case err != nil || part == nil:
			return err
		}
		r.got = append(r.got, *part)
		if part.Kind() == "text-delta" {
			r.received += len(part.Text("delta"))
		}
	}
	return nil
}

// release opens a barrier.
func (p readerOps) release(a *answer, barrier string) error {
	call, err := client.Release(p.session, a.request, a.chat.name, barrier)
	if err != nil {
		return err
	}
	if call != nil && call.Now().Status/100 != 2 {
		return &target.UnavailableError{Call: "release", Status: call.Now().Status}
	}
	a.turn.Released(barrier)
	return nil
}

// comeBack attaches another reader after a part.
func (p readerOps) comeBack(a *answer, i, choice int) error {
	id := a.parts[i].ID
	reader, err := p.read(a, &id, choice, "a reader comes back")
	a.returned = append(a.returned, &returned{reader: reader, id: id, behind: i + 1})
	return p.arrived(reader, err)
}

// read attaches a reader, with the transport of its turn.
func (p readerOps) read(a *answer, cursor *string, choice int, heading string) (*target.Reader, error) {
	return client.Read(p.session, target.ReadRequest{
		Stream: a.chat.name, Cursor: cursor, Heading: heading, Gzip: a.transport == overGzip, HTTP2: a.transport == overHTTP2,
		Headers: campaign.HeadersOf(p.session.Target(), choice, false),
	})
}

// resumePreviousTurn has readers come that have all of the turn before, and nothing of this one.
func (p readerOps) resumePreviousTurn(a *answer, o Operation) error {
	for n := range o.Count {
		reader, err := p.read(a, &a.before, o.Choice+n, "a reader of the turn before comes back")
		if err != nil {
			return err
		}
		a.returned = append(a.returned, &returned{reader: reader, id: a.before, previousTurn: true})
		if _, err := reader.Head(); err != nil {
			return p.arrived(reader, nil)
		}
	}
	return nil
}

// stall has a reader come back that reads nothing until the turn is over.
func (p readerOps) stall(a *answer) error {
	id := a.parts[len(a.parts)-1].ID
	reader, err := client.Read(p.session, target.ReadRequest{Stream: a.chat.name, Cursor: &id, Heading: "a reader comes back and stalls", Stalled: true, Buffer: campaign.NarrowBuffer})
	a.returned = append(a.returned, &returned{reader: reader, id: id, behind: len(a.parts), stalled: true})
	return p.arrived(reader, err)
}

// arrived waits until a reader that came back is answered, while the agent waits.
func (p readerOps) arrived(r *target.Reader, err error) error {
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

// leave disconnects the requesting client. It drops the parts that it hadn't read.
func (p readerOps) leave(a *answer) {
	a.reader.Disconnect()
	a.reader.DropAfter(a.reader.Taken())
	a.left = true
}

// stayAway disconnects the requesting client, lets the agent continue without readers, and resumes.
func (p readerOps) stayAway(a *answer, barrier string, choice int) error {
	p.leave(a)
	if err := p.settle(a, nil); err != nil { // the server notices that the reader has left
		return err
	}
	before := a.chat.before
	if err := p.release(a, barrier); err != nil {
		return err
	}
	if err := p.settle(a, before); err != nil { // and then the agent continues
		return err
	}
	return p.resume(a, choice)
}

// resume makes the requesting client resume at the latest id.
func (p readerOps) resume(a *answer, choice int) error {
	if err := p.judged(a.reader.Exchange); err != nil {
		return err
	}
	id := a.parts[len(a.parts)-1].ID
	reader, err := p.read(a, &id, choice, "the reader comes back")
	if err != nil {
		return err
	}
	a.reader, a.headed = reader, false
	return nil
}

// refresh loads the page: its history first, and then the stream. The first of several comes back after the turn.
func (p readerOps) refresh(a *answer, o Operation) error {
	for n := range o.Count {
		messages, err := p.openAnswer(a.chat)
		if err != nil || !p.history {
			return err
		}
		reader, err := p.read(a, nil, o.Choice+n, "the page is refreshed")
		said := 0
		for _, m := range messages {
			said += len(model.TextOf(m))
		}
		a.returned = append(a.returned, &returned{reader: reader, page: true, returns: n == 0, choice: o.Choice, messages: messages, received: said})
		if err := p.arrived(reader, err); err != nil {
			return err
		}
	}
	return nil
}
