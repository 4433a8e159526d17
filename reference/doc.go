// Package reference is the server that the suite is proven on: a server of every protocol of the kit, in memory, as one
// http.Handler.
//
// It is written to be read. An implementer finds here how each rule can be kept, in the order of the wire: the package of
// a protocol routes a request and makes frames of what it serves, store keeps the log of a stream and hands it out, and
// runtime runs the agents. To have a server that keeps one rule differently, or breaks it, replace a field of
// Options by a decorator of what Defaults put there; the server itself has no such cases. Packages mutant and variant contain such decorators,
// and alter the functions that they share.
//
// It refuses to be a product: it keeps everything in memory, has no users, and its control calls let anyone with the
// token do anything. Of the kit it imports schemas and nothing else, so that no bug of a shared encoder or decoder can
// cancel itself out between the server and its judge.
package reference
