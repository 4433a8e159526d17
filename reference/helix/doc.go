// Package helix serves the streams of a store over HTTP as server-sent events, and takes the control calls that provoke
// them in tests.
//
//	GET    /streams/{stream}/events                     the events of a stream, from the start or after a cursor
//	GET    /streams/{stream}                            the status, latestSequence and chunkCount of a stream
//	GET    /streams/{stream}/snapshot                   the state and the messages that the events add up to
//
//	POST   /control/streams/{stream}/{call}             writers, end, fail, status, cleanup or reset
//	PUT    /control/streams/{stream}/state              the state that the stream begins with
//	DELETE /control/streams/{stream}                    forgets the stream
//	POST   /control/streams/{stream}/writers/{w}/chunks writes a chunk, or an array of chunks
//	DELETE /control/streams/{stream}/writers/{w}        closes the writer
//	POST   /control/runs                                starts a run of a scripted agent
//	GET    /control/runs/{run}                          the state of a run; with ?settled once it waits or has ended
//	POST   /control/runs/{run}/{call}                   release, interrupt, resume, tool-result, crash, rollback, branch,
//	                                                    supersede or retry
//
// The handler routes by the escaped path: it decodes each segment once, and a stream id is the result, so that an id with a
// slash, two dots or a line feed names that stream and no other. It never decodes a chunk to encode it again: a reader gets
// the bytes that the writer wrote, without the white space between tokens.
//
// Every step from a request to a frame is a field of Options, so that a decorator can replace it. A line that keeps a
// requirement of the protocol names its id. The package refuses to know the types of chunks, but for those that a snapshot
// folds; package reference brings their rules. It imports store, runtime, its script and a library for JSON Patch.
//
// # Files, in reading order
//
//   - errors.go, cursor.go, validate.go: refusals, cursors, chunks
//   - fold_chunk.go, fold_messages.go, fold_state.go, fold_keys.go, fold_expect.go, fold.go, projections.go: snapshots
//   - options.go, encoder.go, handler.go, body.go: what every route uses
//   - read.go, snapshot.go: readers
//   - runs.go, runs_steer.go, runs_journal.go, runs_handover.go, message.go: runs of the runtime on streams
//   - control.go, routes.go: control calls, and which path leads where
//
// Invariants: a fold takes events in the order of their sequences, and never changes a value that it returned; a snapshot is
// that of one sequence, messages and state alike.
package helix
