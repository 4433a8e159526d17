// Package fold adds up what the chunks of a stream say: which agents there are, which calls, sub-agents and reasoning are
// open, which state each agent has, and what a return to a checkpoint makes of all that.
//
// A [Fold] is shown a chunk twice. Meet finds out whose it is, and takes what a return makes void; Take adds what the chunk
// says, and returns what it did. In between, the fold is still what it was before the chunk, for whoever compares the two.
//
// After a gap, a removal, an interruption, or a patch that doesn't fit, nobody knows for certain what a stream adds up to.
// A fold then forgets, and rather knows nothing than something wrong: that is for judging. A trusting one keeps its best
// guess: that is for showing. Its size is bounded either way, by its Limits; texts are kept as their hashes and beginnings.
//
// The package refuses to judge, and to read frames or chunks: what a member of a chunk holds, its user says. It may import
// runner/judge, for the values that judges compare, and runner/patch.
package fold
