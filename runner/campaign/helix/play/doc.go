// Package play plays programs. After each operation it compares the answers of the server, and the frames that readers
// received, with the models of package runner/model/helix. It stops at the first violation.
//
// Nothing here sleeps: it waits for expected frames, and a chunk or a terminal frame that must be next proves that no
// other frame came. An operation that makes no sense in the present state is skipped. A refusal for load ends the play
// without a result.
//
// # Files, in reading order
//
//   - state.go: the state of a play, of its streams, readers and runs
//   - calls.go, replicas.go, read.go, resume.go, write.go: calls, readers and writes
//   - documents.go, beyond_cursors.go, initial_state.go, change.go, finish.go: StreamInfo, snapshots, and calls that
//     change a stream
//   - race_state.go, kill.go, racer.go, race.go: concurrent calls and restarts; package timing decides when they begin
//   - run_inspect.go, run_calls.go, answer.go, invalid_calls.go, concurrent_calls.go, early_input.go, run_kill.go,
//     run.go: runs
//   - limits.go, unknown_names.go, invalid_cursors.go, credentials.go, concurrent_open.go: unusual requests
//   - inspect.go, play.go: checks after operations and at the end, and which file has an operation
//
// Invariants: a call is reported to the model of a stream only after the server has accepted it. A reader that is
// attached in the model has an open connection, or one whose end the model allows.
package play
