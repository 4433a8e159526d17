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
//   - session.go, read.go, save.go: one connection, the stream, the capture
//   - recognise.go: which pack a stream is of
//   - baseline.go, cuts.go, sweep.go: the uninterrupted read, and resuming readers compared with it
//   - conclude.go, result.go, write.go: findings and their output
package observe
