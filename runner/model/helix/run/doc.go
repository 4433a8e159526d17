// Package run is the executable spec of runs of pack helix on the server's own runtime: the chapters on text, thinking,
// tools, custom events, state, output, sub-agents, runs, checkpoints, resync and approval.
//
// A [Run] has the script that the server's agent executes. The caller reports each call that the server has accepted
// ([Run.Release], [Run.Answer], [Run.Interrupt] and so on), and then everything that is stored ([Run.Check]), the terminal
// frame ([Run.Finished]) and snapshots ([Run.Snapshot]). The run executes the script as far as it goes, and compares what its
// agents must have emitted by then: texts, reasoning, calls, events, sub-agents, errors, the state, the output, and the
// announcements of checkpoints. An error is a violation: a *model.Breach with the requirement that it breaks.
//
// Freedom that it leaves: in which order concurrent branches emit, whether a step that was dropped is announced as such
// where it changed no state, whether other calls go on while one waits for its answer, how far a sub-agent came whose time ran
// out, and whether a failed one takes back its text. Which chunks readers receive is for package stream.
//
// # Files, in reading order
//
//   - script.go, state.go, interpreter.go: scripts, states, and how far a list of script steps goes
//   - schema.go, progress.go: how far the run has come
//   - received.go, plan.go, patches.go: the chunks of one agent, what it should have emitted, and what patches add up to
//   - judging.go, errors.go, agents.go, orphans.go: comparing the two
//   - expected.go, checkpoints.go, run.go, control.go: the chunks that calls must write, the session, and its calls
//   - undecided.go, terminal.go, check.go: calls between two answers, the terminal frame, everything that is stored
//   - boundary.go, snapshot.go: snapshots
//
// No file uses what a later one declares. The invariants stand with the fields of [Run], progress, expected and checkpoints.
package run
