// Package helix is the spec of this protocol's streams, executable: the chapters on lifecycle, ordering, resume, truncation
// and status, and what chunks, security and snapshots say of a stream.
//
// A [Stream] is told what was done to it, and a [Reader] each frame that it received. What no transition of the model
// explains is a [Breach], which names the requirement that forbids it; what is explained counts an occasion of it.
// Freedom of the spec is non-determinism of the model: gaps in the sequences, a response that is closed at a pause or after
// a truncation, a second status frame and chunks that are held back during a pause are all right, and so is whatever is
// only recommended.
//
// A [Run] is told what was done to a run of the server's own runtime, and then all that is stored. It follows the script as
// far as it comes and compares what its agents must have said and done by then: texts, reasoning, calls, events, sub-agents,
// failures, the state, the output, and what was announced. On the stream of a run, a [Stream] learns from one reader what the
// others must receive.
//
// Calls that meet are a [Race]: it must be possible to put them into one order in which each was answered as it was.
//
// The model knows no connection and no clock. It may import the standard library, schemas, runner/model and runner/patch
// of this module and a checker of such orders.
package helix
