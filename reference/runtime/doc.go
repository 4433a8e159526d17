// Package runtime runs agents and writes what they do to a stream: steps, tools, sub-agents, checkpoints, and all the
// ways in which a run can be stopped and taken up again.
//
// A run is one executor at work on a session. The session outlives it: an interrupt, a pause, a crash or a take-over ends
// a run, and the next one goes on from what the session has committed. An executor holds a fencing token, and what it
// writes is refused once a newer token was given out. What a step writes to the state is staged, and becomes visible in one
// append together with the checkpoint that holds it, or not at all.
//
// What an agent thinks and does comes in through the ports Model and Tools, what readers see goes out through Journal.
// Time, ids and checkpoints are ports too, so that a decorator can change each; the runtime itself has no such cases.
//
// It refuses to know HTTP, events and logs. It may import the standard library and a validator of JSON Schema.
package runtime
