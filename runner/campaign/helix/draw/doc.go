// Package draw makes programs from a seed: [Draw] returns the nth program of a subject, the same for the same seed and
// capabilities. [Shrunk] makes a program shorter as long as it fails.
//
// It draws nothing that needs a capability which the server doesn't claim: chosen leaves such operations out. It makes no
// request.
//
// # Files, in reading order
//
//   - subjects.go: subjects of programs, and how often they draw each kind of operation
//   - values.go, writing.go: names, keys, texts and values of scripts
//   - burst.go, subagents.go, catalogue.go, script.go: scripts of runs, from their parts to all values
//   - gate.go, timeouts.go, empty_and_long.go, schema.go: scripts for one question each
//   - run_draw.go: programs of runs
//   - beginnings.go, big.go: beginnings of programs on streams
//   - draw.go: programs on streams
//   - choices.go: ways of operations, and requests between them
//   - simpler.go, shrink.go: shorter programs
//
// Invariant: each program has a separate generator, so that a change of one subject changes no other.
package draw
