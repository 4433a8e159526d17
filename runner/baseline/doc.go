// Package baseline reads and writes the file of requirements that a server is
// known to break, so that a run fails only for what is new.
//
// An entry needs a reason, and is there only for as long as its requirement
// fails: one without a reason, one that passes and one that names no requirement
// are problems, and each fails the run. A requirement that was not selected says
// nothing about its entry.
//
// It decides no verdict; the runner does, with what Known says. It may import
// runner/report and spec.
package baseline
