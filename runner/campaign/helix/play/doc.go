// Package play plays programs. After each operation it compares the answers of the server, and the frames that readers
// received, with the models of package runner/model/helix. It stops at the first violation.
//
// Nothing here sleeps: it waits for expected frames, and a chunk or a terminal frame that must be next proves that no
// other frame came. An operation that makes no sense in the present state is skipped. A refusal for load ends the play
// without a result.
//
// # Files, in reading order
//
//   - state.go: the state of streams, readers and runs
//   - connect.go, receive.go, read.go, calls.go: readers, calls and writes
//   - change.go, concurrent_calls.go: calls that change a stream
//   - invalid_cursors.go, limits.go, credentials.go: unusual requests
//   - kill.go, racer.go, race.go: restarts and concurrent calls; package timing decides when they begin
//   - run_inspect.go, run_calls.go, run_kill.go, run.go: runs
//   - end.go, play.go: the checks at the end, and which part performs an operation
//
// Invariants: a player chooses nothing by itself: what a client may do in several ways is a field of an operation. A call is reported to the model of a stream only after the server has accepted it. A reader that is
// attached in the model has an open connection, or one whose end the model allows.
package play
