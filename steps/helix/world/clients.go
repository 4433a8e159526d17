package world

import (
	"fmt"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// AClient is the part of a step's expression that names the clients.
const AClient = `(the client|client "[^"]+"|every client|a fresh client|the stalled client)`

// Events is the part of a step's expression that names events: "event 3", "events 1 to 4".
const Events = `(events? \d[\d, to]*)`

// AttachOnly attaches a client to the only stream, without receiving anything.
func (w *World) AttachOnly(name string, r target.ReadRequest) error {
	_, err := w.Attach(name, "", r)
	return err
}

// AttachAndCatchUp attaches and receives every event of the stream, so that the client is certainly attached.
func (w *World) AttachAndCatchUp(name string) error {
	c, err := w.Attach(name, "", target.ReadRequest{})
	if err != nil {
		return err
	}
	if _, err := c.Reader.Head(); err != nil {
		return c.Where(err)
	}
	for _, e := range c.Stream.Events {
		if err := c.Receive(e); err != nil {
			return err
		}
	}
	return nil
}

// ClientsNamed returns the clients that a step names. A fresh client attaches now.
func (w *World) ClientsNamed(who string) ([]*Client, error) {
	switch {
	case who == "every client":
		var all []*Client
		for _, name := range w.Order {
			if c := w.Clients[name]; c.Reader != nil {
				all = append(all, c)
			}
		}
		if len(all) == 0 {
			return nil, steps.Faultf("no client is attached")
		}
		return all, nil
	case who == "a fresh client":
		w.fresh++
		c, err := w.Attach(fmt.Sprintf("fresh %d", w.fresh), "", target.ReadRequest{})
		if err != nil {
			return nil, err
		}
		return []*Client{c}, nil
	}
	c, ok := w.Clients[ClientName(who)]
	if !ok || c.Reader == nil {
		return nil, steps.Faultf("%s is not attached", who)
	}
	return []*Client{c}, nil
}

// Each calls f with every client that a step names, up to the first error. An error that names no connection gets the
// client's.
func (w *World) Each(who string, f func(*Client) error) error {
	cs, err := w.ClientsNamed(who)
	if err != nil {
		return err
	}
	for _, c := range cs {
		if err := f(c); err != nil {
			return c.Where(err)
		}
	}
	return nil
}

// ClientName returns the key of a client: `client "A"` is A, `the client` is client.
func ClientName(who string) string {
	if q := strings.Split(who, `"`); len(q) == 3 {
		return q[1]
	}
	return strings.TrimPrefix(who, "the ")
}

// Watch waits while a client reads, where a rule is about time itself.
func (w *World) Watch(d time.Duration) {
	for _, name := range w.Order {
		if c := w.Clients[name]; c.Reader != nil {
			c.Reader.Silent(d)
			return
		}
	}
	w.Idle(d)
}
