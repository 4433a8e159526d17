// Package helixui plays turns of chats: programs that a seed draws, each of some turns, sequential or concurrent, with the
// scripts of their agents and the operations of readers. The model of the pack checks the responses.
//
// The scenarios prove one rule at a time in the state that it needs. A campaign searches for untested states: a page that is
// refreshed within reasoning, the 66th reader that leaves, a chat whose name differs in case from another.
//
// Nothing here sleeps, except between two requests that a server refuses because it is still storing the turn before. The
// agent waits at barriers, where operations of readers happen.
//
// # Files, in reading order
//
//   - name.go, program.go: names of chats, kinds of operations, and programs as texts
//   - writer.go: the script of a turn, from the data of an operation
//   - agent.go, chunk.go, application_part.go: chunks of other agents, of the root agent, and parts of an application
//   - state.go, positions.go: what a player knows of chats, answers and readers
//   - model_only.go: what changes where a model alone performs a turn
//   - draw.go: programs from a seed
//   - script.go, upstream.go: the turns of a program, and the ways in which a model writes its events
//   - history.go, request.go, refusal.go, reader.go: the requests of a player
//   - returned.go, play.go: the checks after a turn, and the order of turns
//   - shrink.go: shorter programs
//
// Invariants: a program is the history: the same text sends the same requests. How an item of an operation is performed is a
// function of its choice; counts only number texts and ids, so that no two are the same. A turn that isn't quiet is read again
// after its end; the history is read after each turn. A reader that has left has no complete answer to compare with.
//
// It may import runner/campaign, the model and the target of this pack, runner/target, runner/record and runner/wire.
package helixui
