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
// It may import record, target, the target of its pack, the campaign package above it and the model of its pack.
package merlin
