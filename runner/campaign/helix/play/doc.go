// Package play does the operations of a program. After each operation it compares what the server has answered, and what readers
// have received, with the models of package runner/model/helix. It stops at the first violation.
//
// Nothing here sleeps: what must come is waited for, and that nothing else came is proven by a chunk or a terminal frame
// that must be next. An operation that makes no sense in the present state is passed over. A refusal for load ends the play
// without a result.
//
// # Files, in reading order
//
//   - play.go, operations.go: the state of a play, and which part does an operation
//   - read.go, resume.go, replicas.go: readers
//   - change.go, finish.go, limits.go, initial_state.go: calls that change a stream
//   - inspect.go: StreamInfo, snapshots and what is checked at the end
//   - invalid_cursors.go, unknown_names.go, credentials.go, concurrent_open.go: requests out of the ordinary
//   - race_timing.go, racer.go, race.go, kill.go: concurrent calls and restarts
//   - run.go, answer.go, run_inspect.go, invalid_calls.go, concurrent_calls.go, early_input.go, run_kill.go: runs
//
// Invariants: a call is reported to the model of a stream only after the server has accepted it. A reader that is attached in the
// model has an open connection, or one whose end the model allows.
package play
