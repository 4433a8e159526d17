package helix

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/steps"
)

// receivesNone checks that no chunk of the run looks like the pattern. Without one that looks like the other, which it
// might stand beside, there is nothing to judge; "" is any.
func receivesNone(w *world, who, text, concurrently string) error {
	p, err := parsePattern(text)
	if err != nil {
		return err
	}
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		for _, m := range c.got {
			if _, ok := p.matches(m, nil); ok {
				return c.failure("0 chunks with "+text, steps.Clip(m.frame.Data), m)
			}
		}
		return c.shows(concurrently)
	})
}

// shows counts an occasion if the client was given a chunk that looks like one of the patterns; "" is any.
func (c *clientState) shows(text string) error {
	if text == "" {
		text = "{}"
	}
	for one := range strings.SplitSeq(strings.ReplaceAll(text, "} or {", "}\n{"), "\n") {
		p, err := parsePattern(one)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(c.got, func(m *message) bool { _, ok := p.matches(m, nil); return ok }) {
			c.w.Saw(1)
			return nil
		}
	}
	return nil
}

// notFinished checks that the stream of a settled run goes on. Without a chunk that looks like the pattern, after which it
// might have finished, there is nothing to judge; "" is any.
func notFinished(w *world, who, after string) error {
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		if c.terminal == nil {
			if err := over(w, c); err != nil {
				return err
			}
		}
		if c.terminal != nil {
			return c.failure("no terminal frame", c.finish(""), c.terminal)
		}
		return c.shows(after)
	})
}
