package pack

import (
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// Provoked reports whether requirements of a tier need a server that can be provoked.
func Provoked(tier string) bool { return tier != "" && tier != spec.TierObserve }

// Lacks returns an error if a target doesn't support the tier: it can't be killed, or has only one address. It returns nil
// for the other tiers.
func Lacks(t *target.Target, tier string) error {
	switch tier {
	case spec.TierLaunched:
		return t.MayBeKilled()
	case spec.TierReplicated:
		return t.IsReplicated()
	}
	return nil
}
