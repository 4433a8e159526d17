package helixui

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// answerCalls posts the answers of the client to the calls that wait, every other of which is approved: from the choice of the
// turn. Without such a call the answer is finished. Readers of the response end first, because they are compared with its parts.
func answerCalls(p *play, a *answer) error {
	if len(a.turn.Waiting()) == 0 {
		return p.finish(a)
	}
	if err := p.compareAll(a); err != nil {
		return err
	}
	var parts, replies []map[string]any
	for _, part := range a.parts {
		parts = append(parts, part.Members)
	}
	approved := []bool{}
	for n, call := range a.turn.Waiting() {
		approved = append(approved, (a.choice+n)%2 == 0)
		if call.Client {
			kind, reply := "tool-output-available", map[string]any{"output": campaign.Values()[(a.choice+n)%len(campaign.Values())]}
			if (a.choice+n)%4 == 3 { // its tool fails
				kind, reply = "tool-output-error", map[string]any{"errorText": fmt.Sprintf("no place %d", n)}
			}
			replies = append(replies, reply)
			part := map[string]any{"type": kind, "toolCallId": call.ID}
			maps.Copy(part, reply)
			a.account.Take(model.Part{Members: part})
			continue
		}
		replies = append(replies, map[string]any{"approved": approved[n]})
	}
	a.posted.Script, a.posted.StartMetadata, a.posted.FinishMetadata = nil, nil, nil
	a.posted.Answered = client.Answered(parts, replies)
	a.turn, a.parts, a.returned = a.turn.Proceed(approved), nil, nil
	a.headed, a.left, a.free = false, false, true
	return p.post(a)
}

// finish checks all readers of a finished answer, and the history.
func (p *play) finish(a *answer) error {
	if len(a.parts) > 0 && a.turn.Over() {
		a.chat.last = a.parts[len(a.parts)-1].ID
	}
	a.over, a.chat.free = true, !slices.ContainsFunc(a.operations, func(o Operation) bool { return o.Kind == "approvals" || o.Kind == "pauses" })
	if err := p.compareAll(a); err != nil {
		return err
	}
	early, failed := a.turn.Early()
	a.chat.model.Answered(&a.account, early, failed)
	if p.claims.Resume && len(a.parts) > 0 && !a.quiet {
		if err := p.sweep(a); err != nil {
			return err
		}
	}
	if !p.history {
		return nil
	}
	_, err := p.openAnswer(a.chat)
	return err
}

// compareAll checks the readers of a response, after those that stall have read on.
func (p *play) compareAll(a *answer) error {
	a.wakes()
	for _, r := range a.returned {
		if err := p.compare(a, r); err != nil {
			return err
		}
	}
	return nil
}

// compare checks the parts that a resumed reader got.
func (p *play) compare(a *answer, r *returned) error {
	if r.previousTurn {
		return p.comparePreviousTurn(a, r)
	}
	got, err := p.all(r.reader)
	got = append(r.got, got...)
	switch {
	case err != nil:
		return err
	case r.stalled && r.reader.Now().End == record.Broken: // a server needn't wait for ever, and who was cut comes back
		return nil
	case r.page:
		if err := model.Page(&a.account, r.messages, got, p.occasions); err != nil {
			return campaign.At(r.reader.Exchange, err)
		}
		if err := p.beginsAgain(a, got); err != nil {
			return campaign.At(r.reader.Exchange, err)
		}
		return p.pageReturns(a, r, got)
	case a.left: // the disconnected client may lack parts that share an id with its last one
		return nil
	}
	return campaign.At(r.reader.Exchange, model.CheckResumed(r.id, r.remaining(a.parts), got, p.occasions))
}

// beginsAgain checks the start part that a page got.
func (p *play) beginsAgain(a *answer, got []model.Part) error {
	starts := func(part model.Part) bool { return part.Kind() == "start" }
	first, again := slices.IndexFunc(a.parts, starts), slices.IndexFunc(got, starts)
	if first < 0 || again < 0 {
		return nil
	}
	return a.turn.BeginsAgain(a.parts[first], got[again], p.replays)
}

// comparePreviousTurn checks a reader that resumed with an id of the turn before: it gets all of the new turn, or nothing. Ids that
// restart with each turn can't be attributed, and a response to answers may come alone or with those before it.
func (p *play) comparePreviousTurn(a *answer, r *returned) error {
	switch status := r.reader.Now().Status; {
	case status == http.StatusNoContent, status >= 400 && status <= 499:
		return nil
	case status == http.StatusServiceUnavailable:
		return campaign.ErrBusy
	case status != http.StatusOK:
		return campaign.Broken(r.reader.Exchange, "helix-ui.resume.after", "200, 204 or a refusal", strconv.Itoa(status), "a reader of the turn before isn't answered")
	}
	got, err := p.all(r.reader)
	if err != nil || a.left || a.posted.Answered != nil || !apart(r.id, a.parts) {
		return err
	}
	return campaign.At(r.reader.Exchange, model.CheckResumed(r.id, a.parts, got, p.occasions))
}

// pageReturns makes a refreshed page resume after some of its parts: its ids are as valid as those of the requesting client.
func (p *play) pageReturns(a *answer, r *returned, got []model.Part) error {
	if a.quiet || !r.returns || !p.claims.Resume {
		return nil
	}
	for n, i := range spread(usable(got), 4) {
		id := got[i].ID
		if i == len(got)-1 || a.posted.Answered != nil && !slices.ContainsFunc(a.parts, func(p model.Part) bool { return reflect.DeepEqual(p, got[i]) }) {
			continue // an id of an earlier response may be one of this response also
		}
		reader, err := readerOps{p}.read(a, &id, r.choice+n, "the page comes back")
		if err := (readerOps{p}).arrived(reader, err); err != nil {
			return err
		}
		rest, err := p.all(reader)
		if err == nil {
			err = campaign.At(reader.Exchange, model.CheckResumed(id, got[i+1:], rest, p.occasions))
			err = a.ofThePage(err, id, rest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ofThePage attributes the violation of a reader that resumed with an id of a page: to the page, if the reader got the
// parts that the requesting client has after that id.
func (a *answer) ofThePage(err error, id string, rest []model.Part) error {
	var v *campaign.Violation
	first := slices.IndexFunc(a.parts, func(p model.Part) bool { return p.ID == id })
	if !errors.As(err, &v) || a.left || first < 0 || model.CheckResumed(id, (&returned{id: id, behind: first}).remaining(a.parts), rest, model.OccasionCounts{}) != nil {
		return err
	}
	return campaign.Broken(v.Exchange, "helix-ui.replay.once", v.Got, v.Want, "a page that was refreshed gets another part behind the id %s than the client that asked", id)
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

// sweep makes readers resume after the turn: after some of its parts, after the last one, and a page.
func (p *play) sweep(a *answer) error {
	if !a.left {
		for n, i := range positions(a.parts, a.sweeps) {
			if i == len(a.parts)-1 {
				continue
			}
			id := a.parts[i].ID
			reader, err := readerOps{p}.read(a, &id, a.sweeps.Choice+n, "a reader comes back")
			if err := (readerOps{p}).arrived(reader, err); err != nil {
				return err
			}
			if err := p.compare(a, &returned{reader: reader, id: id, behind: i + 1}); err != nil {
				return err
			}
		}
	}
	if a.sweeps.Count > 0 && a.before != "" {
		came := len(a.returned)
		if err := (readerOps{p}).resumePreviousTurn(a, Operation{Count: 1, Choice: a.sweeps.Choice}); err != nil {
			return err
		}
		if err := p.compare(a, a.returned[came]); err != nil {
			return err
		}
	}
	ids := []*string{nil}
	if a.identified() {
		ids = append(ids, &a.parts[len(a.parts)-1].ID)
	}
	for _, id := range ids {
		reader, err := readerOps{p}.read(a, id, a.choice, "a reader comes back")
		if err := (readerOps{p}).arrived(reader, err); err != nil {
			return err
		}
		if p.occasions.Saw("helix-ui.resume.nothing"); reader.Now().Status != http.StatusNoContent {
			return campaign.Broken(reader.Exchange, "helix-ui.resume.nothing", "204", fmt.Sprint(reader.Now().Status), "there is something to read where nothing is left")
		}
	}
	return nil
}
