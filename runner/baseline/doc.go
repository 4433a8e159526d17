// Package baseline reads and writes the file of requirements that a server is known to break, so that a run fails only for
// new failures.
//
// An entry needs a reason, and is valid only while its requirement fails: one without a reason, one that passes and one
// that names no requirement are problems, and each fails the run. A requirement that was not selected doesn't affect its
// entry.
//
// The file contains the seed and the effort of the run that wrote it, so that later runs play the same. Requirements that
// only campaigns broke may pass with other draws: that is a notice, and fails no run.
//
// It decides no verdict; the runner does, with the result of Known. It may import runner/record, runner/report and spec.
package baseline
