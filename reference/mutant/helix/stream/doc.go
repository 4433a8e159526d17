// Package stream has the mutants that break a requirement on streams and that a scenario finds: the chapters on chunks,
// lifecycle, ordering, wire, http, resume, truncation, status, security, snapshots, restarts and replicas. Mutants of the
// runtime that writes a stream are in package run.
//
// # Files, in reading order
//
//   - blocks.go, response.go, wire.go, http.go, errors.go: answers to readers, and their frames
//   - values.go, chunks.go: what chunks hold, which are refused
//   - readers.go, cleanup.go, lifecycle.go, truncation.go: readers that come and go, streams that end, removed chunks
//   - ordering.go, resume_cursors.go, sweep.go, resume.go: the order of chunks, cursors, readers that come back
//   - status.go, security.go: pauses, credentials and ids
//   - snapshot_messages.go, snapshot_state.go, snapshot_boundary.go, snapshot.go: snapshots
//   - durable.go, replicas.go, after_many_scenarios.go: restarts, several servers, bugs that begin after many streams
//   - mutants.go: the list
//
// No file uses what a later one declares.
//
// Invariants: a mutant alters one behaviour of the reference, and names the requirement that this breaks; two never have
// the same name.
package stream
