// Package run has the mutants that break a requirement on runs of the server's runtime and that a scenario finds: the
// chapters on text, thinking, tools, approval, custom events, output, errors, sub-agents, state, runs, checkpoints and
// resync.
//
// # Files, in reading order
//
//   - failures.go: runs that fail, and the errors that readers see
//   - text.go, thinking.go, custom.go: what an agent writes
//   - tools_arguments.go, tools_results.go, tools.go: calls of tools
//   - runs_table.go, approval.go: calls in the wrong state, calls that need consent
//   - errors_stops.go, errors.go, output.go: error chunks, outputs
//   - runs_stream.go, resync.go, runs_resuming.go, runs.go: one run after another, rollbacks
//   - state_sum.go, state.go: patches
//   - subagents_inside.go, subagents.go: sub-agents
//   - checkpoints.go, repeated_ids.go: checkpoints, ids that are given twice
//   - mutants.go: the list
//
// No file uses what a later one declares.
//
// Invariants: a mutant alters one behaviour of the reference, and names the requirement that this breaks; two never have
// the same name.
package run
