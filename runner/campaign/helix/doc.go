// Package helix plays campaigns on streams: programs of writes, cleanups, resets, pauses, cuts and resumes that a seed
// draws, on one stream or several, with one reader or many. The models below runner/model/helix say after each
// operation what readers must receive, and what StreamInfo and snapshots must say.
//
// On the server's own runtime it plays runs: a seed draws their scripts and how they are steered, stopped and resumed.
//
// The scenarios prove one rule at a time in the state that it needs. A campaign looks for states that nobody thought of:
// the 256th chunk, the second reset, the fourth reader, a text that looks like a number.
//
// Nothing here sleeps: what must come is waited for, and that nothing else came is proven by a chunk or a terminal frame
// that must be next. A program is a text that people read, and that [Parse] reads.
//
// It may import wire, record, target, the target of its pack, the campaign package above it and the model of its pack.
package helix
