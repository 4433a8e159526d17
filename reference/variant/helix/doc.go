// Package helix is the catalogue of correct servers of this protocol that differ from the reference: each uses one freedom,
// as package variant describes it. It refuses to break a MUST: a variant that doesn't follow a SHOULD names it in Warns.
//
// # Files, in reading order
//
//   - variant.go, extension_points.go, runtime.go, token.go: one variant and its server, and what several files use
//   - wire.go, response.go, sequence.go, cursor.go, chunk.go, strings.go: the bytes of a stream, its numbers and cursors
//   - lifecycle.go, notice.go, timing.go, limits.go, error.go, control.go: ends, notices, moments, limits, refusals
//   - snapshot.go, snapshot_boundary.go: snapshots
//   - model.go, tools.go, state.go, subagents.go, output.go, runs.go, runs_table.go: what runs write to a stream
//   - guesses.go: choices where the sources leave one to implementers
//   - catalogue.go: the list
//
// # Invariants
//
// Freedom names the part of the specification that leaves the difference to servers; every name is one variant's. State that
// a variant makes belongs to one server, unless the server's options have a store.
package helix
