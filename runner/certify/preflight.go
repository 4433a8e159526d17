package certify

import (
	"context"
	"fmt"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// Preflight checks whether the target can be certified at all. Its error is one line: the request, the answer and a remedy.
func Preflight(ctx context.Context, s *pack.Suite, t *target.Target) (pack.Offer, error) {
	if s.Pack.Preflight == nil {
		return pack.Offer{}, nil
	}
	known := t.Wary()
	offer, err := s.Pack.Preflight(ctx, t)
	if err != nil && !known && t.Wary() { // a call met a closing connection; from now on each call uses a new one
		return s.Pack.Preflight(ctx, t)
	}
	if remedy := target.Remedy(err); remedy != "" {
		err = fmt.Errorf("%w%s", err, remedy)
	}
	return offer, err
}

// envOf returns the environment of scenarios, with the suite's schemas and judge. names are those of the target.
func envOf(s *pack.Suite, names record.Names) steps.Env {
	return steps.Env{Schemas: s.Schemas, Judge: func(e *record.Exchange) ([]record.Finding, map[string]int) { return s.Judge(e, names) }}
}

// preflight is [Preflight], once more where a server that the suite has started ended meanwhile.
func preflight(ctx context.Context, s *pack.Suite, o Options, ends *outages) (pack.Offer, error) {
	if o.Server == nil { // a wrong address is reported at once
		return Preflight(ctx, s, o.Target)
	}
	try := func() (offer pack.Offer, gone string, err error) {
		inner, openRow := ends.opened(ctx, report.Open{Title: "preflight"})
		defer openRow.cancel()
		offer, err = Preflight(inner, s, o.Target)
		return offer, ends.over(openRow, err != nil, err != nil), err
	}
	offer, gone, err := try()
	if gone == "" || err == nil {
		return offer, err
	}
	if lost := ends.await(ctx); lost != "" {
		return offer, fmt.Errorf("%s: %w", lost, err)
	}
	if offer, gone, err = try(); gone != "" && err != nil {
		all := ends.reported()
		err = fmt.Errorf("preflight: %s, twice: %w", all[len(all)-1].Sentence(), err)
	}
	return offer, err
}
