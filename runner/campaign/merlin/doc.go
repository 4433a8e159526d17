// Package merlin plays campaigns on streams: scripts that a seed draws, of many events, of data of every kind, and of texts,
// thoughts, calls, results, steps and citations beside each other, cut anywhere and ended anywhere. The model of package
// runner/model/merlin says of each event whether it may come, and of the aggregate what it must hold.
//
// The scenarios prove one rule at a time in the state that it needs. A campaign looks for states that nobody thought of: the
// hundredth slice, the third call, a step that is shown again after two of its name, a citation behind ten others.
//
// Nothing here sleeps: a script waits at barriers, and what must have come until there is waited for. A program is a text
// that people read, and that [Parse] reads.
//
// It may import record, target, the target of its pack, the campaign package above it and the model of its pack.
package merlin
