// Package streams has the sentences of pack helix on streams: writers that write to them, clients that read and resume
// them, truncations, status, the end, isolation, restarts and replicas.
//
// The judge reports its findings on each exchange. A sentence fails only for its claim.
//
// # Files, in reading order
//
//   - writer.go, delivery.go, attachment.go: writing, receiving, attaching
//   - cursor.go, arrivals.go, request.go, sequence.go: cursors, readers that come during writes, answers, sequences
//   - terminal.go, truncation.go, status.go: how streams end, are truncated and paused
//   - isolation.go, load.go, interop.go: other streams, stalled clients, an off-the-shelf client
//   - restart.go, replicas.go, replica_races.go: servers that are killed, servers over one store
//   - open.go: registers all
//
// The state is in package world, with its invariants; an attempt has a refused write until the next one.
package streams
