package certify

import (
	"testing"

	"github.com/streamcert/streamcert/runner/campaign"
)

// TestRerun: a line selects its arguments, and is quick only if the run isn't.
func TestRerun(t *testing.T) {
	const location = "features/p/c/f.feature:3"
	for _, c := range []struct {
		line   string
		effort campaign.Effort
		quick  bool
		want   string
	}{
		{"streamcert certify --strict --seed 4 --only %s", campaign.Standard, true, "streamcert certify --strict --effort quick --seed 4 --only " + location},
		{"streamcert certify --effort thorough --seed 4 --only %s", campaign.Thorough, true, "streamcert certify --effort quick --seed 4 --only " + location},
		{"streamcert certify --effort thorough --seed 4 --only %s", campaign.Thorough, false, "streamcert certify --effort thorough --seed 4 --only " + location},
		{"streamcert certify --effort quick --seed 4 --only %s", campaign.Quick, true, "streamcert certify --effort quick --seed 4 --only " + location},
		{"go test -run '^%s$'", campaign.Quick, true, ""},
	} {
		s := selection{options: Options{Rerun: c.line, Effort: c.effort}}
		if got := s.rerun(c.quick, location); got != c.want {
			t.Errorf("%s, %s, quick %v:\n%s", c.line, c.effort, c.quick, got)
		}
	}
}
