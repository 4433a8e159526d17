// Package interop reads a stream through github.com/r3labs/sse, as an ordinary
// user of that library would: an independent client that knows nothing of this
// kit.
//
// It shows that events arrive, in order, with their ids, and that a resume works
// for a client that the server's author didn't write. It is no evidence of wire
// correctness: the library hides comments, missing blank lines and byte order
// marks, and it gives an event without an id the last one.
//
// It may import target.
package interop
