package edit

import (
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
)

// PartialSuffix ends the id of a message that is still being written.
const PartialSuffix = "-partial"

// IsPartial reports whether a message is still being written.
func IsPartial(m helix.Message) bool { return strings.HasSuffix(m.ID, PartialSuffix) }

// OnMessages changes the messages of snapshots; change may change the list, but not the values that its messages refer to.
func OnMessages(change func([]helix.Message) []helix.Message) on.Apply {
	return on.Snapshot(func(s *helix.Snapshot) { s.Messages = change(slices.Clone(s.Messages)) })
}

// OnPartial changes the messages that are still being written.
func OnPartial(change func(*helix.Message)) on.Apply {
	return OnMessages(func(all []helix.Message) []helix.Message {
		for i := range all {
			if IsPartial(all[i]) {
				all[i].Parts = slices.Clone(all[i].Parts)
				change(&all[i])
			}
		}
		return all
	})
}
