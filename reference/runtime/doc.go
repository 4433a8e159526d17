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
//   - ports.go, chunk.go, words.go, coerce.go, classify.go, output.go, defaults.go: ports, chunks, texts, arguments, errors
//   - session.go, registry.go, checkpoints.go, state.go: what outlives a run
//   - executor.go, agent.go, wait.go, pause.go: who works on a session, and what it waits for
//   - stage.go, env.go, tools.go, step.go, children.go, commit.go: one step
//   - run.go, recover.go, steer.go, handover.go, adopt.go: begins and ends of runs, interrupts, rollbacks, other processes
//   - runtime.go: the sessions of a process
//
// Invariants: a write of a fenced executor is refused; staged changes and their checkpoint become visible in one append; a
// session is executed by one executor at a time.
package runtime
