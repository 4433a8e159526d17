package runner

import "github.com/streamcert/streamcert/runner/judge/helix"

// Judged lists the ids of the requirements that the judge of a pack names, nil
// for a pack that isn't there. Lint asks the spec for each of them.
func Judged(pack string) []string {
	if pack == "helix" {
		return helix.Requirements()
	}
	return nil
}
