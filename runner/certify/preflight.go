package certify

import (
	"context"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// Preflight finds out whether the target can be certified at all. Its error is one
// line that says what was tried, what came back and what to do.
func Preflight(ctx context.Context, s *pack.Suite, t *target.Target) (pack.Offer, error) {
	if s.Pack.Preflight == nil {
		return pack.Offer{}, nil
	}
	return s.Pack.Preflight(ctx, t)
}

// envOf is what scenarios need of a suite.
func envOf(s *pack.Suite) steps.Env { return steps.Env{Schemas: s.Schemas, Judge: s.Judge} }
