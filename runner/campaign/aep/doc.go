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
// It may import wire, record, target, the target of its pack, the campaign package above it and the model of its pack.
package aep
