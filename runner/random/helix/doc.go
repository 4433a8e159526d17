// Package helix provokes a server with operations that nobody chose: writes,
// cleanups, resets, pauses, cuts and resumes in an order that a seed decides. A
// small model of a stream says after each of them what readers must receive, and
// what StreamInfo must say.
//
// The scenarios prove one rule at a time in the state that it needs. This package
// looks for states that nobody thought of. It uses no freedom of the spec against
// the server: gaps in the sequences, a response that is closed at a pause or
// after a truncation, a refused second end and further status frames are all
// right, and so is everything that is only recommended.
//
// It judges no framing and no schema; the passive judge does. It never sleeps:
// what must come is waited for, and that nothing else came is proven by a chunk
// or a terminal frame that must be next.
//
// A failure is shrunk: operations are left out as long as the server still fails,
// and what is left is printed as a short script.
//
// It may import wire, target and the target of its pack.
package helix
