// Package observe judges a stream that nobody scripts: it reads one URL, says of
// which pack the stream is, lets the judge look at every frame, and can prove
// that the stream resumes by cutting its own connections.
//
// A sweep reads the stream once, and then again and again: after every event, and
// with the connection cut in the middle of frames and of characters. Each time it
// goes on as EventSource does, after the last complete frame, and what came must
// be what one uninterrupted read brought. What may differ is left alone: comments,
// status frames, unknown frames, events that are new, events that are no longer
// kept. Chunks that are removed meanwhile end a cut without a verdict.
//
// Every wait and every buffer has a bound. Values of request headers are secrets:
// they are replaced wherever they turn up in what is written, but not in a capture.
//
// The package refuses to know more of a protocol than which frames carry an event
// and which is the last. It may import runner/wire, runner/record,
// runner/judge, runner/report and spec.
package observe
