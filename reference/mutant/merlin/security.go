package merlin

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// security leak content between streams, and credentials into refusals.
func security() []Mutant {
	return []Mutant{
		{Name: "texts-of-another-stream", Requirement: "merlin.security.isolation", Stateful: true,
			Summary: "A member for debugging repeats the texts of the streams before.",
			Apply:   alter.WithState(otherTexts)},
		{Name: "echoes-headers-in-error", Requirement: "merlin.security.no-secret-echo",
			Summary: "An error shows the headers of the request that it doesn't understand.",
			Wrap:    alter.EchoesHeaders()},
	}
}

// otherTexts adds the beginnings of the texts of all other streams to each message.
func otherTexts(seen *struct {
	sync.Mutex
	texts map[string]string // by stream
}) on.Apply {
	const enough = 100 // bytes of a stream
	return on.Events(on.Named(merlin.Message)).EditSequence(func(c *merlin.RunState) func(*merlin.Event) {
		return func(e *merlin.Event) {
			seen.Lock()
			defer seen.Unlock()
			if seen.texts == nil {
				seen.texts = map[string]string{}
			}
			if len(seen.texts[c.Stream]) < enough {
				seen.texts[c.Stream] += on.Text(*e)
			}
			others := maps.Clone(seen.texts)
			delete(others, c.Stream)
			on.Set("debug", strings.Join(slices.Sorted(maps.Values(others)), "\n"))(e)
		}
	})
}
