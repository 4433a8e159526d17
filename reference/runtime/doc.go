// Package runtime runs agents and writes their output to a stream: steps, tools, sub-agents, checkpoints, and all the ways
// in which a run can be stopped and resumed.
//
// A run is one executor at work on a session. The session outlives it: an interrupt, a pause, a crash or a take-over ends a
// run, and the next one continues from the session's last commit. An executor has a fencing token, and its writes are
// refused once a newer token was given out. Changes of the state by a step are staged, and become visible in one
// append with their checkpoint, or not at all.
//
// The agent's decisions come in through the ports Model and Tools, the chunks for readers go out through Journal. Time, ids
// and checkpoints are also ports, so that a decorator can change each; the runtime itself has no such cases.
//
// It refuses to know HTTP, events and logs. It may import the standard library and a validator of JSON Schema.
//
// # Files, in reading order
//
//   - ports.go, chunk.go, words.go, coerce.go, classify.go: ports, chunks, texts, arguments, errors
//   - runtime.go, session.go, executor.go, wait.go: sessions, and who works on them
//   - stage.go, step.go, tools.go, children.go, output.go, commit.go: one step
//   - pause.go, steer.go, recover.go, handover.go, memory.go: answers, interrupts, rollbacks, other processes
//
// Invariants: a write of a fenced executor is refused; staged changes and their checkpoint become visible in one append; a
// session is executed by one executor at a time.
package runtime
