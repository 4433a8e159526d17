package run

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// receivesNone checks that no chunk of the run matches the pattern. It proves nothing unless a chunk matches the other
// pattern, the chunks next to which the first could appear; "" matches any chunk.
func receivesNone(w *world.World, who, text, nearby string) error {
	p, err := ParsePattern(text)
	if err != nil {
		return err
	}
	return EachEntire(w, who, func(c *world.Client) error {
		for _, m := range c.Got {
			if _, ok := p.matches(m, nil); ok {
				return c.Failure("0 chunks with "+text, steps.Clip(m.Frame.Data), m)
			}
		}
		return shows(c, nearby)
	})
}

// shows counts an occasion if the client received a chunk that matches one of the patterns; "" matches any chunk.
func shows(c *world.Client, text string) error {
	if text == "" {
		text = "{}"
	}
	for one := range strings.SplitSeq(strings.ReplaceAll(text, "} or {", "}\n{"), "\n") {
		p, err := ParsePattern(one)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(c.Got, func(m *world.Message) bool { _, ok := p.matches(m, nil); return ok }) {
			c.World.Saw(1)
			return nil
		}
	}
	return nil
}

// notFinished checks that the stream of a settled run isn't finished. It proves nothing unless a chunk matches the
// pattern, the chunk after which the stream might have finished; "" matches any chunk.
func notFinished(w *world.World, who, after string) error {
	return EachEntire(w, who, func(c *world.Client) error {
		if c.Terminal == nil {
			if err := FinishedSince(w, c); err != nil {
				return err
			}
		}
		if c.Terminal != nil {
			return c.Failure("no terminal frame", finish(c, ""), c.Terminal)
		}
		return shows(c, after)
	})
}
