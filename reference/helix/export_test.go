package helix

import (
	"encoding/json"

	"github.com/streamcert/streamcert/reference/store"
)

// Folded returns the messages and the state that a snapshot shows after the events of a stream.
func Folded(events []store.Event) ([]Message, json.RawMessage) {
	f := newFold(nil)
	for _, e := range effective(events) {
		f.add(e)
	}
	return f.assembled()
}
