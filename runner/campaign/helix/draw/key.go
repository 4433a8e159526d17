package draw

import (
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
)

// pointed are what the key of a state may end in that a pointer has to escape, or that looks like an index.
var pointed = []string{"/", "~", "~1", "~0", "a/b", "m~n", "a/b/c", "~~", "//", "~01/~10/", "/-", "-", "0", "%2F", "\"", ".", " "}

// inherited are what objects of JavaScript have without being given it. Branches don't set them: each has keys of its own.
var inherited = []string{"__proto__", "constructor"}

// key is one of the state, often one that is there.
func (w *writing) key() string {
	if name := inherited[w.named/7%len(inherited)]; w.named%7 == 0 && !w.concurrently && !slices.Contains(w.keys, name) {
		w.keys = append(w.keys, name)
	}
	if len(w.keys) == 0 || w.r.IntN(3) == 0 {
		key := w.name(fmt.Sprintf("key-%d", w.runs))
		if w.r.IntN(3) == 0 {
			key += campaign.Pick(w.r, pointed...) + campaign.Pick(w.r, append(pointed, "", "", "~/~")...)
		}
		w.keys = append(w.keys, key)
	}
	return campaign.Pick(w.r, w.keys...)
}
