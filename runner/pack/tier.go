package pack

import (
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// Provoked reports whether requirements of a tier need a server that can be provoked.
func Provoked(tier string) bool { return tier != "" && tier != spec.TierObserve }

// Lacks says by an error why a target can't be asked for what requirements of a tier need beside that: to be killed, or
// to have several addresses. It is nil for the other tiers.
func Lacks(t *target.Target, tier string) error {
	switch tier {
	case spec.TierLaunched:
		return t.MayBeKilled()
	case spec.TierReplicated:
		return t.IsReplicated()
	}
	return nil
}
