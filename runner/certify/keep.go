package certify

import (
	"errors"
	"fmt"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
)

// keep adds a row with its findings to the report, as far as the budget allows. The caller has the lock.
func (r *running) keep(row *rowResult, exchanges []*target.Exchange, found []record.Finding) {
	r.budget.Keep(&row.report, len(found) > 0)
	for _, e := range exchanges {
		if r.server == "" && e.Kind != record.Control {
			r.server = r.options.Target.Redact(e.Now().Get("server"))
		}
	}
	if row.transcript != nil {
		if r.unkept -= bytesOf(row.transcript); r.unkept < 0 {
			row.transcript = nil
		}
	}
	r.done++
	r.rows[row.scenario.Location()+" "+row.report.Title] = row
	r.overflow(exchanges)
	for _, f := range found {
		r.findings[f.Requirement] = append(r.findings[f.Requirement], r.budget.Finding(f))
		if r.options.Until != nil && r.options.Until(f.Requirement) {
			r.stopped = true
		}
		if r.options.FailFast && r.fails(f.Requirement) && !r.stopped {
			r.stopped, r.ended = true, "the first failure, of "+f.Requirement+" (--fail-fast)"
		}
	}
}

// mostOverflows limits the streams with a frame over the limit, after which a run ends. Each costs as much as the limit,
// and a server that writes every character as an escape exceeds it in a few scenarios only.
const mostOverflows = 20

// overflow counts the streams of a row with a frame over the limit, and ends the run after too many. The caller has the
// lock.
func (r *running) overflow(exchanges []*target.Exchange) {
	for _, e := range exchanges {
		if errors.As(e.Now().Err, new(*wire.LimitError)) {
			r.overflows++
		}
	}
	if r.overflows >= mostOverflows && !r.stopped {
		r.stopped, r.ended = true, fmt.Sprintf("%d streams with a frame over %d bytes (limits.frame)", r.overflows, r.options.Target.Limits().Frame)
	}
}
