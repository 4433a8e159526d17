// Package aep plays campaigns on conversations: programs of requests with scripts, results of actions, cancellations,
// disconnects and slow readers that a seed draws, on one thread or several, of one user or two. The model of package
// runner/model/aep checks the responses after each operation.
//
// The scenarios prove one rule at a time in the state that it needs. A campaign searches for untested states: the fiftieth
// request of a thread, the 256th piece of a text, one of three actions, concurrent requests.
//
// Nothing here sleeps: a script waits at barriers, and the player waits for the events before them. A program is readable
// text that [Parse] reads.
//
// # Files, in reading order
//
//   - operation.go, program.go: operations and their steps, and programs as texts
//   - classes.go, catalogue.go, data.go: the data of requests and scripts
//   - offers.go, by_model.go, spelling.go: what a target can do, and other ways to write the same
//   - sequences.go, changes_between.go: beginnings that search one kind of state
//   - draw.go: programs from a seed
//   - turn.go, requests.go: one request, from its body to its answer
//   - stop.go, concurrent_results.go, overdue.go, replica.go, kill.go: operations on requests that are active
//   - play.go: the order of operations, and the checks after each
//   - shrink.go: shorter programs
//
// Invariants: a program is the history: the same text sends the same requests, and a request is made in the way that its
// choice selects. An operation that makes no sense in the present state is skipped. Each text has the marker of its request,
// so that no two are the same.
//
// It may import wire, record, target, the target of its pack, the campaign package above it and the model of its pack.
package aep
