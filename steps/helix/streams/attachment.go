package streams

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps/helix/world"

	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

func clientSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the client attaches$`, func(w *world.World) error { return w.AttachOnly("client", target.ReadRequest{}) })
		steps.Step1(v, k, `^client "([^"]+)" attaches$`, func(w *world.World, name string) error { return w.AttachOnly(name, target.ReadRequest{}) })
		steps.Step1(v, k, `^`+world.AClient+` disconnects$`, func(w *world.World, who string) error {
			return w.Each(who, func(c *world.Client) error {
				c.Reader.Disconnect()
				c.Reader = nil
				return nil
			})
		})
	})
	steps.Step0(v, features.Given, `^an attached client$`, func(w *world.World) error { return w.AttachAndCatchUp("client") })
	steps.Step1(v, features.Given, `^attached clients ("[^"]+"(?:, "[^"]+")*)$`, func(w *world.World, list string) error {
		for _, name := range strings.Split(list, ", ") {
			if err := w.AttachAndCatchUp(strings.Trim(name, `"`)); err != nil {
				return err
			}
		}
		return nil
	})
	steps.Step0(v, features.Given, `^an attached client that must stay on its connection$`, func(w *world.World) error {
		if err := w.AttachAndCatchUp("client"); err != nil {
			return err
		}
		w.Clients["client"].Pinned = true
		return nil
	})
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the client attaches accepting gzip$`, func(w *world.World) error {
			return w.AttachOnly("client", target.ReadRequest{Gzip: true})
		})
	})
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the client attaches over HTTP/2$`, func(w *world.World) error {
			if ok, reason := w.Session().Target().OffersHTTP2(w.Session().Context(), targethelix.Info()); !ok {
				return &steps.Unprovable{Reason: reason}
			}
			return w.AttachOnly("client", target.ReadRequest{HTTP2: true})
		})
	})
}

func headSteps(v *steps.Sentences[*world.World]) {
	steps.Step0(v, features.Given, `^the response head has arrived$`, func(w *world.World) error {
		c, _, err := head(w)
		if err != nil {
			return c.Where(err)
		}
		return nil
	})
	steps.Step0(v, features.Then, `^the response head arrives before any event$`, func(w *world.World) error {
		cs, err := w.ClientsNamed("the client")
		if err != nil {
			return err
		}
		got, err := cs[0].Reader.Head()
		if err != nil {
			return cs[0].Where(err)
		}
		if got.Status != 200 {
			return cs[0].Failure("a response head of 200", fmt.Sprintf("%d", got.Status), nil)
		}
		w.Saw(1)
		return nil
	})
}
