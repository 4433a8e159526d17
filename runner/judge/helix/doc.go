// Package helix judges responses of the helix pack: framing, envelope, order,
// terminal frames, truncation and status frames of a stream, the chunks
// themselves where the server produced them, and the bodies of unary answers.
//
// It refuses to accuse a server of what the specification leaves free: unknown
// frame types and members, comments, retry, gaps in sequences, a first sequence
// other than 1, blocks without data, a body that ends without a terminal frame.
//
// The package may import runner/wire, runner/judge, schemas and spec.
package helix
