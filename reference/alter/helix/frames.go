package helix

import (
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// Sending selects events of a response, when they become bytes.
type Sending = alter.When[helix.Reader, store.Event]

// Frames selects the bytes of the events of a response for which all conditions hold.
func Frames(when ...Sending) alter.Frames[helix.Options, helix.Reader, store.Event] {
	return alter.Wire[helix.Options, helix.Reader, store.Event](func(
		begin func(helix.Reader) func([]byte, store.Event) []byte) Apply {
		return OnBytes(func(_ helix.Options, r helix.Reader) func([]byte, store.Event) []byte { return begin(r) })
	}).When(when...)
}

// Of matches events of some kinds.
func Of(kinds ...store.Kind) Sending {
	return IfSent(func(e store.Event) bool { return slices.Contains(kinds, e.Kind) })
}

// Last matches the end or the failure of a stream.
func Last() Sending { return Of(store.StreamEnded, store.StreamFailed) }

// IfSent returns a condition on single events.
func IfSent(hit func(e store.Event) bool) Sending { return alter.Each[helix.Reader](hit) }

// Sent matches every event.
func Sent() Sending { return alter.And[helix.Reader, store.Event]() }
