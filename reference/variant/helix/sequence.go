package helix

import (
	"context"
	"sync"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// sequences are other numbers for the same chunks.
func sequences() []Variant {
	return []Variant{
		{Name: "first-sequence-1000", Freedom: "sequences", Warns: []string{"helix.resume.first-sequence"},
			Summary: "Streams begin with sequence 1000.",
			Apply:   on.Numbering(func(p store.Position) int64 { return max(p.Highest+1, 1000) })},
		{Name: "sequences-with-gaps", Freedom: "sequences", Warns: []string{"helix.resume.gapless"},
			Summary: "Sequences skip numbers.",
			Apply: on.Numbering(func(p store.Position) int64 {
				if p.Highest == 0 {
					return 1
				}
				return p.Highest + 1 + p.Highest%3
			})},
		{Name: "sequences-of-the-store", Freedom: "helix.resume.gapless",
			Warns:   []string{"helix.resume.first-sequence", "helix.resume.gapless"},
			Summary: "One counter numbers the chunks of all streams.",
			Apply: func(o reference.Options) reference.Options {
				var mu sync.Mutex
				var last int64
				return on.Numbering(func(p store.Position) int64 {
					mu.Lock()
					defer mu.Unlock()
					last = max(last, p.Highest) + 1
					return last
				})(o)
			}},
		{Name: "large-sequences", Freedom: "Q-22", Warns: []string{"helix.resume.first-sequence"},
			Summary: "Sequences are large, as if made from a clock, and still exact in a double.",
			Apply:   on.Numbering(func(p store.Position) int64 { return max(p.Highest+1, 1<<53-100_000) })},
		{Name: "terminal-id-far", Freedom: "decision 1", Warns: []string{"helix.wire.terminal-id-next"},
			Summary: "The id of a terminal frame is far above the latest sequence.",
			Apply: func(o reference.Options) reference.Options {
				o = on.Numbering(func(p store.Position) int64 {
					if p.Highest > p.Latest { // the id of a terminal frame, which was sent with the distance
						return p.Highest + distance + 1
					}
					return p.Highest + 1
				})(o)
				o.Store = &distant{Store: o.Store}
				return o
			}},
	}
}

// distance is between the terminal id that the store gives and the one that readers see.
const distance = 500

// distant moves terminal ids away from the sequences.
type distant struct{ store.Store }

func (d *distant) Subscribe(ctx context.Context, stream string, after int64) (store.Subscription, error) {
	info, err := d.Store.Info(ctx, stream)
	if err != nil {
		return nil, err
	}
	if on.Finished(info) && after >= info.Terminal {
		if after >= info.Terminal+distance {
			return nil, store.ErrComplete
		}
		after = info.Terminal - 1
	}
	sub, err := d.Store.Subscribe(ctx, stream, after)
	if err != nil {
		return nil, err
	}
	return store.Map(sub, func(e store.Event) []store.Event {
		if e.Kind.Terminal() {
			e.Sequence += distance
		}
		return []store.Event{e}
	}), nil
}
