package helixui

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// Play plays the turns of a program and checks the responses. The error is why the program could not be played.
func Play(ctx context.Context, t *target.Target, program Program, o Options) (Result, error) {
	session, offers := t.Session(ctx), Offers(t)
	defer session.Close()
	p := &play{
		session: session, options: o, occasions: model.OccasionCounts{}, chats: map[int]*chat{}, history: t.Claims("history"), replays: t.Claims("replay"),
		claims: model.Claims{Mapping: offers("mapping"), Metadata: offers("metadata"), Reasoning: t.Claims("reasoning") && !o.Hides, Resume: t.Claims("resume")},
	}
	again, err := p.streamsAgain()
	if p.claims.Resume = p.claims.Resume && again; err == nil {
		err = p.rounds(program.scenes(int(t.Limits().Within().String)))
	}
	result := Result{Occasions: p.occasions, Busy: errors.Is(err, campaign.ErrBusy), Hides: o.Hides || p.hides}
	v, err := campaign.Ended(ctx, session, err, "playing turns")
	if v != nil {
		if all := slices.Sorted(maps.Keys(p.chats)); len(all) == 2 { // a shrunk program needs both
			v.Message += fmt.Sprintf(", in two chats whose names differ in their ends, %.16q and %.16q", chatName("", all[0]), chatName("", all[1]))
		}
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
			return readerOps{p}.moment(a, barrier, a.moments[barrier])
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
		return readerOps{p}.release(a, barrier)
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
