// Package certify selects scenarios of a suite, runs them against a target, lets the judge look at everything that was
// exchanged, and turns what was seen into verdicts on requirements.
//
// A run is planned by [NewPlan], begins with [Preflight], and ends in a [Result]; [Rejudge] shows what a report kept to
// the judge again.
//
// It may import what a pack is made of, steps, godog and runner/report. It knows no protocol, and never imports the
// reference server.
package certify
