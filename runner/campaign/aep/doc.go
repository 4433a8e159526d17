// Package aep plays campaigns on conversations: programs of requests with scripts, results of actions, cancellations, cuts
// and slow readers that a seed draws, on one thread or several, of one user or two. The model of package runner/model/aep
// says after each operation what must have come.
//
// The scenarios prove one rule at a time in the state that it needs. A campaign looks for states that nobody thought of: the
// fiftieth request of a thread, the 256th piece of a text, one of three actions, a request beside another one.
//
// Nothing here sleeps: a script waits at barriers, and what must have come until there is waited for. A program is a text
// that people read, and that [Parse] reads.
//
// It may import wire, record, target, the target of its pack, the campaign package above it and the model of its pack.
package aep
