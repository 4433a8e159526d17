package run

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// receivesNone checks that no chunk of the run looks like the pattern. Without one that looks like the other, which it
// might stand beside, there is nothing to judge; "" is any.
func receivesNone(w *world.World, who, text, concurrently string) error {
	p, err := ParsePattern(text)
	if err != nil {
		return err
	}
	return w.Each(who, func(c *world.Client) error {
		if err := Everything(c); err != nil {
			return err
		}
		for _, m := range c.Got {
			if _, ok := p.matches(m, nil); ok {
				return c.Failure("0 chunks with "+text, steps.Clip(m.Frame.Data), m)
			}
		}
		return shows(c, concurrently)
	})
}

// shows counts an occasion if the client was given a chunk that looks like one of the patterns; "" is any.
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

// notFinished checks that the stream of a settled run goes on. Without a chunk that looks like the pattern, after which it
// might have finished, there is nothing to judge; "" is any.
func notFinished(w *world.World, who, after string) error {
	return w.Each(who, func(c *world.Client) error {
		if err := Everything(c); err != nil {
			return err
		}
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
