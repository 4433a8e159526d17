// Package helixui judges UI message streams, one response at a time: the form of each part, what parts open and close, tool
// calls, steps, and how the stream ends.
//
// The clients of these streams take much in silence: a stream that is cut, a finish that never comes, a part that stays
// open. The machine doesn't. An error part excuses what is missing behind it, and nothing before it.
//
// Memory is bounded by what is open at once; of calls that are over a bounded number of hashes is kept. The package refuses
// to judge what a client did. It may import runner/judge, runner/record, runner/wire and schemas.
package helixui
