package aep

import (
	"github.com/streamcert/streamcert/runner/target"
)

// modelOnly is offered by a target that the kit provokes by playing its model, and in no other way.
const modelOnly = "model only"

// Offers reports whether a target has a capability that a program may need, or modelOnly.
func Offers(t *target.Target) func(string) bool {
	return func(name string) bool {
		if name == modelOnly {
			return t.Model() != nil && !t.Scripts()
		}
		return t.Claims(name)
	}
}

// acting reports whether the agent may request an action of its client, and go on.
func acting(claims func(string) bool) bool { return claims("actions") && claims("threads") }
