// Package sweep has the sentences of pack helix on streams whose readers are disconnected again and again, at every byte
// and at random ones. Each read must bring what an uninterrupted one brought.
//
// Files, in reading order: client.go (a client that is disconnected), sweep.go (the reads of a sweep),
// shrink.go (the fewest disconnects that still fail).
package sweep
