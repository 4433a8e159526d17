// Package frame decodes the frames of chunk streams: a chunk in its envelope, a terminal frame, a notice, or a chunk
// without an envelope. Judge, model, steps, campaigns and view read them through it, so that they can't disagree about
// what a server sent.
//
// Decoding is tolerant, since a frame may come from any server: a member whose value has another type than the protocol
// gives it is missing, and the last of several members of a name counts, as for clients that use JSON.parse. The schemas
// report both. Names are compared exactly: "Type" isn't "type".
package frame
