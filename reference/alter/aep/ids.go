package aep

import (
	"fmt"
	"sync"

	"github.com/streamcert/streamcert/reference/aep"
)

// IDs are the ids of one kind that a server makes.
type IDs struct{ kind aep.IDKind }

// IDsFor returns the ids of a kind.
func IDsFor(kind aep.IDKind) IDs { return IDs{kind} }

// Map replaces each id by another. begin is called once for each server, and the calls of its result are sequential.
func (i IDs) Map(begin func() func(id string) string) Apply {
	return func(o aep.Options) aep.Options {
		var mu sync.Mutex
		inner, change := o.NewID, begin()
		o.NewID = func(kind aep.IDKind) string {
			id := inner(kind)
			if kind != i.kind {
				return id
			}
			mu.Lock()
			defer mu.Unlock()
			return change(id)
		}
		return o
	}
}

// Same makes one id, which a server uses until it is closed.
func (i IDs) Same() Apply {
	return i.Map(func() func(string) string {
		first := ""
		return func(id string) string {
			if first == "" {
				first = id
			}
			return first
		}
	})
}

// Modulo counts ids, and starts again after a number of them.
func (i IDs) Modulo(most int) Apply {
	return i.Map(func() func(string) string {
		n := -1
		return func(string) string {
			n++
			return fmt.Sprintf("%s-%x", i.kind, n%most)
		}
	})
}
