// Package certify selects scenarios of a suite, runs them against a target, passes every exchange to the judge, and turns
// the findings into verdicts on requirements.
//
// A run is planned by [NewPlan], begins with [Preflight], and ends in a [Result]; [Rejudge] passes the exchanges of a
// report to the judge again.
//
// It may import the parts of a pack, steps, godog and runner/report. It knows no protocol, and never imports the reference
// server.
//
// # Files, in reading order
//
//   - options.go, locations.go, plan.go, skip.go, selection.go, rerun.go, list.go: what a run plays, and the command for it
//   - outages.go, preflight.go, again.go, busy.go, probes.go: ends of the server, idle connections, refusals, silent streams
//   - counters.go, record.go, transcript.go, results.go: what is stored of rows
//   - running.go, keep.go, registered_row.go: the state of a run, and how a row is added to it
//   - format.go, turn.go, play.go: one row, and the order of all
//   - findings.go, reason.go, verdict.go, class.go, report.go: verdicts, and why nothing was found out
//   - confirm.go, run.go: failed scenarios alone, and the run
//
// A file uses those above it, and none below.
//
// Invariants: every planned requirement has one verdict; a row counts once, with the results of its last play; what was
// played while the server was away is never a failure.
package certify
