// Package helix judges responses of the helix pack: framing, envelope, order, terminal frames, truncation and status frames of
// a stream, the chunks themselves where the server produced them, and the bodies of unary answers.
//
// Of produced chunks it also judges how they fit each other: that tool calls and sub-agents begin and end, that reasoning adds
// up, that patches fit the state, that no agent continues after a fatal error, an output or an interruption, and that
// checkpoints and resyncs agree. A production contains what that takes: the fold of the stream, and for each chapter of the
// spec which ids were used.
//
// Files, in reading order: machine (one response), frames and codes (one frame), order (positions), bare (streams without
// frames); chunk and production (what the server produced), then a file for each chapter: runs, outcome, reasoning, calls,
// subagents, state, checkpoints; answer (unary answers), unfinished, profile, rules.
//
// Invariants, which limit its memory:
//
//   - Of what is open, the fold remembers at most 1,024 things of a kind; beyond it the older half is forgotten, and the
//     judge is silent about it from then on.
//   - It follows the states of 32 agents and of the last 8 checkpoints, each up to 2 MiB. A larger state isn't followed.
//   - Of names there are hashes, at most 16,384 of a kind; of texts and outputs their hashes and beginnings.
//
// What isn't known yields no finding. After a cursor, in a recording that doesn't begin with the stream's first sequence or
// has a gap, and after a truncated frame, rules that need what came before are silent. A stream_resync makes what came before
// it obsolete. In a bare stream, which has no sequences, only a response with a head is known from its start.
//
// It refuses to accuse a server of what the specification leaves free: unknown frame types and members, comments, retry, gaps
// in sequences, a first sequence other than 1, blocks without data, a body that ends without a terminal frame.
//
// The package may import runner/wire, runner/record, runner/judge, runner/frame, runner/fold, runner/patch, schemas and spec.
package helix
