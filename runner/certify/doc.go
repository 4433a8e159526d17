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
//   - options.go, list.go, plan.go, locations.go, selection.go, skip.go: what a run plays
//   - preflight.go, run.go, play.go, probes.go, format.go: the run, its scenarios, and those that watch a silent stream
//   - keep.go, record.go, registered_row.go, counters.go, transcript.go: what is stored of a row
//   - outages.go, again.go, busy.go: ends of the server, idle connections, refusals
//   - confirm.go, rerun.go: failed scenarios alone, and the command that shows the fault again
//   - verdict.go, reason.go: verdicts, and why nothing was found out
//
// Invariants: every planned requirement has one verdict; a row counts once, with the results of its last play; what was
// played while the server was away is never a failure.
package certify
