package certify

import (
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// keep takes a row and what was found in it into the report, as far as there is
// room. The caller holds the lock.
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
	r.rows[row.scenario.Place()+" "+row.report.Title] = row
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
