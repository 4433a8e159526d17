package aep

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/aep"
)

// stopping cancels requests.
type stopping struct {
	play        *play // of which it is a part
	uncancelled bool  // the server has no route that cancels
	stopped     bool  // a cancellation was accepted
}

// cancel cancels the first request of a thread while its agent waits, or as it goes on.
func (p *stopping) cancel(t *thread, crossing bool, choice int) error {
	if err := p.play.turns.settle(t); err != nil || len(t.live) == 0 || p.uncancelled || p.play.timed || !p.play.target.Claims("cancel") {
		return err
	}
	first := t.live[0]
	if crossing {
		if err := p.play.turns.release(first); err != nil {
			return err
		}
	}
	accepted, err := p.cancelled(first, !crossing && !first.ending, choice)
	if err != nil || p.uncancelled {
		return err
	}
	first.ending = first.ending || accepted
	if choice%4 == 3 { // twice concurrently: the answer to the second is free
		if err := p.play.at(first, func() error { return p.play.call(first.id, first.as) }); err != nil {
			return err
		}
	}
	first.Cancel(accepted && !crossing)
	if err := p.play.turns.settle(t); err != nil || !first.Over() {
		return err
	}
	return p.play.turns.releaseRemaining(first) // its later text must not be sent, nor be in the thread
}

// cancelLater cancels the second request of a thread while the first one is being answered. A server may have it wait, and
// then there is nothing to name.
func (p *stopping) cancelLater(t *thread, choice int) error {
	if err := p.play.turns.settle(t); err != nil || len(t.live) < 2 || t.live[1].asleep || p.uncancelled || !p.play.target.Claims("cancel") {
		return err
	}
	later := t.live[1]
	if later.id == "" {
		if later.id = p.named(later); later.id == "" {
			return nil
		}
	}
	if err := p.play.turns.head(later); err != nil || !later.Waits() {
		return err
	}
	accepted, err := p.cancelled(later, false, choice)
	if err != nil || p.uncancelled {
		return err
	}
	if later.Cancel(accepted); !accepted {
		return nil
	}
	if err := p.play.turns.read(later); err != nil {
		return err
	}
	t.live = slices.Delete(t.live, 1, 2)
	if err := p.play.turns.releaseRemaining(later); err != nil {
		return err
	}
	return p.play.turns.drop(later)
}

// named returns the id of a request that isn't read yet, "" if it has none within the time that silence is watched.
func (p *stopping) named(t *turn) string {
	if t.conn.Silence(p.play.target.Timing().Quiet) {
		return ""
	}
	for _, f := range t.conn.Now().Frames {
		if e, err := p.play.turns.event(f); err == nil && f.Dispatched() {
			id, _ := e.Members["requestId"].(string)
			return id
		}
	}
	return ""
}

// tryCancel sends cancellations of the request by another user and without a credential.
func (p *stopping) tryCancel(t *thread) error {
	if err := p.play.turns.settle(t); err != nil || len(t.live) == 0 || len(p.play.users) < 2 || p.uncancelled || !p.play.target.Claims("cancel") {
		return err
	}
	first := t.live[0]
	first.TryCancel()
	for _, as := range []target.User{p.play.users[1-t.Owner], target.Anonymous} {
		if err := p.play.at(first, func() error { return p.play.call(first.id, as) }); err != nil {
			return err
		}
	}
	return nil
}

// cancelEnded cancels requests that have ended, and some that never were and are named nearly like one that goes on; how that is
// answered is free.
func (p *stopping) cancelEnded() error {
	if p.uncancelled {
		return nil
	}
	p.play.world.Stopped()
	for i := len(p.play.turns.over) - 1; i >= max(0, len(p.play.turns.over)-3); i-- {
		if err := p.play.call(p.play.turns.over[i].id, p.play.turns.over[i].as); err != nil {
			return err
		}
	}
	for _, t := range p.play.threads {
		if len(t.live) == 0 || len(t.live[0].id) < counted {
			continue
		}
		first := t.live[0]
		for _, id := range []string{first.id[:len(first.id)/2], first.id + more} {
			if err := p.play.at(first, func() error { return p.play.call(id, first.as) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// call sends a cancellation of a request, and ignores the outcome.
func (p *play) call(id string, as target.User) error {
	call, err := aep.Cancel(p.session, id, as)
	if err != nil {
		return p.stopping.unanswered(err)
	}
	return p.stopping.withoutEcho(call, as)
}

// withoutEcho searches the credential in the refusal of a call.
func (p *stopping) withoutEcho(call *target.Exchange, as target.User) error {
	if v := call.Now(); v.Status >= http.StatusBadRequest && p.play.target.Shows(as, string(v.Answer)) {
		return campaign.Broken(call, secret, "a refusal without the credential", "its body", "a refusal repeats the credential that came with its call")
	}
	return nil
}

// because returns the nth reason of a cancellation: every third one has none, and every third one has all texts and more
// than 1,000 characters, as far as the server accepts them.
func (p *stopping) because(n int) string {
	switch n % 3 {
	case 1:
		reason := strings.Join(allTexts(n), " ")
		for most := p.play.target.Limits().Within().String; len(reason) < longReason && int64(2*len(reason)) <= most; {
			reason += " " + reason
		}
		return reason
	case 2:
		return "no longer wanted"
	}
	return ""
}

// longReason is the length of a reason of a few thousand characters, in bytes.
const longReason = 8 << 10

// withoutReason repeats a refused cancellation without its reason. If it is accepted now, the server refused the reason,
// which it may limit.
func (p *stopping) withoutReason(refused *target.Exchange, id string, as target.User) (bool, error) {
	again, err := aep.CancelFor(p.play.session, id, as, "")
	if err != nil {
		return false, p.unanswered(err)
	}
	if again.Now().Status/100 != 2 {
		return false, nil
	}
	return true, campaign.Broken(refused, "aep.cancel.aborted", "2xx, as without its reason", strconv.Itoa(refused.Now().Status), "a cancellation is refused because of its reason")
}

func (p *stopping) unanswered(err error) error {
	if _, missing := target.IsUnavailable(err); missing {
		p.uncancelled = true
		return nil
	}
	return err
}

// cancelled sends a cancellation to the replica of the request, and reports whether it was accepted.
func (p *stopping) cancelled(t *turn, surely bool, choice int) (accepted bool, err error) {
	err = p.play.at(t, func() (err error) {
		accepted, err = p.cancelledHere(t.id, t.as, surely, p.because(choice))
		return err
	})
	return accepted, err
}

// cancelledHere sends a cancellation and reports whether it was accepted. A server that has accepted others accepts that of
// a request that surely waits.
func (p *stopping) cancelledHere(id string, as target.User, surely bool, reason string) (bool, error) {
	call, err := aep.CancelFor(p.play.session, id, as, reason)
	if err != nil {
		return false, p.unanswered(err)
	}
	status := call.Now().Status
	if err := p.withoutEcho(call, as); err != nil {
		return false, err
	}
	if status == http.StatusNotFound && p.stopped && surely {
		return false, campaign.Broken(call, "aep.cancel.aborted", "2xx", "404", "a request that is being answered isn't found, and can't be cancelled")
	}
	if surely && reason != "" && slices.Contains([]int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}, status) {
		return p.withoutReason(call, id, as)
	}
	p.stopped = p.stopped || status/100 == 2
	if as == p.play.users[0] && slices.Contains([]int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented}, status) {
		p.uncancelled = true
	}
	return status/100 == 2, nil
}
