// Package merlin plays campaigns on streams: scripts that a seed draws, of many events, of data of every kind, and of
// combinations of texts, reasoning, calls, results, steps and citations, divided anywhere and ended anywhere. The model of
// package runner/model/merlin checks each event, and the aggregate.
//
// The scenarios prove one rule at a time in the state that it needs. A campaign searches for untested states: the hundredth
// slice, the third call, a step that is sent again after two of its name, a citation after ten others.
//
// Nothing here sleeps: a script waits at barriers, and the player waits for the events before them. A program is readable
// text that [Parse] reads.
//
// # Files, in reading order
//
//   - program.go: operations, and programs as texts
//   - draw.go: programs from a seed
//   - writer.go: the script of a stream, and its state so far
//   - speech.go, reasoning.go, citation.go, call.go, step.go, agent.go: the steps of each kind of operation
//   - spelling.go, upstream.go: other ways to write the events of a model
//   - script.go: the script of a program
//   - meeting.go, play.go: one request or several concurrent ones, the events, and the aggregate
//   - shrink.go: shorter programs
//
// Invariants: a program is the history: the same text sends the same requests. How an item of an operation is written is a
// function of its choice, and of what the stream has so far, such as its open steps; counts only number texts and ids, so
// that no two are the same. Each file uses only files before it.
//
// It may import record, target, the target of its pack, the campaign package above it and the model of its pack.
package merlin
