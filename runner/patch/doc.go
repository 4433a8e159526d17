// Package patch applies JSON patches (RFC 6902) to documents, in bounded memory
// and time whatever a server sends.
//
// A Document stays decoded between patches, so a patch costs what it touches and
// not what the document holds. Limits bound its size, its depth, the operations of
// one patch and the work that they cause; a patch that goes beyond one of them
// fails with a *LimitError and leaves the document as it was.
//
// A document may be known in part: Unknown begins with an object of which nothing
// is known, and Hidden stands for a value that nobody has shown. Operations on
// such places succeed without being sure.
//
// The package imports nothing of the kit.
package patch
