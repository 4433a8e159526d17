// Package stream has the mutants of streams that only campaigns find: no scenario is made for them, because they err at a
// size, a number, a name or a combination of calls that the spec doesn't single out.
//
// # Files, in reading order
//
//   - chunks.go, large_streams.go: what is in a chunk, long streams
//   - stream_ids.go: ids of streams, tables and sizes
//   - writers.go, readers.go: who writes and reads, with which credentials and cursors
//   - removal.go, crashes.go: removed chunks, resets and pauses; kills and races
//   - mutants.go: the list
//
// No file uses what a later one declares.
package stream
