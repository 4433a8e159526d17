// Package certify selects scenarios of a suite, runs them against a target, passes every exchange to the judge, and turns
// the findings into verdicts on requirements.
//
// A run is planned by [NewPlan], begins with [Preflight], and ends in a [Result]; [Rejudge] passes the exchanges of a
// report to the judge again.
//
// It may import the parts of a pack, steps, godog and runner/report. It knows no protocol, and never imports the reference
// server.
package certify
