package prove

import (
	"context"
	"fmt"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
)

// alike reports whether a server answers every scenario as the reference does: each passes without findings, and each
// transcript is its golden, byte for byte. Such a server differs at most in properties that no transcript shows, such as
// timing.
func alike(ctx context.Context, s *pack.Suite, m Mutant, o MutantOptions) (bool, error) {
	res, err := against(ctx, s, m.Start, o.Config, certify.Options{NoPreflight: true, Transcripts: true})
	if err != nil {
		return false, fmt.Errorf("comparing mutant %s with the reference: %w", m.Name, err)
	}
	for _, row := range res.Report.Scenarios {
		if row.Outcome != report.Pass {
			return false, nil
		}
	}
	if len(res.Broken) > 0 {
		return false, nil
	}
	for name, got := range res.Transcripts {
		want, err := golden.Read(s.Files.Golden, name)
		if err != nil {
			return false, fmt.Errorf("comparing mutant %s with the reference: %w", m.Name, err)
		}
		if golden.Diff(want, got) != "" {
			return false, nil
		}
	}
	return true, nil
}
