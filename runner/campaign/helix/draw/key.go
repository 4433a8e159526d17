package draw

import (
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
)

// pointed lists endings of keys of a state that a JSON pointer has to escape, or that resemble an index.
var pointed = []string{"/", "~", "~1", "~0", "a/b", "m~n", "a/b/c", "~~", "//", "~01/~10/", "/-", "-", "0", "%2F", "\"", ".", " "}

// inherited lists members that every object of JavaScript has. Branches don't set them, since concurrent branches set
// different keys.
var inherited = []string{"__proto__", "constructor"}

// key returns a key of the state, in two of three cases a known one.
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
