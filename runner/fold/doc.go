// Package fold accumulates the chunks of a stream: its agents, open calls, sub-agents and reasoning, the state of each
// agent, and the effect of rollbacks to a checkpoint.
//
// A [Fold] takes a chunk in two steps. Meet determines its agent, and applies a rollback; Take adds its content, and
// returns its effect. Between them, the fold is in the state before the chunk, for comparisons.
//
// After a gap, a removal, an interruption, or a patch that doesn't fit, the state is uncertain. A fold for judging then
// drops the uncertain parts, since no knowledge is better than a wrong one. A trusting one, for display, keeps its best
// guess. Its Limits bound the memory in both cases; texts are stored as hashes and beginnings.
//
// The package refuses to judge, and to read frames or chunks: its user decodes the members. It may import runner/judge, for
// the values that judges compare, and runner/patch.
package fold
