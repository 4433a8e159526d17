// Package patch applies JSON patches (RFC 6902) to documents, in bounded memory and time for any input of a server.
//
// A Document stays decoded between patches, so the cost of a patch depends on the parts that it changes and not on the size
// of the document. Limits bound its size, its depth, the operations of one patch and the work that they cause; a patch that
// exceeds one of them fails with a *LimitError and leaves the document unchanged.
//
// A document may be known in part: Unknown begins with an object without known members, and Hidden is an unknown value.
// Operations on unknown positions succeed without being sure.
//
// The package imports nothing of the kit.
package patch
