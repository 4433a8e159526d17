// Package run is the executable spec of runs of pack helix on the server's runtime: the chapters on text, thinking, tools,
// custom events, state, output, sub-agents, runs, checkpoints, resync and approval.
//
// A [Run] has the script that the server's agent executes. The caller reports each call that the server has accepted
// ([Run.Release], [Run.Answer], [Run.Interrupt] and so on), and then everything that is stored ([Run.Check]), the terminal
// frame ([Run.Finished]) and snapshots ([Run.Snapshot]). The run executes the script as far as it goes, and compares the
// chunks of its agents with the expected ones: texts, reasoning, calls, events, sub-agents, errors, the state, the output,
// and the announcements of checkpoints. An error is a violation: a *model.Violation with the violated requirement.
//
// The model allows any order of the chunks of concurrent branches, any announcement or none of a dropped step that changed
// no state, any progress of other calls while one waits for its answer, any progress of a sub-agent whose time ran out, and
// a failed sub-agent that takes back its text or doesn't. Which chunks readers receive is for package stream.
//
// # Files, in reading order
//
//   - script.go, state.go, interpreter.go: scripts, states, and how far a list of script steps goes
//   - schema.go, progress.go: how far the run has come
//   - received.go, plan.go, patches.go: the chunks of one agent, the expected ones, and the result of patches
//   - judging.go, errors.go, agents.go, orphans.go: comparing the two
//   - expected.go, checkpoints.go, run.go, control.go: the chunks that calls must write, the session, and its calls
//   - undecided.go, terminal.go, check.go: calls between two answers, the terminal frame, everything that is stored
//   - boundary.go, snapshot.go: snapshots
//
// No file uses the declarations of a later one. The invariants stand with the fields of [Run], progress, expected and
// checkpoints.
package run
