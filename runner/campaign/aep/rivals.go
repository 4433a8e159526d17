package aep

import "github.com/streamcert/streamcert/runner/campaign"

// rivals brings the result of an open action twice at once, and nobody knows which comes first. Each is whole at once, so
// that a server may answer them one after the other.
func (p *play) rivals(t *thread) error {
	if err := p.finishAll(t); err != nil || len(t.Open()) == 0 {
		return err
	}
	o := Operation{kind: ask, count: 1, class: plain, size: 1, brings: one, acts: []act{{"text", words, 2}, {name: "echo", class: "results"}}}
	for n := range 2 {
		asking, blocks, ok := p.asking(t, o)
		if !ok {
			return nil
		}
		if n > 0 && p.moved { // what each of two replicas holds for open
			if err := p.move(); err != nil {
				return err
			}
		}
		asking.Rival = true
		turn, err := p.send(t, asking, blocks, t.id(p), o)
		if err != nil {
			return err
		}
		t.live = append(t.live, turn)
	}
	for _, turn := range t.live {
		if err := p.head(turn); err != nil {
			return err
		}
	}
	if err := t.live[0].Contested(t.live[1].Turn); err != nil {
		return campaign.At(t.live[0].conn.Exchange, err)
	}
	return p.finishAll(t)
}

// crowd makes two requests while the agent waits in the midst of another one. A server may have both of them wait, and has to come
// to each.
func (p *play) crowd(t *thread) error {
	if err := p.settle(t); err != nil || len(t.live) != 1 || t.ID == "" {
		return err
	}
	o := Operation{kind: crowd, count: 1, class: plain, size: 2, acts: []act{{"text", words, 2}}}
	for range 2 {
		if turn, _, err := p.join(t, o); err != nil || turn == nil {
			return err
		}
	}
	return nil
}

// join makes a request beside those of its thread that are being answered, and returns it with what its messages hold; nil
// where it can't be made.
func (p *play) join(t *thread, o Operation) (*turn, [][]string, error) {
	asking, blocks, ok := p.asking(t, o)
	if !ok {
		return nil, nil, nil
	}
	turn, err := p.send(t, asking, blocks, t.id(p), o)
	if err != nil {
		return nil, nil, err
	}
	t.live = append(t.live, turn)
	return turn, blocks, nil
}
