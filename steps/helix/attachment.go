package helix

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

func clientSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the client attaches$`, func(w *world) error { return w.attachOnly("client", target.ReadRequest{}) })
		steps.Step1(v, k, `^client "([^"]+)" attaches$`, func(w *world, name string) error { return w.attachOnly(name, target.ReadRequest{}) })
		steps.Step1(v, k, `^`+aClient+` disconnects$`, func(w *world, who string) error {
			return w.each(who, func(c *clientState) error {
				c.reader.Cut()
				c.reader = nil
				return nil
			})
		})
	})
	steps.Step0(v, features.Given, `^an attached client$`, func(w *world) error { return w.attachAndCatchUp("client") })
	steps.Step1(v, features.Given, `^attached clients ("[^"]+"(?:, "[^"]+")*)$`, func(w *world, list string) error {
		for _, name := range strings.Split(list, ", ") {
			if err := w.attachAndCatchUp(strings.Trim(name, `"`)); err != nil {
				return err
			}
		}
		return nil
	})
	steps.Step0(v, features.Given, `^an attached client that must stay on its connection$`, func(w *world) error {
		if err := w.attachAndCatchUp("client"); err != nil {
			return err
		}
		w.clients["client"].pinned = true
		return nil
	})
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the client attaches accepting gzip$`, func(w *world) error {
			return w.attachOnly("client", target.ReadRequest{Gzip: true})
		})
	})
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the client attaches over HTTP/2$`, func(w *world) error {
			if ok, reason := w.Session().Target().OffersHTTP2(w.Session().Context(), targethelix.Info()); !ok {
				return &steps.Unprovable{Reason: reason}
			}
			return w.attachOnly("client", target.ReadRequest{HTTP2: true})
		})
	})
}

func headSteps(v *steps.Sentences[*world]) {
	steps.Step0(v, features.Given, `^the response head has arrived$`, func(w *world) error {
		c, _, err := w.head()
		if err != nil {
			return c.where(err)
		}
		return nil
	})
	steps.Step0(v, features.Then, `^the response head arrives before any event$`, func(w *world) error {
		cs, err := w.clientsNamed("the client")
		if err != nil {
			return err
		}
		got, err := cs[0].reader.Head()
		if err != nil {
			return cs[0].where(err)
		}
		if got.Status != 200 {
			return cs[0].failure("a response head of 200", fmt.Sprintf("%d", got.Status), nil)
		}
		w.Saw(1)
		return nil
	})
}

func (w *world) attachOnly(name string, r target.ReadRequest) error {
	_, err := w.attach(name, "", r)
	return err
}

// attachAndCatchUp attaches and reads everything that the stream holds, so that
// the client is attached beyond doubt.
func (w *world) attachAndCatchUp(name string) error {
	c, err := w.attach(name, "", target.ReadRequest{})
	if err != nil {
		return err
	}
	if _, err := c.reader.Head(); err != nil {
		return c.where(err)
	}
	for _, e := range c.stream.events {
		if err := c.receive(e); err != nil {
			return err
		}
	}
	return nil
}

// clientsNamed resolves who receives. A fresh client attaches now.
func (w *world) clientsNamed(who string) ([]*clientState, error) {
	switch {
	case who == "every client":
		var all []*clientState
		for _, name := range w.order {
			if c := w.clients[name]; c.reader != nil {
				all = append(all, c)
			}
		}
		if len(all) == 0 {
			return nil, steps.Faultf("no client is attached")
		}
		return all, nil
	case who == "a fresh client":
		w.fresh++
		c, err := w.attach(fmt.Sprintf("fresh %d", w.fresh), "", target.ReadRequest{})
		if err != nil {
			return nil, err
		}
		return []*clientState{c}, nil
	}
	c, ok := w.clients[clientName(who)]
	if !ok || c.reader == nil {
		return nil, steps.Faultf("%s is not attached", who)
	}
	return []*clientState{c}, nil
}

// each does something with every client that a step names, up to the first
// error. An error that names no connection gets the client's.
func (w *world) each(who string, f func(*clientState) error) error {
	cs, err := w.clientsNamed(who)
	if err != nil {
		return err
	}
	for _, c := range cs {
		if err := f(c); err != nil {
			return c.where(err)
		}
	}
	return nil
}

// clientName is the key of a client: `client "A"` is A, `the client` is client.
func clientName(who string) string {
	if q := strings.Split(who, `"`); len(q) == 3 {
		return q[1]
	}
	return strings.TrimPrefix(who, "the ")
}
