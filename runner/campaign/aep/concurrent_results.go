package aep

import (
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
)

// concurrentResults sends the result of an open action twice concurrently, or those of all if there are two or four, the
// second time in the other order. Their order is unknown. Each request is complete at once, so that a server may answer
// them one after the other.
func (p *play) concurrentResults(t *thread, choice int) error {
	if err := p.turns.finishAll(t); err != nil || len(t.Open()) == 0 {
		return err
	}
	o := Operation{kind: makeRequest, choice: choice, count: 1, class: ascii, size: 1, brings: one, steps: []step{{"text", words, 2}, {name: "echo", class: "results"}}}
	if n := len(t.Open()); n == 2 || n == 4 {
		o.brings = all
	}
	for n := range 2 {
		asking, blocks, ok := p.asking.asking(t, o)
		if !ok {
			return nil
		}
		if n > 0 && p.moved { // each of two replicas may consider the action open
			if err := p.move(); err != nil {
				return err
			}
		}
		if asking.Rival = true; n > 0 {
			slices.Reverse(asking.Results)
		}
		turn, err := p.asking.send(t, asking, blocks, t.id(p), o)
		if err != nil {
			return err
		}
		t.live = append(t.live, turn)
	}
	for _, turn := range t.live {
		if err := p.turns.head(turn); err != nil {
			return err
		}
	}
	if err := t.live[0].Contested(t.live[1].Turn); err != nil {
		return campaign.At(t.live[0].conn.Exchange, err)
	}
	return p.turns.finishAll(t)
}

// crowd sends two requests while the agent waits in an active one. A server may delay both, and has to answer each. The
// agent also waits in the first of them.
func (p *play) crowd(t *thread, choice int) error {
	if err := p.turns.settle(t); err != nil || len(t.live) != 1 || t.ID == "" {
		return err
	}
	o := Operation{kind: crowd, choice: choice, count: 1, class: ascii, size: 2}
	says := step{"text", words, 2}
	for _, o.steps = range [][]step{{says, {name: "await"}, says}, {says}} {
		if turn, _, err := p.join(t, o); err != nil || turn == nil {
			return err
		}
	}
	return nil
}

// join sends a request while others of its thread are active, and returns it with the content of its messages; nil if it
// can't be sent.
func (p *play) join(t *thread, o Operation) (*turn, [][]string, error) {
	asking, blocks, ok := p.asking.asking(t, o)
	if !ok {
		return nil, nil, nil
	}
	turn, err := p.asking.send(t, asking, blocks, t.id(p), o)
	if err != nil {
		return nil, nil, err
	}
	t.live = append(t.live, turn)
	return turn, blocks, nil
}
