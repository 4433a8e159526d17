// Package stream has the mutants of streams that only campaigns find: no scenario is made for them, because they err at a
// size, a number, a name or a combination of calls that the spec doesn't single out.
//
// # Files, in reading order
//
//   - delivery.go: how readers lose or get changed chunks
//   - equal_chunks.go, chunk_types.go, values.go, json_escapes.go, encodings.go, invalid_chunks.go: what is in a chunk
//   - chunk_counts.go, capacity.go, field_limits.go, table_limits.go, large_streams.go: sizes and numbers
//   - writers.go, single_readers.go, many_readers.go, client_headers.go, heartbeats.go: who writes and reads
//   - invalid_cursors.go, stream_ids.go: cursors, ids of streams
//   - removal.go, removed_gaps.go, repetition.go, after_reset.go, after_deletion.go: removed chunks, resets, deletions
//   - pauses.go, snapshots.go, credentials.go: statuses, snapshots, who may read
//   - races.go, concurrent.go, crashes.go: concurrent calls, restarts
//   - mutants.go: the list
//
// No file uses what a later one declares.
package stream
