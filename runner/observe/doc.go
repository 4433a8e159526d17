// Package observe judges a stream without scripting it: it reads one URL, recognises the pack of the stream, passes every
// frame to the judge, and can prove that the stream resumes by cutting its connections.
//
// A sweep reads the stream once, and then repeatedly: after every event, and with the connection closed
// in the middle of frames and of characters. Each time it resumes as EventSource does, after the last complete frame, and must receive the
// same events as the uninterrupted read. It ignores legitimate differences: comments, status frames, unknown frames, new
// events, events that the server has dropped. Chunks that are removed meanwhile end a reading without a verdict.
//
// Every wait and every buffer has a bound. Values of request headers are secrets: they are redacted in all output except a
// capture.
//
// The package knows no more of a protocol than which frames carry an event and which is the last. It may import
// runner/wire, runner/record, runner/judge, runner/report and spec.
//
// # Files, in reading order
//
//   - options.go, result.go: what a caller states, and what it gets
//   - recognise.go: which pack a stream is of
//   - read.go, save.go: the first read, and its capture
//   - baseline.go, plan.go, cuts.go: the events that resumes have to repeat, and where readers disconnect
//   - session.go, reread.go: one resuming reader, and a second uninterrupted one
//   - conclude.go, sweep.go: which failures are real, and all readers of a sweep
//   - observe.go, write.go: a read with its sweep, and the output
//
// Invariants: a sweep reports each rule once, with the simplest failure that shows it; a rule that the first read or an
// earlier resume broke gets no further finding of the judge; a failure that removed events or the number of readers may
// explain is undecided, and no finding.
package observe
