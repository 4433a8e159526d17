// Package snapshot has the sentences of pack helix on snapshots, and on what a client receives that reads the stream
// after one.
//
// Files, in reading order: snapshot.go (requesting one, its members), state.go, messages.go, boundary.go
// (which chunks it covers), run_sequence.go (snapshots during a run).
package snapshot
