// Package helixui judges UI message streams, one response at a time: the form of each part, the opening and closing parts,
// tool calls, steps, and how the stream ends.
//
// The clients of these streams silently accept much: an interrupted stream, a missing finish, a part that stays open. The
// machine doesn't. An error part excuses missing parts after it, and none before it.
//
// Memory is bounded by the number of open things; of finished calls a bounded number of hashes is stored. The package
// refuses to judge a client. It may import runner/judge, runner/record, runner/wire and schemas.
package helixui
